import { exampleIdIn } from "./example-values.ts"
import type { ShownOperation } from "./shown.ts"
import { Code } from "./text.tsx"
import { words } from "./words.fr.ts"

export function Samples({
  operation: { method, path, security, requestBody },
  publicUrl,
}: {
  operation: ShownOperation
  publicUrl: string
}) {
  const url = publicUrl + path.replace(/\{(\w+)\}/g, (_, name: string) => exampleIdIn(path, name))
  const hasToken = security.length > 0
  const example = requestBody?.content["application/json"]?.example
  const curl = [
    `curl ${method === "GET" ? "" : `-X ${method} `}'${url}'`,
    hasToken ? `-H "Authorization: Bearer $TOKEN"` : `-H 'Origin: https://www.example.fr'`,
    ...(example === undefined
      ? []
      : [
          `-H 'Content-Type: application/json'`,
          `-d '${JSON.stringify(example, null, 2).replaceAll("'", "’")}'`,
        ]),
  ].join(" \\\n  ")
  const headers = [
    ...(hasToken ? ["authorization: `Bearer $" + "{token}`"] : []),
    ...(example === undefined ? [] : ['"content-type": "application/json"']),
  ]
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(", ")} },`] : []),
    ...(example === undefined
      ? []
      : [`  body: JSON.stringify(${JSON.stringify(example, null, 2).replaceAll("\n", "\n  ")}),`]),
  ]
  const js = `const response = await fetch("${url}"${options.length > 0 ? `, {\n${options.join("\n")}\n}` : ""})`
  return (
    <>
      <Code title={words.request} language="curl" code={curl} />
      <Code title={words.request} language="js" code={js} />
    </>
  )
}
