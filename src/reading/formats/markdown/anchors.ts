import { slug as githubSlug } from "github-slugger"

/** How a site derives anchors from headings that have no explicit one. */
export interface AnchorStyle {
  slug(text: string): string
  /** The anchor of a repeated slug; `slug-1` unless given. */
  numbered?(slug: string, n: number): string
  /** The anchor of a heading whose slug is empty; none unless given. */
  empty?: string
}

/** Accents stay, each space becomes a hyphen: « Créer l’été » → créer-lété. */
export const githubAnchors: AnchorStyle = { slug: githubSlug }

/** No heading is longer. Removing accents costs the square of the marks that follow one letter. */
const maxTextCharacters = 1000

/**
 * Makes the anchors of one page's headings. An explicit id that was reserved is not given to another heading.
 */
export function anchorSlugger(style: AnchorStyle): { reserve(id: string): void; slug(text: string): string } {
  const { slug, numbered = (base: string, n: number) => `${base}-${n}`, empty = "" } = style
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
