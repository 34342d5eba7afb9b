import type { Section } from "./document.ts"
import type { Piece } from "./flow.ts"

export interface Outline {
  /** The page's first heading when it is of level 1 and nothing was headed before, else null. */
  title: string | null
  sections: Section[]
}

/**
 * Pieces in order → sections under their heading path. The page's own title heads no section: what stands
 * under it belongs to the page, unless `title` is already known and says something else, whose words would be
 * lost.
 */
export function outline(pieces: Piece[], title: string | null): Outline {
  const sections: Section[] = []
  const open: { level: number; text: string; anchor: string | null }[] = []
  let found = title
  let current: Section = { headings: [], anchor: null, markdown: "" }
  let headed = false

  for (const piece of pieces) {
    if (piece.kind === "block") {
      current.markdown += (current.markdown === "" ? "" : "\n\n") + piece.markdown
      continue
    }
    const isTitle = !headed && piece.level === 1 && (found === null || same(found, piece.text))
    headed = true
    if (isTitle) {
      found ??= piece.text
      continue
    }
    close()
    while (open.length > 0 && (open.at(-1)?.level ?? 0) >= piece.level) open.pop()
    // A heading without an anchor of its own is reached by the one it stands under.
    open.push({ ...piece, anchor: piece.anchor ?? open.at(-1)?.anchor ?? null })
    current = { headings: open.map(({ text }) => text), anchor: open.at(-1)?.anchor ?? null, markdown: "" }
  }
  close()
  return { title: found, sections }

  function close(): void {
    if (current.markdown !== "" || current.headings.length > 0) sections.push(current)
  }
}

function same(one: string, other: string): boolean {
  return one.localeCompare(other, undefined, { sensitivity: "base" }) === 0
}
