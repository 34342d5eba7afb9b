import { seeOther } from "../console/kit/reply.ts"
import { type Route, routeAt } from "../http/routes.ts"
import type { Document } from "../reading/formats/document.ts"
import { readMarkdown } from "../reading/formats/markdown/read-markdown.ts"
import { tokenSheet } from "../style/tokens.ts"
import { demoDocuments } from "./documents.ts"
import style from "./page.css" with { type: "text" }
import { demoPage, pathOf } from "./page.tsx"

/** Folder of the documentation's addresses: at the root, the page `console` would hide the service's console. */
export const documentationPath = "/docs"

/** The demo's site: its documentation, page by page, at the addresses that answers cite. */
export function demoRoutes(siteUrl: string, project: string, formHtml: string): Route[] {
  const documents = Object.entries(demoDocuments).map(([path, markdown]) =>
    documentOf(path, markdown, siteUrl),
  )
  return [
    routeAt("GET /", "anyone", () => seeOther(`${documentationPath}/`)),
    routeAt(`GET ${documentationPath}/demo.css`, "anyone", () => text(tokenSheet + style, "text/css")),
    ...documents.map((document) =>
      routeAt(`GET ${pathOf(document)}`, "anyone", () =>
        text(demoPage({ document, documents, project, formHtml }), "text/html"),
      ),
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
