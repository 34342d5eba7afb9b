const mostShown = 5

/** How many, and what the first ones are. */
export function shown<Item>(items: readonly Item[], say: (item: Item) => string): string {
  return [String(items.length), ...items.slice(0, mostShown).map(say)].join("\n           ")
}
