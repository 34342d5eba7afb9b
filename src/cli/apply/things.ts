import type { App } from "../../app.ts"
import type { Explanation } from "../../base/errors.ts"
import { isObject } from "../../base/names.ts"
import { nearest } from "../../http/record/unknown.ts"
import type { FormField } from "../../webhooks/endpoints/conditions.ts"
import type { Perform } from "../kit/open.ts"
import type { Declared } from "./applying.ts"

export interface Place {
  app: App
  workspaceId: string
  perform: Perform
  /** Resolves to the id; undefined for what a trial would add. */
  one(declared: Declared): Promise<string | undefined>
  faults: Record<string, Explanation>
  /** Ids of projects by name, and of forms by `project/form`; undefined for what a trial would add. */
  ids: Map<string, string | undefined>
  fields: Map<string, readonly FormField[]>
}

export interface Thing {
  /** `projects.0.forms.1.`, or empty for the file itself. */
  at: string
  members: Readonly<Record<string, unknown>>
}

/** The objects of a list that the file may leave out. A member that is no object is a fault. */
export function listIn({ faults }: Place, { at, members }: Thing, name: string): Thing[] {
  const list = members[name] ?? []
  if (!Array.isArray(list)) {
    faults[`${at}${name}`] = "give a list of objects"
    return []
  }
  return list.flatMap((each: unknown, index) => {
    const place = `${at}${name}.${index}`
    if (isObject(each)) return [{ at: `${place}.`, members: each }]
    faults[place] = "give an object"
    return []
  })
}

/** Each with the name that it is found by, which no other one of the list has. */
export function named(place: Place, things: readonly Thing[], member: string): (Thing & { name: string })[] {
  const taken = new Set<string>()
  return things.flatMap((thing) => {
    const name = thing.members[member]
    const at = `${thing.at}${member}`
    if (typeof name !== "string" || name.trim() === "") place.faults[at] = "give the name that it is found by"
    else if (taken.has(name.trim())) place.faults[at] = `another one above is named ${name}, too`
    else {
      taken.add(name.trim())
      return [{ ...thing, name: name.trim() }]
    }
    return []
  })
}

/** The item with a name. Two with the same name are a fault: the file cannot say which it means. */
export function findByName<Item>(
  { faults }: Place,
  at: string,
  items: readonly Item[],
  isMeant: (item: Item) => boolean,
): Item | undefined {
  const meant = items.filter(isMeant)
  if (meant.length > 1) faults[at] = `${meant.length} have this name: give them different ones first`
  return meant[0]
}

/** The id of a name that the file or the workspace has. Any other is a fault; what a trial would add has none yet. */
export function idNamed({ faults, ids }: Place, at: string, name: unknown): string | undefined {
  if (typeof name === "string" && ids.has(name)) return ids.get(name)
  const meant = typeof name === "string" && nearest(name, [...ids.keys()])
  faults[at] =
    `nothing is named ${typeof name === "string" ? name : JSON.stringify(name)}${meant ? `: did you mean ${meant}?` : ""}`
  return undefined
}
