/** @jsxImportSource preact */
import { render } from "preact-render-to-string"
import { sha256 } from "../../base/hash.ts"
import { securityHeaders } from "../../http/security.ts"
import style from "./docs.css" with { type: "text" }
import type { Documented } from "./openapi.ts"

/** `/api/v1/docs`: openapi.json as a page for people. The page has no script and loads nothing. */
export function docsReply(document: Documented): Response {
  return new Response(`<!doctype html>${render(<Docs document={document} />)}`, {
    headers: {
      ...securityHeaders,
      // The page holds its only style, which is allowed by its hash alone.
      "content-security-policy": `default-src 'none'; style-src 'sha256-${styleHash}'; frame-ancestors 'none'; base-uri 'none'`,
      "content-type": "text/html; charset=utf-8",
    },
  })
}

const styleHash = sha256(style, "base64")

function Docs({ document }: { document: Documented }) {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      ...operation,
    })),
  )
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>Guichet API</title>
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <header>
          <h1>Guichet API {document.info.version}</h1>
          <p>{document.info.description}</p>
          <p>
            Send <code>Authorization: Bearer gch_…</code>. The same, for programs:{" "}
            <a href="openapi.json">openapi.json</a>.
          </p>
        </header>
        <nav aria-label="Parts">
          {document.tags.map(({ name }) => (
            <a key={name} href={`#${name}`}>
              {name}
            </a>
          ))}
        </nav>
        <main>
          {document.tags.map(({ name }) => (
            <section key={name} aria-labelledby={name}>
              <h2 id={name}>{name}</h2>
              {operations
                .filter(({ tags }) => tags.includes(name))
                .map((operation) => (
                  <Operation key={operation.operationId} operation={operation} document={document} />
                ))}
            </section>
          ))}
        </main>
      </body>
    </html>
  )
}

type Shown = Documented["paths"][string][string] & { path: string; method: string }

function Operation({ operation, document }: { operation: Shown; document: Documented }) {
  const { method, path, summary, security, parameters = [], requestBody, responses } = operation
  const successes = Object.entries(responses).filter(([status]) => status < "400")
  return (
    <details>
      <summary>
        <code class={method.toLowerCase()}>{method}</code> <code>{path}</code> <span>{summary}</span>
      </summary>
      <p>
        {security.length === 0 && "Called by pages, without a token"}
        {security
          .flatMap(({ token }) => token)
          .map((scope) => (
            <code key={scope}>{scope} </code>
          ))}
      </p>
      {parameters.length > 0 && (
        <ul>
          {parameters.map(({ name, in: place, description }) => (
            <li key={name}>
              <code>{name}</code> ({place}) {description}
            </li>
          ))}
        </ul>
      )}
      {requestBody && <Schema title="Body" content={requestBody.content} document={document} />}
      {successes.map(([status, { description, content }]) => (
        <Schema key={status} title={`${status}: ${description}`} content={content} document={document} />
      ))}
    </details>
  )
}

interface SchemaProps {
  title: string
  content: Record<string, { schema: object }> | undefined
  document: Documented
}

function Schema({ title, content = {}, document }: SchemaProps) {
  const [type, media] = Object.entries(content)[0] ?? []
  return (
    <>
      <h3>{title}</h3>
      {media && type === "application/json" && (
        // Scrollable, hence focusable: keyboards must reach it.
        <pre tabindex={0}>
          <code>{JSON.stringify(exampleOf(media.schema, document), null, 2)}</code>
        </pre>
      )}
      {type && type !== "application/json" && <p>{type}</p>}
    </>
  )
}

/** A value of the schema, with the kind of each field in place of its value. */
function exampleOf(schema: unknown, document: Documented): unknown {
  const {
    $ref,
    type,
    properties,
    required,
    items,
    anyOf,
    enum: words,
    patternProperties,
  } = schema as JsonSchema
  if ($ref) return exampleOf(document.components.schemas[$ref.split("/").at(-1) as string], document)
  if (words) return words.join(" | ")
  if (anyOf) {
    const [some, ...others] = anyOf.map((each) => exampleOf(each, document))
    return typeof some === "string" ? [some, ...others].join(" | ") : some
  }
  if (properties)
    return Object.fromEntries(
      Object.entries(properties).map(([name, value]) => [
        required?.includes(name) ? name : `${name}?`,
        exampleOf(value, document),
      ]),
    )
  if (patternProperties) return { "…": "string" }
  if (items) return [exampleOf(items, document)]
  return type ?? "any"
}

interface JsonSchema {
  $ref?: string
  type?: string
  properties?: Record<string, object>
  required?: string[]
  items?: object
  anyOf?: object[]
  enum?: string[]
  patternProperties?: object
}
