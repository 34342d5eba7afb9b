/** @jsxImportSource preact */
import { render } from "preact-render-to-string"
import { sha256 } from "../../base/hash.ts"
import { browserScript } from "../../http/browser-script.ts" with { type: "macro" }
import { securityHeaders } from "../../http/security.ts"
import { tokenSheet } from "../../style/tokens.ts"
import type { Documented } from "../kit/openapi.ts"
import { type Guide, guidesOf } from "./guides.fr.ts"
import { Message, Operation, type ShownOperation } from "./operation.tsx"
import pageStyle from "./page.css" with { type: "text" }
import { type ResourceName, resources } from "./resources.fr.ts"
import { Code, Text } from "./text.tsx"
import { words } from "./words.fr.ts"

const style = tokenSheet + pageStyle

/**
 * `/api/v1/docs`: openapi.json as documentation for people, whose examples call the service at `publicUrl`.
 * The page loads nothing.
 */
export function docsPage(document: Documented, publicUrl: string): string {
  return `<!doctype html>${render(<Page document={document} publicUrl={publicUrl} />)}`
}

const script = browserScript("api/reference/script.ts")
const hashOf = (text: string) => sha256(text, "base64")

export const docsHeaders = {
  ...securityHeaders,
  // The page holds its only style and script, which are allowed by their hashes alone.
  "content-security-policy": `default-src 'none'; style-src 'sha256-${hashOf(style)}'; script-src 'sha256-${hashOf(script)}'; frame-ancestors 'none'; base-uri 'none'`,
  "content-type": "text/html; charset=utf-8",
}

function Page({ document, publicUrl }: { document: Documented; publicUrl: string }) {
  const guides = guidesOf(publicUrl)
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      path,
      method: method.toUpperCase(),
      ...operation,
    })),
  )
  const order = Object.keys(resources)
  const tags = document.tags
    .map(({ name }) => name)
    .toSorted((one, other) => placeIn(order, one) - placeIn(order, other))
  const sections = tags.map((tag) => ({
    tag,
    operations: operations.filter((each) => each.tags.includes(tag)),
  }))
  return (
    <html lang="fr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{words.title}</title>
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <a class="skip" href="#content">
          {words.skip}
        </a>
        <Menu guides={guides} sections={sections} />
        <main id="content">
          <h1>
            {words.title} <small>{document.info.version}</small>
          </h1>
          <section id="introduction" aria-label={words.introductionTitle}>
            {words.introduction.map((sentence) => (
              <p key={sentence}>
                <Text text={sentence} />
              </p>
            ))}
            <p>
              <a href="openapi.json">openapi.json</a>
            </p>
          </section>
          <fieldset class="languages">
            <legend>{words.language}</legend>
            <label>
              <input type="radio" name="language" id="curl" checked /> curl
            </label>
            <label>
              <input type="radio" name="language" id="js" /> JavaScript
            </label>
          </fieldset>
          {guides.map(({ id, title, steps }) => (
            <section key={id} aria-labelledby={id}>
              <h2 id={id}>{title}</h2>
              {steps.map(({ text, code = {} }) => (
                <div key={text}>
                  <p>
                    <Text text={text} />
                  </p>
                  {code.curl !== undefined && <Code language="curl" code={code.curl} />}
                  {code.js !== undefined && (
                    <Code language={code.curl === undefined ? undefined : "js"} code={code.js} />
                  )}
                </div>
              ))}
            </section>
          ))}
          {sections.map(({ tag, operations }) => (
            <section key={tag} aria-labelledby={tag}>
              <h2 id={tag}>{resources[tag as ResourceName].title}</h2>
              {operations.map((operation) => (
                <Operation
                  key={operation.operationId}
                  operation={operation}
                  document={document}
                  publicUrl={publicUrl}
                />
              ))}
            </section>
          ))}
          <section aria-labelledby="webhooks">
            <h2 id="webhooks">{words.webhooks}</h2>
            {Object.entries(document.webhooks).map(([event, { post }]) => (
              <Message key={event} event={event} operation={post} document={document} />
            ))}
          </section>
        </main>
        <script dangerouslySetInnerHTML={{ __html: script }} />
      </body>
    </html>
  )
}

function placeIn(order: readonly string[], tag: string): number {
  const place = order.indexOf(tag)
  return place < 0 ? order.length : place
}

interface MenuProps {
  guides: readonly Guide[]
  sections: readonly { tag: string; operations: readonly ShownOperation[] }[]
}

function Menu({ guides, sections }: MenuProps) {
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
        <p class="group">{words.guides}</p>
        <ul>
          <li>
            <a href="#introduction">{words.introductionTitle}</a>
          </li>
          {guides.map(({ id, title }) => (
            <li key={id}>
              <a href={`#${id}`}>{title}</a>
            </li>
          ))}
        </ul>
        <p class="group">{words.reference}</p>
        {sections.map(({ tag, operations }) => (
          <details key={tag}>
            <summary>{resources[tag as ResourceName].title}</summary>
            <ul>
              {operations.map(({ operationId, method, path, summary }) => (
                <li key={operationId}>
                  <a href={`#${operationId}`} data-words={`${method} ${path}`}>
                    <span class="method">{method}</span> <Text text={summary} />
                  </a>
                </li>
              ))}
            </ul>
          </details>
        ))}
        <ul>
          <li>
            <a href="#webhooks">{words.webhooks}</a>
          </li>
        </ul>
      </nav>
    </header>
  )
}
