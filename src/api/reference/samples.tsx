/** @jsxImportSource preact */
import type { Documented, DocumentedOperation } from "../kit/openapi.ts"
import { exampleBody } from "./examples.ts"
import type { Schema } from "./field-list.tsx"
import { Code } from "./text.tsx"

/** The same request by curl and in JavaScript. */
export function Samples({
  operation: { method, path, security },
  body,
  document,
  publicUrl,
}: {
  operation: Pick<DocumentedOperation, "security"> & { method: string; path: string }
  body: Schema | undefined
  document: Documented
  publicUrl: string
}) {
  const url = `${publicUrl}${path}`
  const hasToken = security.length > 0
  const example = body && exampleBody(body, document.components.schemas)
  const curl = [
    `curl ${method === "GET" ? "" : `-X ${method} `}'${url}'`,
    hasToken ? `-H "Authorization: Bearer $TOKEN"` : `-H 'Origin: https://www.example.fr'`,
    ...(example === undefined
      ? []
      : [`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(example).replaceAll("'", "’")}'`]),
  ].join(" \\\n  ")
  const headers = [
    ...(hasToken ? ["authorization: `Bearer $" + "{token}`"] : []),
    ...(example === undefined ? [] : ['"content-type": "application/json"']),
  ]
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    ...(headers.length > 0 ? [`  headers: { ${headers.join(", ")} },`] : []),
    ...(example === undefined ? [] : [`  body: JSON.stringify(${JSON.stringify(example)}),`]),
  ]
  const js = `const response = await fetch("${url}"${options.length > 0 ? `, {\n${options.join("\n")}\n}` : ""})`
  return (
    <>
      <Code language="curl" code={curl} />
      <Code language="js" code={js} />
    </>
  )
}
