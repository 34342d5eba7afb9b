import { slug as githubSlug } from "github-slugger"

/**
 * How the generator of a documentation makes an anchor of a heading that has no explicit one:
 * `github` is also what Docusaurus, Starlight, Hugo and mdBook do, and the default.
 */
export type AnchorStyle = "github" | "vitepress" | "mkdocs"

interface Style {
  slug(text: string): string
  /** The name of the n-th repetition, from 1. */
  repeated(slug: string, n: number): string
}

const styles: Record<AnchorStyle, Style> = {
  // Accents stay, each space is a hyphen: « Créer l’été » → créer-lété.
  github: { slug: githubSlug, repeated: (slug, n) => `${slug}-${n}` },
  // Accents go, punctuation is a hyphen: creer-l-ete.
  vitepress: { slug: vitepressSlug, repeated: (slug, n) => `${slug}-${n}` },
  // What is not ASCII goes after its accent, punctuation leaves nothing: creer-lete; repetitions are _1, _2.
  mkdocs: { slug: mkdocsSlug, repeated: (slug, n) => `${slug}_${n}` },
}

/** No heading is longer, and what takes accents off a letter takes the square of their number. */
const longestText = 1000

/**
 * Gives each heading of one page its anchor; explicit ids are told to `take` so that they are not given
 * again.
 */
export function anchorsOf(style: AnchorStyle): { take(id: string): void; give(text: string): string } {
  const { slug, repeated } = styles[style]
  const taken = new Set<string>()
  const counts = new Map<string, number>()
  return {
    take: (id) => taken.add(id),
    give(text) {
      const base = slug(text.slice(0, longestText).toWellFormed())
      let count = counts.get(base) ?? 0
      let anchor = count === 0 ? base : repeated(base, count)
      while (taken.has(anchor)) anchor = repeated(base, ++count)
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

function withoutAccents(text: string): string {
  return text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "")
}
