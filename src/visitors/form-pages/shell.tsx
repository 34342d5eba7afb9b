import type { ComponentChildren } from "preact"
import { render } from "preact-render-to-string"
import type { Language } from "../../accounts/project.ts"
import { sha256 } from "../../base/hash.ts"
import { tokenSheet, withTokens } from "../../style/tokens.ts"
import formStyle from "./form.css" with { type: "text" }
import pageStyle from "./page.css" with { type: "text" }

const style = tokenSheet + pageStyle + withTokens(formStyle)
const styleHash = sha256(style, "base64")

/** An empty image. */
const noIcon = "data:,"

export interface PageOptions {
  status: number
  title: string
  /** Of its texts; French without it. */
  lang?: Language
  /** How far a visitor has come, before the title in the tab. */
  progress?: string | undefined
  /** Whose page it is; shown above the title. */
  site?: { name: string; url: string }
  /** Rules of the project's look and colour (`pageStyle`); absent: our own. */
  style?: string | undefined
  /** Address of an image of the site, its icon too: the only one that the page may load. */
  logo?: string | null
  /** Browsers apply `form-action` to every redirect after a post, wherever the first one led. */
  leadsAway?: boolean
  /** Origins of the pages that may show this one in a frame, and that are told its height there. */
  frames?: string[]
  /** The page's address, where search engines may list it. */
  listedAt?: string
  /** Address of the service, whose form helper the page loads. Without it the page has no script. */
  helper?: string | undefined
  /** Scripts that it loads beside that one. */
  scripts?: readonly string[]
  /** `same-origin` lets a form send its origin. A page with a secret in its address needs `no-referrer`. */
  referrer?: "same-origin" | "no-referrer"
}

/** A page for visitors. It requests nothing but our own form helper. */
export function page(options: PageOptions, body: ComponentChildren): Response {
  return pageReply(options, pageHtml(options, body))
}

export function pageHtml(options: PageOptions, body: ComponentChildren): string {
  const { title, progress, site, style: own, logo, frames = [], listedAt, helper, scripts = [] } = options
  const html = render(
    <html lang={options.lang ?? "fr"}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        {listedAt ? <link rel="canonical" href={listedAt} /> : <meta name="robots" content="noindex" />}
        {/* Without one, a browser asks for an icon that the policy forbids. */}
        <link rel="icon" href={logo ?? noIcon} />
        <title>{[progress, title, site?.name].filter(Boolean).join(" – ")}</title>
        {/* Our own texts; the policy allows each by its hash. */}
        <style dangerouslySetInnerHTML={{ __html: style }} />
        {own && <style dangerouslySetInnerHTML={{ __html: own }} />}
        {helper !== undefined && <script src={`${helper}/form.js`} data-frames={frames.join(" ")} defer />}
        {helper !== undefined &&
          scripts.map((name) => <script key={name} src={`${helper}/${name}.js`} defer />)}
      </head>
      <body>
        <main>
          {site && (
            <p class="site">
              {/* In a frame, the site's own page is around this one. */}
              <a href={site.url} target="_top">
                {logo && <img src={logo} alt="" height="40" referrerpolicy="no-referrer" />}
                {site.name}
              </a>
            </p>
          )}
          <h1>{title}</h1>
          {body}
        </main>
      </body>
    </html>,
  )
  return `<!doctype html>${html}`
}

/** `html` is of `pageHtml`, with the same options. */
export function pageReply(options: PageOptions, html: string): Response {
  return new Response(html, {
    status: options.status,
    headers: {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": contentPolicy(options),
      "referrer-policy": options.referrer ?? "same-origin",
      "x-content-type-options": "nosniff",
      // The browser keeps it for its own back and forward, where it would otherwise ask to send the post before it once
      // more. A new request gets a new page, and no cache in between keeps it.
      "cache-control": "private, no-cache",
    },
  })
}

/** The address with everything percent-encoded that would end a source or the directive. */
function imageSource(address: string): string {
  return address.replaceAll(";", "%3B").replaceAll(",", "%2C")
}

function contentPolicy({ logo, style: own, leadsAway = false, frames = [], helper }: PageOptions): string {
  const service = helper === undefined ? undefined : new URL(helper).origin
  return [
    "default-src 'none'",
    `style-src 'sha256-${styleHash}'${own ? ` 'sha256-${sha256(own, "base64")}'` : ""}`,
    `img-src ${logo ? imageSource(logo) : "data:"}`,
    ...(service === undefined ? [] : [`script-src ${service}`, `connect-src ${service}`]),
    `form-action 'self'${service === undefined ? "" : ` ${service}`}${leadsAway ? " http: https:" : ""}`,
    `frame-ancestors ${frames.length > 0 ? frames.join(" ") : "'none'"}`,
    "base-uri 'none'",
  ].join("; ")
}
