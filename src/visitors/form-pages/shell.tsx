/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import { render } from "preact-render-to-string"
import { sha256 } from "../../base/hash.ts"

const style = `
:root { color-scheme: light dark; --ink: #1c2430; --paper: #fff; --edge: #8792a2; --accent: #1d4f91; --wrong: #a4161a }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ee; --paper: #14181f; --edge: #768294; --accent: #8ab4f0; --wrong: #ff8f8f }
}
* { box-sizing: border-box }
body { margin: 0; background: var(--paper); color: var(--ink); font: 1.0625rem/1.5 system-ui, sans-serif }
main { max-width: 36rem; margin: 0 auto; padding: 3rem 1.25rem }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 1rem }
p, fieldset { margin: 0 0 1.25rem }
label, legend { display: block; font-weight: 600; padding: 0; margin-bottom: .25rem }
fieldset { border: 0; padding: 0 }
input:not([type=checkbox], [type=radio]), textarea, select {
  width: 100%; font: inherit; color: inherit; background: transparent; border: 1px solid var(--edge); border-radius: .375rem; padding: .5rem .625rem
}
option { color: #1c2430; background: #fff }
textarea { min-height: 8rem; resize: vertical }
.box { font-weight: 400; display: flex; gap: .5rem; align-items: baseline }
.quote { border-left: .25rem solid var(--edge); padding-left: 1rem; white-space: pre-line }
.wrong { color: var(--wrong); display: block; font-weight: 400 }
[aria-invalid] { border-color: var(--wrong) !important }
:focus-visible { outline: .1875rem solid var(--accent); outline-offset: .125rem }
button { font: inherit; font-weight: 600; color: var(--paper); background: var(--accent); border: 0; border-radius: .375rem; padding: .625rem 1.25rem; cursor: pointer }
a { color: var(--accent) }
`
const styleHash = sha256(style, "base64")

interface PageOptions {
  status: number
  title: string
  /**
   * Whether a form of the page may end on another site. Browsers apply `form-action` to every redirect after
   * a post, wherever the first one led.
   */
  leadsAway?: boolean
  /** Origins of the pages that may show this one in a frame. */
  frames?: string[]
  /**
   * `same-origin` lets a form of the page send its origin. A page with a secret in its address needs
   * `no-referrer`.
   */
  referrer?: "same-origin" | "no-referrer"
}

/** A page for visitors: it has no script, requests nothing from anywhere, and is kept by no cache. */
export function page(options: PageOptions, body: ComponentChildren): Response {
  const { status, title, leadsAway = false, frames = [], referrer = "same-origin" } = options
  const html = render(
    <html lang="fr">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>{title}</title>
        {/* Our own constant; the policy allows it by its hash. */}
        <style dangerouslySetInnerHTML={{ __html: style }} />
      </head>
      <body>
        <main>
          <h1>{title}</h1>
          {body}
        </main>
      </body>
    </html>,
  )
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'`,
    `form-action 'self'${leadsAway ? " http: https:" : ""}`,
    `frame-ancestors ${frames.length > 0 ? frames.join(" ") : "'none'"}`,
    "base-uri 'none'",
  ].join("; ")
  return new Response(`<!doctype html>${html}`, {
    status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
      "referrer-policy": referrer,
      "x-content-type-options": "nosniff",
      "cache-control": "no-store",
    },
  })
}
