import type { ComponentChildren } from "preact"
import { render } from "preact-render-to-string"
import { sha256 } from "../../base/hash.ts"
import { browserScript } from "../../http/browser-script.ts" with { type: "macro" }
import { securityHeaders } from "../../http/security.ts"
import { tokenSheet } from "../../style/tokens.ts"
import type { Documented } from "../kit/openapi.ts"
import { type ExampleIds, exampleIds } from "./example-values.ts"
import { listFields, type Schema } from "./field-list.tsx"
import { listGuides } from "./guides.fr.ts"
import { Message, Operation } from "./operation.tsx"
import { Overview } from "./overview.tsx"
import pageStyle from "./page.css" with { type: "text" }
import { type ResourceName, resources } from "./resources.fr.ts"
import type { PageOptions, Section, Shown, ShownOperation } from "./shown.ts"
import { Text } from "./text.tsx"
import { words } from "./words.fr.ts"

const style = tokenSheet + pageStyle

/** The overview, a page for each resource, and one for the messages that are sent. */
export const pageNames: readonly string[] = ["", ...Object.keys(resources), "webhooks"]

/** openapi.json for people, whose examples call the service at `publicUrl`. It loads nothing. */
export function docsPage(document: Documented, name: string, options: PageOptions): string {
  const { own } = options
  const choice = own && own.projects.length > 1 ? `?project=${own.ids.project}` : ""
  const view: Shown = {
    ...options,
    document,
    sections: toSections(document),
    to: (page, anchor) => `/api/v1/docs${page && `/${page}`}${choice}${anchor ? `#${anchor}` : ""}`,
  }
  const html = render(<Page name={name} shown={view} />)
  return `<!doctype html>${own ? withOwnIds(html, own.ids) : html}`
}

function withOwnIds(html: string, own: Partial<ExampleIds>): string {
  return Object.entries(own).reduce(
    (text, [kind, id]) => text.replaceAll(exampleIds[kind as keyof ExampleIds], id),
    html,
  )
}

function toSections({ paths }: Documented): Section[] {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      ...operation,
    })),
  )
  return Object.entries(resources).map(([tag, { title }]) => ({
    tag: tag as ResourceName,
    title,
    operations: operations.filter((each) => each.tags.includes(tag)),
  }))
}

const script = browserScript("api/reference/script.ts")
const cspHash = (text: string) => sha256(text, "base64")

export const docsHeaders = {
  ...securityHeaders,
  // The page holds its only style and script, which are allowed by their hashes alone.
  "content-security-policy": `default-src 'none'; style-src 'sha256-${cspHash(style)}'; script-src 'sha256-${cspHash(script)}'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'`,
  "content-type": "text/html; charset=utf-8",
  // Who is signed in gets another page at the same address.
  "cache-control": "private, no-cache",
}

function Page({ name, shown }: { name: string; shown: Shown }) {
  const section = shown.sections.find(({ tag }) => tag === name)
  const title = section?.title ?? (name === "webhooks" ? words.webhooks : undefined)
  return (
    <html lang="fr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{title ? `${title} – ${words.title}` : words.title}</title>
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <a class="skip" href="#content">
          {words.skip}
        </a>
        <Menu name={name} shown={shown} />
        <main id="content">
          <h1>{title ?? words.title}</h1>
          <Own name={name} shown={shown} />
          <Languages />
          {section ? (
            section.operations.map((operation, at) => (
              <Operation
                key={operation.operationId}
                operation={operation}
                above={section.operations.slice(0, at)}
                shown={shown}
              />
            ))
          ) : name === "webhooks" ? (
            Object.entries(shown.document.webhooks).map(([event, { post }]) => (
              <Message key={event} event={event} operation={post} document={shown.document} />
            ))
          ) : (
            <Overview shown={shown} />
          )}
        </main>
        <script dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>
  )
}

/** Says whose ids stand in the examples, and offers those of another project. */
function Own({ name, shown: { own } }: { name: string; shown: Shown }) {
  if (!own) return null
  const present = own.projects.find(({ id }) => id === own.ids.project)
  const others = own.projects.filter((each) => each !== present)
  const address = (id: string) => `/api/v1/docs${name && `/${name}`}?project=${id}`
  return (
    <div class="own">
      <p>
        {words.ownIds} <strong>{present?.name}</strong>.
      </p>
      {others.length > 0 && (
        <details>
          <summary>{words.otherProject}</summary>
          <ul>
            {others.map(({ id, name }) => (
              <li key={id}>
                <a href={address(id)}>{name}</a>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

function Languages() {
  return (
    <fieldset class="languages">
      <legend>{words.language}</legend>
      <label>
        <input type="radio" name="language" id="curl" checked /> curl
      </label>
      <label>
        <input type="radio" name="language" id="js" /> JavaScript
      </label>
    </fieldset>
  )
}

function Menu({ name, shown }: { name: string; shown: Shown }) {
  const { sections, document, to, publicUrl } = shown
  const guides = [{ id: "introduction", title: words.introductionTitle }, ...listGuides(publicUrl)]
  const entry = (page: string, children: ComponentChildren) => (
    <a href={to(page)} aria-current={page === name ? "page" : undefined}>
      {children}
    </a>
  )
  return (
    <header>
      <p class="brand">{words.title}</p>
      <p class="back">
        <a href="/console">{words.toConsole}</a>
      </p>
      <label class="search" hidden>
        {words.search}
        <input type="search" id="search" autocomplete="off" aria-describedby="found" />
      </label>
      <p id="found" role="status" />
      <nav aria-label={words.menu}>
        <ul>
          <li>{entry("", words.overview)}</li>
          {guides.map(({ id, title }) => (
            <li key={id}>
              <a href={name === "" ? `#${id}` : to("", id)}>{title}</a>
            </li>
          ))}
        </ul>
        {sections.map(({ tag, title, operations }) => (
          <details key={tag} open={tag === name}>
            <summary>{title}</summary>
            <ul>
              <li>{entry(tag, words.wholePage)}</li>
              {operations.map((operation) => (
                <li key={operation.operationId}>
                  <a
                    href={tag === name ? `#${operation.operationId}` : to(tag, operation.operationId)}
                    data-words={searchWords(operation, document)}
                  >
                    <span class="method">{operation.method}</span> <Text text={operation.summary} />
                  </a>
                </li>
              ))}
            </ul>
          </details>
        ))}
        <ul>
          <li>{entry("webhooks", words.webhooks)}</li>
        </ul>
      </nav>
    </header>
  )
}

/** Words by which an operation is found beside its title: its address, and the names of its fields. */
function searchWords({ path, parameters = [], requestBody }: ShownOperation, document: Documented): string {
  const body = requestBody?.content["application/json"]?.schema as Schema | undefined
  const fields = body ? listFields(body, document).map(({ name }) => name) : []
  const names = new Set([...parameters.map(({ name }) => name), ...fields])
  return [path.replace("/api/v1/", ""), ...names].join(" ")
}
