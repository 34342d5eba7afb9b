import { ownTick } from "../../base/async.ts"
import { withoutFragment } from "../../base/text.ts"
import type { Passage } from "../../reading/formats/document.ts"

/** The pages of an index, in the order of their rows. */
export interface IndexedPages {
  /** Addresses without fragment. */
  urls: readonly string[]
  /** For each row, the place of its page in `urls`. */
  pageOfRow: ReadonlyMap<number, number>
}

/** A tick of the event loop takes no longer. */
const turnMs = 3

/** Reads every passage once, in portions, so that others are served meanwhile. */
export async function listPages(rows: readonly number[], read: (row: number) => Passage | undefined) {
  const places = new Map<string, number>()
  const pageOfRow = new Map<number, number>()
  let until = performance.now() + turnMs
  for (const row of rows) {
    const passage = read(row)
    if (passage) {
      const url = withoutFragment(passage.url)
      const place = places.get(url) ?? places.size
      places.set(url, place)
      pageOfRow.set(row, place)
    }
    if (performance.now() < until) continue
    await ownTick()
    until = performance.now() + turnMs
  }
  return { urls: [...places.keys()], pageOfRow }
}
