import { detail } from "../../base/errors.ts"
import type { LeftOut, Section } from "./document.ts"

/** Pages that only send their readers on: they stay for the sake of old links. */

export function redirected(page: string): LeftOut {
  return {
    leftOut: "redirect",
    detail: detail("reading.leadsTo", { page: page.slice(0, 500).toWellFormed() }),
  }
}

/** A page of more text says something besides. */
const maxCharacters = { source: 1500, text: 250 }
const component =
  /<(?:Redirect|Navigate|RedirectTo)\b[^<>]{0,200}?\b(?:to|href|url)=\{?["'`]([^"'`]{1,2000})["'`]|<meta\b[^<>]{0,100}\bhttp-equiv=["']refresh["'][^<>]{0,100}\burl=([^"'\s>]{1,2000})|\b(?:window\.|document\.)?location(?:\.href\s?=|\.replace\(|\s?=)\s?["'`]([^"'`]{1,2000})["'`]/i

/** The address to which the source of a page of Markdown or MDX sends its readers, where it does nothing else. */
export function redirectTarget(source: string): string | undefined {
  if (source.length > maxCharacters.source) return undefined
  const [found, ...targets] = component.exec(source) ?? []
  if (found === undefined || !(found.startsWith("<") || /<script|^export /m.test(source))) return undefined
  const [shown = ""] = source.split(/^export /m, 1)
  const rest = unseen
    .reduce((text, [opening, closing]) => withoutSpans(text, opening, closing), shown)
    .replace(/^import\s[^\n]*$|^#{1,6} [^\n]*$/gm, "")
    .replace(/<[^<>]*>/g, "")
  return rest.trim().length <= maxCharacters.text / 2 && !rest.includes("```")
    ? targets.find((target) => target !== undefined)
    : undefined
}

const unseen = [
  ["<script", "</script>"],
  ["<!--", "-->"],
  ["{/*", "*/}"],
] as const

function withoutSpans(text: string, opening: string, closing: string): string {
  let rest = ""
  let at = 0
  for (;;) {
    const from = text.indexOf(opening, at)
    const to = from < 0 ? -1 : text.indexOf(closing, from)
    if (to < 0) return rest + text.slice(at)
    rest += text.slice(at, from)
    at = to + closing.length
  }
}

/** « Est désormais » may say anything else: the link has to stand in its sentence. */
const moved =
  /^(?:\W{0,5}(?:attention|note|info(?:rmation)?)\W{1,5})?(?:cette|la|this|the) \[?(?:page|section|rubrique|documentation|document|guide|article)\b[^.\n]{0,80}?\b(?:a été (?:déplacée?|transférée?|renommée?|fusionnée?)|a (?:déménagé|changé d[’']adresse)|(?:has|have) (?:been )?(?:moved|relocated|renamed|merged)|moved to|(?:est (?:désormais|maintenant|à présent)|se trouve (?:désormais|maintenant)|(?:is|lives) now|now lives)\b[^.\n]{0,80}?\[)/i

/** The address of the only link of a page that says nothing else than that it has moved. */
export function movedPageTarget(sections: readonly Section[]): string | undefined {
  const texts = sections.map(({ markdown }) => markdown).filter((markdown) => markdown !== "")
  if (texts.length !== 1) return undefined
  const text = texts[0] as string
  const [link, ...others] = [...text.slice(0, 5000).matchAll(/\]\((https:\/\/[^()\s]{1,2048})\)/g)]
  const words = text.replace(/\]\(https:[^()\s]*\)|\*/g, "").trim()
  return others.length === 0 && words.length <= maxCharacters.text && moved.test(words)
    ? link?.[1]
    : undefined
}
