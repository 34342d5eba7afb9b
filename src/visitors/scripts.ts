import { createHash } from "node:crypto"
import { findWidgetSettings } from "../accounts/widget/settings.ts"
import { dsfr } from "../accounts/widget/style.ts"
import { textColorOn } from "../base/color.ts"
import { detail, Refusal } from "../base/errors.ts"
import { storedScript, storeScript } from "../db/stored-script.ts"
import type { FormDeps } from "../forms/deps.ts"
import { browserScript } from "../http/browser-script.ts" with { type: "macro" }
import { textReply } from "../http/compress.ts"
import type { RequestContext } from "../http/routes.ts"
import { withTokens } from "../style/tokens.ts"
import formStyle from "./form-pages/form.css" with { type: "text" }

/** A script or style sheet that pages of other sites load. */
export interface Script {
  text: string
  /** First 16 hexadecimal digits of the text's SHA-256; names this version in addresses. */
  hash: string
  /** Value of the `integrity` attribute of its tag (Subresource Integrity). */
  integrity: string
}

/** Each is at `/<folder>.<ending>`, its versions at `/<folder>/<hash>.<ending>`. `later`: it loads those later. */
interface Place {
  folder: string
  ending: keyof typeof mediaTypes
  later?: readonly ScriptName[]
}

export type ScriptName =
  | "widget"
  | "form"
  | "contact"
  | "related"
  | "search"
  | "offer"
  | "conditions"
  | "proof"
  | "form_css"

export const scripts: Record<ScriptName, Script & Place> = {
  widget: script(
    "widget",
    browserScript(
      "widget/widget.ts",
      "widget/contact/contact.ts",
      "widget/related/related.ts",
      "widget/search/search.ts",
    ),
    ["contact", "related", "search"],
  ),
  form: script("form", browserScript("widget/form/form.ts", "widget/offer/offer.ts"), ["offer"]),
  contact: script("contact", browserScript("widget/contact/contact.ts")),
  related: script("related", browserScript("widget/related/related.ts")),
  search: script("search", browserScript("widget/search/search.ts")),
  offer: script("offer", browserScript("widget/offer/offer.ts")),
  conditions: script("conditions", browserScript("widget/conditions/conditions.ts")),
  proof: script("proof", browserScript("widget/proof/proof.ts")),
  form_css: { ...describeScript(withTokens(formStyle)), folder: "form", ending: "css" },
}
const mediaTypes = { js: "text/javascript", css: "text/css" } as const

/** Short, so that a new version reaches every page within the hour. */
const shortSeconds = 60 * 60
const foreverSeconds = 365 * 24 * 60 * 60

/**
 * `/widget.js`, `/form.js`, `/conditions.js`, `/proof.js` and `/form.css`: the current version, cached for an hour;
 * `/form.css?project=` has the project's look and colour. `/widget/<hash>.js` and the like, among them
 * `/contact/<hash>.js`, `/related/<hash>.js`, `/search/<hash>.js` and `/offer/<hash>.js`, which widget and form
 * helper load: one version, served for ever, also after an update of the service. `/scripts.json`: the addresses by
 * hash, with their `integrity`.
 */
export function scriptHandlers({ db, clock, config }: Pick<FormDeps, "db" | "clock" | "config">) {
  /** The look of forms as the owner of a project chose it, or in the colour of its widget. */
  async function projectSheet(projectId: string): Promise<Script> {
    const { look, color } = (await findWidgetSettings(db, projectId)).settings
    if (look === "dsfr") return stateSheet
    return color === null ? scripts.form_css : describeScript(coloredSheet(color))
  }

  const names = Object.keys(scripts) as ScriptName[]
  const storing = new Map(names.map((name) => [name, once(() => storeVersion(name))]))
  return {
    list: () =>
      Response.json(scriptList(config.publicUrl), { headers: scriptHeaders("application/json", "no-store") }),
    current:
      (name: ScriptName) =>
      async ({ request, query }: RequestContext<never>) => {
        const project = name === "form_css" ? query["project"] : undefined
        const script = isProjectId(project) ? await projectSheet(project) : scripts[name]
        return scriptReply(request, name, script, shortSeconds)
      },
    version:
      (folder: string) =>
      async ({ request, params }: RequestContext<"file">) => {
        const [, hash = "", ending] = /^([0-9a-f]{16})\.(js|css)$/.exec(params.file) ?? []
        const name = names.find((each) => scripts[each].folder === folder && scripts[each].ending === ending)
        if (!name) throw new Refusal("not_found", detail("requests.notFound"))
        if (hash === scripts[name].hash) await storing.get(name)?.()
        const text = hash === scripts[name].hash ? scripts[name].text : await storedScript(db, name, hash)
        if (!text) throw new Refusal("not_found", detail("requests.notFound"))
        return scriptReply(request, name, { text, hash }, foreverSeconds)
      },
  }

  /** A page that names a version of a script may want what that one loads long after an update. */
  async function storeVersion(name: ScriptName): Promise<void> {
    for (const each of [...(scripts[name].later ?? []), name]) {
      const { hash, text } = scripts[each]
      await storeScript(db, { name: each, hash, text }, clock.now())
    }
  }
}

const stateSheet = describeScript(withTokens(formStyle) + dsfr.form)

/** `color` is `#rrggbb`. A page may still choose another (`--guichet-accent`). */
function coloredSheet(color: string): string {
  const own = formStyle
    .replaceAll("var(--token-accent)", color)
    .replaceAll("var(--token-on-accent)", textColorOn(color))
  return withTokens(own)
}

function isProjectId(text: string | undefined): text is string {
  return text !== undefined && /^[a-z0-9]{8,64}$/.test(text)
}

function script(folder: string, text: string, later?: readonly ScriptName[]): Script & Place {
  return { ...describeScript(text), folder, ending: "js", ...(later && { later }) }
}

function describeScript(text: string): Script {
  const digest = (algorithm: string) => createHash(algorithm).update(text)
  return {
    text,
    hash: digest("sha256").digest("hex").slice(0, 16),
    integrity: `sha384-${digest("sha384").digest("base64")}`,
  }
}

function scriptList(publicUrl: string) {
  return Object.fromEntries(
    Object.entries(scripts).map(([name, { folder, hash, ending, integrity }]) => [
      name,
      { url: `${publicUrl}/${folder}/${hash}.${ending}`, integrity },
    ]),
  )
}

function scriptReply(
  request: Request,
  name: ScriptName,
  { text, hash }: Pick<Script, "text" | "hash">,
  seconds: number,
): Response {
  // The tag is weak because the same text goes out with and without compression.
  const etag = `W/"${hash}"`
  const forever = seconds === foreverSeconds ? ", immutable" : ""
  const headers = {
    ...scriptHeaders(mediaTypes[scripts[name].ending], `public, max-age=${seconds}${forever}`),
    etag,
  }
  if (request.headers.get("if-none-match")?.includes(`"${hash}"`))
    return new Response(null, { status: 304, headers: { ...headers, vary: "accept-encoding" } })
  return textReply(request, text, headers)
}

/** Browsers check `integrity` only on replies that every page may read (CORS). */
function scriptHeaders(type: string, cacheControl: string): Record<string, string> {
  return {
    "content-type": `${type}; charset=utf-8`,
    "cache-control": cacheControl,
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
  }
}

/** Runs the work once, and again after a failure: a script that was not stored must not count as stored. */
function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work().catch((error) => {
      done = undefined
      throw error
    })
    return done
  }
}
