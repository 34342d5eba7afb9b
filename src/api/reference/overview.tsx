import { listGuides } from "./guides.fr.ts"
import { type Resource, resources } from "./resources.fr.ts"
import type { Section, Shown } from "./shown.ts"
import { Code, Text } from "./text.tsx"
import { words } from "./words.fr.ts"

/**
 * The introduction, the guides, and every operation in one list. The anchors date from when the reference was
 * one page, so that links to it still lead somewhere.
 */
export function Overview({ shown }: { shown: Shown }) {
  const { document, sections, publicUrl, to } = shown
  return (
    <>
      <section id="introduction" aria-label={words.introductionTitle}>
        {words.introduction.map((sentence) => (
          <p key={sentence}>
            <Text text={sentence} />
          </p>
        ))}
        <p>
          <a href="/api/v1/openapi.json">openapi.json</a>{" "}
          <span class="hint">{words.version(document.info.version)}</span>
        </p>
      </section>
      {listGuides(publicUrl).map(({ id, title, steps }) => (
        <section key={id} class="guide" aria-labelledby={id}>
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
      <h2>{words.reference}</h2>
      {sections.map((section) => (
        <Index key={section.tag} section={section} to={to} />
      ))}
      <section aria-labelledby="webhooks">
        <h3 id="webhooks">
          <a href={to("webhooks")}>{words.webhooks}</a>
        </h3>
        <ul class="index">
          {Object.entries(document.webhooks).map(([event, { post }]) => (
            <li key={event} id={event}>
              <a href={to("webhooks", event)}>{post.summary}</a> <code>{event}</code>
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

function Index({ section, to }: { section: Section; to: Shown["to"] }) {
  const { tag, title, operations } = section
  const { formerAnchors = [] }: Resource = resources[tag]
  return (
    <section aria-labelledby={tag}>
      {formerAnchors.map((anchor) => (
        <span key={anchor} id={anchor} />
      ))}
      <h3 id={tag}>
        <a href={to(tag)}>{title}</a>
      </h3>
      <ul class="index">
        {operations.map(({ operationId, method, path, summary }) => (
          <li key={operationId} id={operationId}>
            <a href={to(tag, operationId)}>
              <Text text={summary} />
            </a>{" "}
            <code>
              {method} {path}
            </code>
          </li>
        ))}
      </ul>
    </section>
  )
}
