/**
 * The part of a list that one page shows, and the cursor that `<More>` leads on with: the id of its last item. Begins
 * behind the item whose id is `after`, and at the first one where there is no such item any more.
 */
export function partOf<Item extends { id: string }>(
  all: readonly Item[],
  after: string | undefined,
  atMost: number,
): { items: readonly Item[]; cursor: string | null } {
  const start = all.findIndex(({ id }) => id === after) + 1
  const items = all.slice(start, start + atMost)
  return { items, cursor: start + atMost < all.length ? (items.at(-1)?.id ?? null) : null }
}
