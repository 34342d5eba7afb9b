import { render } from "preact-render-to-string"
import { assetPath } from "../console/kit/assets.ts"
import type { Document } from "../reading/formats/document.ts"
import { words } from "./words.fr.ts"

interface DemoPageProps {
  document: Document
  documents: Document[]
  project: string
  formHtml: string
  steps: DemoSteps
  /** Address that opens the console signed in; null where others may read the page. */
  console: string | null
}

/** How far a visitor of the demo has come. */
export interface DemoSteps {
  asked: boolean
  sent: boolean
  opened: boolean
}

/** One page of the demo's documentation as HTML, with the anchors that answers cite, the widget and a form. */
export function demoPage({ document, documents, project, formHtml, steps, console }: DemoPageProps): string {
  const html = render(
    <html lang="fr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${document.title} – ${words.site}`}</title>
        <link rel="icon" href={assetPath("icon.svg")} />
        <link rel="stylesheet" href="/docs/demo.css" />
      </head>
      <body>
        <header>
          <a href="/docs/">{words.site}</a>
          <Steps steps={steps} console={console} />
        </header>
        <div class="columns">
          <nav aria-label={words.pages}>
            <ul>
              {documents.map((other) => (
                <li>
                  <a href={pathOf(other)} aria-current={other === document ? "page" : undefined}>
                    {other.title}
                  </a>
                </li>
              ))}
            </ul>
          </nav>
          <main>
            <article>
              <h1>{document.title}</h1>
              {document.sections.map((section) => (
                <section>
                  {section.anchor && <h2 id={section.anchor}>{section.headings.at(-1)}</h2>}
                  <div
                    dangerouslySetInnerHTML={{
                      __html: Bun.markdown.html(section.markdown, { tables: true }),
                    }}
                  />
                </section>
              ))}
            </article>
            <aside id="contact">
              <h2>{words.contact}</h2>
              <div dangerouslySetInnerHTML={{ __html: formHtml }} />
            </aside>
          </main>
        </div>
        <script src="/widget.js" data-project={project} data-shortcut="k" defer />
        <script src="/docs/steps.js" defer />
      </body>
    </html>,
  )
  return `<!doctype html>${html}`
}

/** Ticked here, and by `steps.js` as things happen. */
function Steps({ steps, console }: Pick<DemoPageProps, "steps" | "console">) {
  return (
    <ol class="steps" aria-label={words.steps}>
      {(["asked", "sent", "opened"] as const).map((step) => (
        <li key={step} data-step={step} class={steps[step] ? "done" : undefined}>
          <Step step={step} console={console} />
          {/* The mark says it to those who see it. */}
          <span class="sr" data-done={words.done}>
            {steps[step] ? words.done : words.toDo}
          </span>
        </li>
      ))}
    </ol>
  )
}

function Step({ step, console }: { step: keyof DemoSteps; console: string | null }) {
  if (step === "sent") return <a href="#contact">{words.step.sent}</a>
  if (step === "asked") return <span>{words.step.asked}</span>
  if (console === null) return <span>{`${words.step.opened} ${words.linkOnTerminal}`}</span>
  return (
    <a href={console} target="_blank" rel="noopener">
      {words.step.opened}
    </a>
  )
}

export function pathOf(document: Document): string {
  return new URL(document.url).pathname
}
