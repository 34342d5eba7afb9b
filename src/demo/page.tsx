import { render } from "preact-render-to-string"
import { assetPath } from "../console/kit/assets.ts"
import type { Document } from "../reading/formats/document.ts"
import { words } from "./words.fr.ts"

interface DemoPageProps {
  document: Document
  documents: Document[]
  project: string
  formHtml: string
}

/** One page of the demo's documentation as HTML, with the anchors that answers cite, the widget and a form. */
export function demoPage({ document, documents, project, formHtml }: DemoPageProps): string {
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
      </body>
    </html>,
  )
  return `<!doctype html>${html}`
}

export function pathOf(document: Document): string {
  return new URL(document.url).pathname
}
