// Which button was pressed, and what it does to a list. Runs on the server and in the browser.

/** A change of the list of fields: the value of a builder button, such as `add.email`, `up.2`, `move.3.0`. */
export type Change =
  | { verb: "add"; type: string }
  | { verb: "remove" | "up" | "down" | "duplicate" | "condition" | "values"; at: number }
  | { verb: "move"; at: number; to: number }

export function parseChange(intent: string): Change | undefined {
  const [, type] = /^add(?:\.([a-z]+))?$/.exec(intent) ?? []
  if (intent === "add" || type) return { verb: "add", type: type ?? "text" }
  const [, verb, at, to] =
    /^(remove|up|down|duplicate|condition|values|move)\.(\d{1,3})(?:\.(\d{1,3}))?$/.exec(intent) ?? []
  if (verb === undefined || (verb === "move") !== (to !== undefined)) return undefined
  return { verb, at: Number(at), to: Number(to) } as Change
}

/** The list after the change, and the place to look at. A place beyond the list changes nothing. */
export function changed<Item>(
  items: readonly Item[],
  change: Change,
  { added, copy }: { added: Item; copy(item: Item): Item },
): { items: Item[]; place: number } {
  if (change.verb === "add") return { items: [...items, added], place: items.length }
  const item = items[change.at]
  if (item === undefined) return { items: [...items], place: 0 }
  const { at } = change
  // It gets a condition to be filled in, or the values to choose from in one.
  if (change.verb === "condition" || change.verb === "values") return { items: [...items], place: at }
  const others = items.toSpliced(at, 1)
  if (change.verb === "remove") return { items: others, place: Math.max(Math.min(at, others.length - 1), 0) }
  if (change.verb === "duplicate") return { items: items.toSpliced(at + 1, 0, copy(item)), place: at + 1 }
  const wanted = change.verb === "move" ? change.to : at + (change.verb === "up" ? -1 : 1)
  const place = Math.min(Math.max(wanted, 0), others.length)
  return { items: others.toSpliced(place, 0, item), place }
}
