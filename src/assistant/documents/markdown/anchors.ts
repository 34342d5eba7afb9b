import { slug as githubSlug } from "github-slugger"
import type { Generator } from "./generator.ts"

/**
 * How the generator of a documentation derives an anchor from a heading that has no explicit one. The default
 * is `github`; Docusaurus, Starlight, Hugo and mdBook do the same. Grav has two: its plugin Page TOC on pages
 * where it is active, and its plugin Anchors (AnchorJS) on the others.
 */
export type AnchorStyle = "github" | "vitepress" | "mkdocs" | "gitbook" | "grav" | "grav-toc"

interface SlugStyle {
  slug(text: string): string
  /** The slug of the n-th repetition, from 1. */
  numbered(slug: string, n: number): string
}

const styles: Record<AnchorStyle, SlugStyle> = {
  // Accents stay, each space becomes a hyphen: « Créer l’été » → créer-lété.
  github: { slug: githubSlug, numbered: (slug, n) => `${slug}-${n}` },
  // Accents are removed, punctuation becomes a hyphen: creer-l-ete.
  vitepress: { slug: vitepressSlug, numbered: (slug, n) => `${slug}-${n}` },
  // Accents are removed, then all that is not ASCII, and punctuation: creer-lete. Repetitions are _1, _2.
  mkdocs: { slug: mkdocsSlug, numbered: (slug, n) => `${slug}_${n}` },
  // Accents and apostrophes are removed, dots stay: creer-lete, id-2.-pas.
  gitbook: { slug: gitbookAnchor, numbered: (slug, n) => `${slug}-${n}` },
  // Accents stay, punctuation becomes a hyphen: créer-l-été.
  grav: { slug: anchorJsSlug, numbered: (slug, n) => `${slug}-${n}` },
  // Accents are removed, all else becomes a hyphen, 25 characters: creer-l-ete.
  "grav-toc": { slug: pageTocSlug, numbered: (slug, n) => `${slug}-${n}` },
}

/** `hasToc`: the plugin Page TOC of Grav is active on the page. */
export function anchorStyleOf(generator: Generator | undefined, hasToc: boolean): AnchorStyle {
  if (generator === undefined || generator === "docusaurus") return "github"
  return generator === "grav" && hasToc ? "grav-toc" : generator
}

/** No heading is longer. Removing accents costs the square of the marks that follow one letter. */
const maxTextCharacters = 1000

/**
 * Makes the anchors of one page's headings. An explicit id that was reserved is not given to another heading.
 */
export function anchorSlugger(style: AnchorStyle): { reserve(id: string): void; slug(text: string): string } {
  const { slug, numbered } = styles[style]
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return {
    reserve: (id) => taken.add(id),
    slug(text) {
      const base = slug(text.slice(0, maxTextCharacters).toWellFormed())
      let count = counts.get(base) ?? 0
      let anchor = count === 0 ? base : numbered(base, count)
      while (taken.has(anchor)) anchor = numbered(base, ++count)
      counts.set(base, count + 1)
      taken.add(anchor)
      return anchor
    },
  }
}

function vitepressSlug(text: string): string {
  return withoutAccents(text)
    .replace(/[\s!-/:-@[-`{-~“”‘’]+/g, "-")
    .replace(/^-|-$/g, "")
    .replace(/^(?=\d)/, "_")
    .toLowerCase()
}

function mkdocsSlug(text: string): string {
  return withoutAccents(text)
    .replace(/[^\w\s-]/g, "")
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, "-")
}

/** GitBook keeps the id of a heading that was renamed, and then writes it into the Markdown. */
const gitbookCharacters = 100

function gitbookAnchor(text: string): string {
  return gitbookSlug(text)
    .replace(/^(?=\d)/, "id-")
    .slice(0, gitbookCharacters)
    .replace(/-$/, "")
}

/** Also the way GitBook names the pages of a site. */
export function gitbookSlug(text: string): string {
  return inAscii(text)
    .toLowerCase()
    .replace(/['’ʼ]/g, "")
    .replaceAll("&", "-and-")
    .replace(/[^a-z0-9._]+/g, "-")
    .replace(/^-|-$/g, "")
}

const anchorJsCharacters = 64

function anchorJsSlug(text: string): string {
  return text
    .trim()
    .replace(/[&\s+$,:;=?@"#{}|^~[`%!'<>\]./()*\\-]+/g, "-")
    .slice(0, anchorJsCharacters)
    .replace(/^-|-$/g, "")
    .toLowerCase()
}

/** `slug_maxlen` of the plugin's own settings. */
const pageTocCharacters = 25

function pageTocSlug(text: string): string {
  return inAscii(text)
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "")
    .slice(0, pageTocCharacters)
}

function inAscii(text: string): string {
  return withoutAccents(text.replace(/[œæßø]/gi, (letter) => ligatures[letter.toLowerCase()] as string))
}

const ligatures: Record<string, string> = { œ: "oe", æ: "ae", ß: "ss", ø: "o" }

/** VitePress removes only these marks. The slug of MkDocs drops all other marks as not ASCII. */
function withoutAccents(text: string): string {
  return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "")
}
