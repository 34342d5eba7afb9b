import { isObject } from "../../base/names.ts"

/** A member that is to change: what there is, and what the file says. */
export type Difference = readonly [present: unknown, wanted: unknown]

/**
 * The members of a record that do not have the value wanted. `wanted` is as the schema reads it, so that a blank or a
 * slash too many is no difference; what it leaves out is left alone.
 */
export function differingMembers(
  wanted: Readonly<Record<string, unknown>>,
  present: Readonly<Record<string, unknown>>,
): Record<string, Difference> {
  return Object.fromEntries(
    Object.entries(wanted)
      .filter(([name, value]) => value !== undefined && !isSame(value, present[name]))
      .map(([name, value]) => [name, [present[name] ?? null, value]]),
  )
}

/** Members of one side alone are the same as absent ones where they say nothing: off, empty or null. */
function isSame(wanted: unknown, present: unknown): boolean {
  if (isNothing(wanted) && isNothing(present)) return true
  if (isSet(wanted) && isSet(present)) return new Set(wanted).symmetricDifference(new Set(present)).size === 0
  if (Array.isArray(wanted) && Array.isArray(present))
    return wanted.length === present.length && wanted.every((each, index) => isSame(each, present[index]))
  if (isObject(wanted) && isObject(present))
    return [...new Set([...Object.keys(wanted), ...Object.keys(present)])].every((name) =>
      isSame(wanted[name], present[name]),
    )
  // A time is read into milliseconds and shown as ISO 8601.
  if (typeof wanted === "number" && typeof present === "string") return wanted === Date.parse(present)
  return wanted === present
}

/** The order of texts says nothing: of addresses, events, patterns. */
function isSet(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string")
}

function isNothing(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === false ||
    value === "" ||
    (Array.isArray(value) && value.length === 0)
  )
}
