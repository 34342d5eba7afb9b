import type { Element } from "domhandler"
import { slug as githubSlug } from "github-slugger"

/** How a site derives anchors from headings that have no explicit one. */
export interface AnchorStyle {
  slug(text: string): string
  /** The anchor of a slug on a page with these anchors; `slug-1` and so on for one in use unless given. */
  unique?(slug: string, page: PageAnchors): string
  /** The text of a heading outside code as the generator sets it: with a dash for `--`. */
  typography?(text: string): string
  /** The words of an element in a heading; the text within unless given. */
  elementText?(element: Element): string | undefined
}

/** The anchors of the headings above, and those that headings of the page give themselves. */
export interface PageAnchors {
  taken: Set<string>
  /** How often a slug came before. */
  counts: Map<string, number>
}

/** Accents stay, each space becomes a hyphen: « Créer l’été » → créer-lété. */
export const githubAnchors: AnchorStyle = { slug: githubSlug }

/** For generators that take the description of a picture for words of the heading. */
export function pictureText({ name, attribs }: Element): string | undefined {
  return name === "img" ? (attribs["alt"] ?? "") : undefined
}

/** Dashes for `--` and `---`, as generators set them. */
export function withDashes(text: string): string {
  return text.replace(/---?/g, "–")
}

/** No heading is longer. Removing accents costs the square of the marks that follow one letter. */
const maxTextCharacters = 1000

/**
 * Makes the anchors of one page's headings. An explicit id that was reserved is not given to another heading.
 */
export function anchorSlugger({ slug, unique = firstFree }: AnchorStyle): {
  reserve(id: string): void
  slug(text: string): string
} {
  const page: PageAnchors = { taken: new Set(), counts: new Map() }
  return {
    reserve: (id) => page.taken.add(id),
    slug: (text) => unique(slug(text.slice(0, maxTextCharacters).toWellFormed()), page),
  }
}

/** The slug, or `slug-1`, `slug-2` … whatever is first in no use. */
export function firstFree(slug: string, { taken, counts }: PageAnchors): string {
  let count = counts.get(slug) ?? 0
  let anchor = count === 0 ? slug : `${slug}-${count}`
  while (taken.has(anchor)) anchor = `${slug}-${++count}`
  counts.set(slug, count + 1)
  taken.add(anchor)
  return anchor
}

/** Numbers a slug by how often it came before, even where another heading has that anchor. */
export function numberedFrom(first: number): (slug: string, page: PageAnchors) => string {
  return (slug, { counts }) => {
    const count = counts.get(slug) ?? 0
    counts.set(slug, count + 1)
    return count === 0 ? slug : `${slug}-${first + count - 1}`
  }
}
