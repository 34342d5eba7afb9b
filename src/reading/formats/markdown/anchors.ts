import { slug as githubSlug } from "github-slugger"

/** How the generator of a documentation derives an anchor from a heading that has no explicit one. */
export type AnchorStyle = keyof typeof styles

interface SlugStyle {
  slug(text: string): string
  /** Stands between a slug and the number of its repetition. */
  mark?: "_"
  /** The anchor of a heading whose slug is empty; none unless given. */
  empty?: string
}

const styles = {
  // Accents stay, each space becomes a hyphen: « Créer l’été » → créer-lété.
  github: { slug: githubSlug },
  // Accents are removed, punctuation becomes a hyphen: creer-l-ete.
  vitepress: { slug: vitepressSlug },
  // Accents are removed, then all that is not ASCII, and punctuation: creer-lete. Repetitions are _1, _2.
  mkdocs: { slug: (text) => mkdocsSlug(withoutAccents(text).replace(/[^\0-\x7f]/g, "")), mark: "_" },
  // With the slugs of PyMdown: créer-lété, or Créer-lété.
  "mkdocs-unicode": { slug: (text) => pymdownSlug(text).toLowerCase(), mark: "_" },
  "mkdocs-cased": { slug: pymdownSlug, mark: "_" },
  // Accents and apostrophes are removed, dots stay: creer-lete, id-2.-pas.
  gitbook: { slug: gitbookAnchor },
  // Accents stay, punctuation becomes a hyphen: créer-l-été.
  grav: { slug: anchorJsSlug },
  // Accents are removed, all else becomes a hyphen, 25 characters: creer-l-ete.
  "grav-toc": { slug: pageTocSlug },
  // The Markdown of the heading counts, with the addresses of its links: créer-lété.
  hugo: { slug: hugoSlug, empty: "heading" },
  "hugo-ascii": {
    slug: (text) => hugoSlug(withoutAccents(text).replace(/[^\0-\x7f]/g, "")),
    empty: "heading",
  },
  // Accents stay, all else becomes a hyphen: créer-l-été.
  "hugo-blackfriday": {
    slug: (text) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{N}]+/gu, "-")
        .replace(/^-|-$/g, ""),
    empty: "heading",
  },
  // GitHub's as kramdown makes them: créer-lété.
  kramdown: {
    slug: (text) =>
      text
        .toLowerCase()
        .replace(/[^\p{L}\p{M}\p{Nd}\p{Pc}\- \t]/gu, "")
        .replace(/[ \t]/g, "-"),
  },
  // Kramdown's own: letters of ASCII from the first on, « 2. Créer » → crer.
  "kramdown-plain": {
    slug: (text) =>
      text
        .replace(/^[^a-z]+/i, "")
        .replace(/[^a-z\d -]/gi, "")
        .replaceAll(" ", "-")
        .toLowerCase(),
    empty: "section",
  },
  // Accents are removed, punctuation becomes a hyphen, words in one are parted: « phaseBanner » → phase-banner.
  eleventy: { slug: eleventySlug },
  // Escaped as in an address: cr%C3%A9er-l'%C3%A9t%C3%A9.
  "markdown-it-anchor": {
    slug: (text) => encodeURIComponent(text.trim().toLowerCase().replace(/\s+/g, "-")),
  },
  // Accents stay, blanks become hyphens: créer-lété.
  mdbook: {
    slug: (text) =>
      text
        .trim()
        .toLowerCase()
        .replace(/[^\p{L}\p{N}_\-\s]/gu, "")
        .replace(/\s/g, "-"),
  },
  // Accents are removed, all else becomes a hyphen, letters come first: creer-l-ete. Repetitions are id1, id2.
  sphinx: {
    slug: (text) =>
      withoutAccents(text)
        .toLowerCase()
        .replace(/[^a-z\d]+/g, "-")
        .replace(/^[-\d]+|-$/g, ""),
  },
  nuxt: {
    slug: (text) =>
      githubSlug(text)
        .replace(/-+/g, "-")
        .replace(/^-|-$/g, "")
        .replace(/^(?=\d)/, "_"),
  },
} as const satisfies Record<string, SlugStyle>

/** No heading is longer. Removing accents costs the square of the marks that follow one letter. */
const maxTextCharacters = 1000

/**
 * Makes the anchors of one page's headings. An explicit id that was reserved is not given to another heading.
 */
export function anchorSlugger(style: AnchorStyle): { reserve(id: string): void; slug(text: string): string } {
  const { slug, mark, empty = "" }: SlugStyle = styles[style]
  const numbered = (base: string, n: number) => (style === "sphinx" ? `id${n}` : `${base}${mark ?? "-"}${n}`)
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return {
    reserve: (id) => taken.add(id),
    slug(text) {
      const base = slug(text.slice(0, maxTextCharacters).toWellFormed()) || empty
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
  return text
    .replace(/[^\w\s-]/g, "")
    .trim()
    .toLowerCase()
    .replace(/[-\s]+/g, "-")
}

function pymdownSlug(text: string): string {
  return text
    .normalize("NFC")
    .replace(/[^\p{L}\p{M}\p{N}_\- ]/gu, "")
    .trim()
    .replaceAll(" ", "-")
}

function hugoSlug(text: string): string {
  return text
    .trim()
    .replace(/[^\p{L}\p{Nd}_\- ]/gu, "")
    .replaceAll(" ", "-")
    .toLowerCase()
}

/** As @sindresorhus/slugify makes them, which Eleventy's filter `slugify` and its plugin for ids use. */
export function eleventySlug(text: string): string {
  return withoutAccents(text.replaceAll("&", " and "))
    .replace(/(?<=[A-Z]{2})(?=\d)|(?<=[a-z\d])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-rt-z\d])/g, " ")
    .toLowerCase()
    .replace(/(?<=[a-z\d])['’](?=[ts](?:\s|$))/g, "")
    .replace(/[^a-z\d]+/g, "-")
    .replace(/^-|-$/g, "")
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
export function withoutAccents(text: string): string {
  return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "")
}
