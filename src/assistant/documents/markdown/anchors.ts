import { slug as githubSlug } from "github-slugger"

/**
 * How the generator of a documentation derives an anchor from a heading that has no explicit one. The default
 * is `github`; Docusaurus, Starlight, Hugo and mdBook do the same.
 */
export type AnchorStyle = "github" | "vitepress" | "mkdocs"

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

/** VitePress removes only these marks. The slug of MkDocs drops all other marks as not ASCII. */
function withoutAccents(text: string): string {
  return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "")
}
