import type { Role } from "../db/tables/operators.ts"

/** The parts of a workspace that a token may be limited to. */
export const areas = ["projects", "answers", "forms", "endpoints", "messages", "workspace"] as const
export type Area = (typeof areas)[number]
export type Access = "read" | "write"
export type Scope = `${Area}:${Access}`

/** What a token may be allowed in an area: every scope opens at least one route. */
export function accessesOf(area: Area): readonly Access[] {
  // Messages are polled, and nothing else.
  return area === "messages" ? ["read"] : ["read", "write"]
}

export const everyScope = "all"
export type Right = Scope | typeof everyScope

export const scopes: readonly string[] = [
  everyScope,
  ...areas.flatMap((area) => accessesOf(area).map((access) => `${area}:${access}`)),
]

/** Whether the held scopes include `wanted`. Write includes read. */
export function allows(held: readonly string[], wanted: Right): boolean {
  return (
    held.includes(everyScope) || held.includes(wanted) || held.includes(wanted.replace(/:read$/, ":write"))
  )
}

export function roleScopes(role: Role): readonly string[] {
  if (role === "owner") return [everyScope]
  return areas.map((area) => {
    const isWritten = role === "editor" && area !== "workspace" && accessesOf(area).includes("write")
    return `${area}:${isWritten ? "write" : "read"}`
  })
}

/** Rights that most programs need, by what they do. */
export const presets = {
  reading: roleScopes("viewer"),
  integration: ["projects:read", "answers:read", "forms:read", "endpoints:write", "messages:read"],
  everything: [everyScope],
} satisfies Record<string, readonly string[]>

export function covers(held: readonly string[], wanted: readonly string[]): boolean {
  return wanted.every((scope) =>
    scope === everyScope ? held.includes(everyScope) : allows(held, scope as Scope),
  )
}
