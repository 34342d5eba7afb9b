import type { Role } from "../db/tables/operators.ts"

/** The parts of a workspace that a token may be limited to. */
export const areas = ["projects", "answers", "forms", "endpoints", "workspace"] as const
export type Area = (typeof areas)[number]
export type Scope = `${Area}:${"read" | "write"}`

/** What a token without narrower scopes may do. */
export const everyScope = "all"

/** Every scope a token may have. */
export const scopes: readonly string[] = [
  everyScope,
  ...areas.flatMap((area) => [`${area}:read`, `${area}:write`]),
]

/** What a request to an area needs: to read for GET and HEAD, to write for the rest. */
export function scopeFor(area: Area, method: string): Scope {
  return `${area}:${method === "GET" || method === "HEAD" ? "read" : "write"}`
}

/** Whoever may write an area may read it. */
export function allows(held: readonly string[], wanted: Scope): boolean {
  return (
    held.includes(everyScope) || held.includes(wanted) || held.includes(wanted.replace(/:read$/, ":write"))
  )
}

/** What an operator may do in the console, as scopes. */
export function scopesOf(role: Role): readonly string[] {
  if (role === "owner") return [everyScope]
  return areas.map((area) => `${area}:${role === "editor" && area !== "workspace" ? "write" : "read"}`)
}

/** Whether whoever holds some scopes may hand out others: never more than their own. */
export function covers(held: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((scope) =>
    scope === everyScope ? held.includes(everyScope) : allows(held, scope as Scope),
  )
}
