import render from "preact-render-to-string"
import type { Project } from "../../accounts/project.ts"
import { widgetChange } from "../../accounts/widget/record.ts"
import { findWidgetSettings, type WidgetSettings } from "../../accounts/widget/settings.ts"
import { readFields } from "../../http/record/fields.ts"
import { framedHeaders, securityHeaders } from "../../http/security.ts"
import { widgetLook } from "../../wording/assistant.fr.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import { inputIn } from "../kit/forms/input.ts"
import { type PageContext, useSubmitted } from "../kit/page-context.ts"
import { projectInAddress } from "../kit/page-handlers.ts"
import { seeOther } from "../kit/reply.ts"
import { changeIn } from "./appearance-form.ts"
import { words } from "./words.fr.ts"

/** The real widget in a frame, with what is typed or saved; `live-preview.ts` loads it anew after each change. */
export function Preview({ project }: { project: Project }) {
  const address = `${appearancePath(project)}/preview`
  const { values } = useSubmitted()
  const typed = new URLSearchParams([...values].filter(([name]) => !name.startsWith("guichet_")))
  return (
    <figure class="preview">
      <figcaption>
        {words.preview}
        <span class="hint">{words.previewHint}</span>
      </figcaption>
      <iframe src={`${address}?${typed}`} title={words.preview} data-preview={address} />
    </figure>
  )
}

/** A page whose widget has a service of its own, in a folder whose name holds what is typed: nothing is stored. */
export function previewPages({ db }: ConsoleDeps) {
  return {
    page: async (context: PageContext) => {
      const project = await projectInAddress(db, context)
      const typed = Buffer.from(new URL(context.request.url).search.slice(1)).toString("base64url")
      return new Response(`<!doctype html>${render(<PreviewPage project={project} typed={typed} />)}`, {
        headers: { ...framedHeaders, ...noStore, "content-type": "text/html; charset=utf-8" },
      })
    },
    script: () => seeOther("/widget.js"),
    searchFile: ({ params }: PageContext) => seeOther(`/search/${encodeURIComponent(params["file"] ?? "")}`),
    look: async (context: PageContext) => {
      const project = await projectInAddress(db, context)
      const { settings } = await findWidgetSettings(db, project.id)
      const typed = Buffer.from((context.params["typed"] ?? "").slice(1), "base64url").toString()
      const look = widgetLook(project, { ...settings, ...settingsIn(new URLSearchParams(typed)) })
      return Response.json({ ...look, contact: false }, { headers: { ...securityHeaders, ...noStore } })
    },
  }
}

/** The same text, as to a greeting, so that no opinion is asked for. Reads nothing: no session is needed. */
export function previewAnswers() {
  const reply = { id: "preview", status: "no_answer", answer: words.previewOnly, sources: [] }
  const events = `event: courtesy\ndata: {}\n\nevent: answer\ndata: ${JSON.stringify(reply)}\n\n`
  const headers = { ...securityHeaders, "content-type": "text/event-stream; charset=utf-8" }
  const page = { title: { text: words.previewPage, marks: [] }, url: "", sections: [] }
  return {
    ask: () => new Response(events, { headers: { ...headers, ...noStore } }),
    search: () => Response.json({ items: [page] }, { headers: { ...securityHeaders, ...noStore } }),
  }
}

const noStore = { "cache-control": "no-store" }

function appearancePath({ id }: Pick<Project, "id">): string {
  return `/console/projects/${id}/appearance`
}

/** The typed values that fit; in the place of the others, what is saved stays. */
function settingsIn(values: URLSearchParams): Partial<WidgetSettings> {
  if (values.size === 0) return {}
  const { contact_form, contact_field, ...typed } = { ...inputIn(widgetChange, values), ...changeIn(values) }
  const fitting = Object.entries(readFields(typed, widgetChange, {})).filter(
    ([, value]) => value !== undefined,
  )
  return Object.fromEntries(fitting)
}

function PreviewPage({ project, typed }: { project: Project; typed: string }) {
  return (
    <html lang={project.language}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{words.preview}</title>
        <script
          src={`${appearancePath(project)}/preview/_${typed}/widget.js`}
          data-project={project.id}
          defer
        />
      </head>
      <body>
        <main lang="fr">
          <h1>{words.previewPage}</h1>
          <noscript>{words.previewScript}</noscript>
        </main>
      </body>
    </html>
  )
}
