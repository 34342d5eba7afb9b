/** People that a filter of a list offers: a page with every member of a large workspace would be heavy. */
const maxOffered = 50

/** Names by id as choices of a filter: the first of many, and the one that is chosen. */
export function offeredPeople(
  people: Iterable<readonly [id: string, name: string]>,
  chosen: string | undefined,
): (readonly [id: string, name: string])[] {
  return [...people].filter(([id], place) => place < maxOffered || id === chosen)
}
