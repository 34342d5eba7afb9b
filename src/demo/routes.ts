import { seeOther } from "../console/kit/reply.ts"
import { browserScript } from "../http/browser-script.ts" with { type: "macro" }
import { type RequestContext, type Route, routeAt } from "../http/routes.ts"
import type { Document } from "../reading/formats/document.ts"
import { readMarkdown } from "../reading/formats/markdown/read-markdown.ts"
import heard from "../style/heard.css" with { type: "text" }
import { tokenSheet } from "../style/tokens.ts"
import { demoDocuments } from "./documents.ts"
import style from "./page.css" with { type: "text" }
import { type DemoSteps, demoPage, pathOf } from "./page.tsx"

const stepsScript = browserScript("demo/steps.ts")

/** Folder of the documentation's addresses: at the root, the page `console` would hide the service's console. */
export const documentationPath = "/docs"

interface DemoDeps {
  siteUrl: string
  project: string
  formHtml: string
  steps(): Promise<DemoSteps>
  /** Address that opens the console signed in; null for who may be another than the one who started the demo. */
  consoleFor(request: Request): string | null
  /** Opens the console signed in, for the demo's secret. */
  enter(request: Request, secret: string): Promise<Response>
}

/** The demo's site: its documentation, page by page, at the addresses that answers cite. */
export function demoRoutes({ siteUrl, project, formHtml, steps, consoleFor, enter }: DemoDeps): Route[] {
  const documents = Object.entries(demoDocuments).map(([path, markdown]) =>
    documentOf(path, markdown, siteUrl),
  )
  return [
    routeAt("GET /", "anyone", () => seeOther(`${documentationPath}/`)),
    routeAt(`GET ${documentationPath}/demo.css`, "anyone", () =>
      text(tokenSheet + heard + style, "text/css"),
    ),
    routeAt(`GET ${documentationPath}/steps.js`, "anyone", () => text(stepsScript, "text/javascript")),
    routeAt(`GET ${documentationPath}/steps.json`, "anyone", async () =>
      Response.json(await steps(), { headers: { "cache-control": "no-store" } }),
    ),
    routeAt(
      `GET ${documentationPath}/console/:secret`,
      "link",
      ({ request, params }: RequestContext<"secret">) => enter(request, params.secret),
    ),
    ...documents.map((document) =>
      routeAt(`GET ${pathOf(document)}`, "anyone", async ({ request }: RequestContext) => {
        const site = { documents, project, formHtml, steps: await steps(), console: consoleFor(request) }
        return text(demoPage({ document, ...site }), "text/html")
      }),
    ),
  ]
}

function documentOf(path: string, markdown: string, siteUrl: string): Document {
  const url = `${siteUrl}${documentationPath}/${path === "index" ? "" : path}`
  const read = readMarkdown(markdown, { path, url })
  if ("leftOut" in read) throw new Error(`the demo's page ${path} is not documentation: ${read.leftOut}`)
  return read
}

function text(body: string, type: string): Response {
  return new Response(body, {
    headers: {
      "content-type": `${type}; charset=utf-8`,
      "content-security-policy": "default-src 'self'; frame-ancestors 'none'",
    },
  })
}
