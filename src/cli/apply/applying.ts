import type { TObject } from "@sinclair/typebox"
import { type Explanation, Refusal } from "../../base/errors.ts"
import { fieldsOf } from "../../http/record/fields.ts"
import { type GivenHeader, sealHeaders } from "../../http/record/own-headers.ts"
import { inEnglish } from "../../wording/english.ts"
import { type Difference, differingMembers } from "./difference.ts"

/** A project, form, feed or endpoint that the file describes. */
export interface Declared {
  kind: "project" | "widget" | "feed" | "form" | "endpoint"
  /** The name that it is found by, behind its project's. */
  name: string
  at: string
  wanted: Record<string, unknown>
  present: { id: string; record: Record<string, unknown> } | undefined
  schema: { added: TObject; changed: TObject }
  /** Throws Refusal for what a schema cannot say. Resolves to the members that are stored otherwise. */
  judge?(read: Record<string, unknown>): Promise<Record<string, unknown> | undefined>
  add(): Promise<Made>
  change(): Promise<unknown>
}

interface Made {
  id: string
  /** Shown this once. */
  secret?: string
}

/** Something that was done, or would be. */
export interface Change extends Partial<Made> {
  action: "added" | "changed"
  kind: Declared["kind"]
  name: string
  members?: Record<string, Difference>
}

export interface Applying {
  changes: Change[]
  unchanged: number
  /** By place in the file. A trial collects them all; what is done ends at the first. */
  faults: Record<string, Explanation>
}

/**
 * Compares one thing with what there is, and does what is missing, or in a trial only judges it. Resolves to its id;
 * undefined for one that a trial would add. Throws Refusal with the place in the file.
 */
export async function applyOne(
  declared: Declared,
  applying: Applying,
  { isTrial, timezone }: { isTrial: boolean; timezone: string },
): Promise<string | undefined> {
  const { kind, name, at, wanted, present, schema } = declared
  try {
    const read = fieldsOf(wanted, present ? schema.changed : schema.added, timezone) as Record<
      string,
      unknown
    >
    requireHeaderValues(read, present?.record)
    const stored = await declared.judge?.(read)
    if (!present) {
      const { id, secret }: Partial<Made> = isTrial ? {} : await declared.add()
      applying.changes.push({ action: "added", kind, name, ...(id && { id }), ...(secret && { secret }) })
      return id
    }
    const members = differingMembers({ ...read, ...stored }, present.record)
    // Secret values are never shown, so they cannot be compared: they are set each time.
    for (const secret of ["headers", "token"]) if (secret in wanted) members[secret] = ["…", "…"]
    if (Object.keys(members).length === 0) applying.unchanged++
    else {
      if (!isTrial) await declared.change()
      applying.changes.push({ action: "changed", kind, name, id: present.id, members })
    }
    return present.id
  } catch (error) {
    const faults = faultsAt(at, error)
    Object.assign(applying.faults, faults)
    if (!isTrial) throw faultsRefusal(applying, applying.changes)
    return present?.id
  }
}

/** Throws Refusal as the storing will. */
function requireHeaderValues(read: Record<string, unknown>, present: Record<string, unknown> = {}): void {
  const headers = read["headers"] as GivenHeader[] | undefined
  const stored = ((present["headers"] ?? []) as GivenHeader[]).map(({ name }) => ({ name, sealed: "" }))
  const whose = { purpose: "", invalid: "requests.wrongFields" }
  if (headers) sealHeaders({ seal: () => "" }, whose, headers, JSON.stringify(stored))
}

/** Names every fault with its place, and what was done before. */
export function faultsRefusal({ faults }: Applying, done: readonly Change[] = []): Refusal {
  const lines = Object.entries(faults).map(([at, fault]) => `${at}: ${inEnglish(fault)}`)
  const before = done.length > 0 ? [`done before: ${done.map(({ name }) => name).join(", ")}`] : []
  return new Refusal("invalid_request", "", { reason: [...lines, ...before].join("\n") })
}

/** Throws anything else than a Refusal again. */
function faultsAt(at: string, error: unknown): Record<string, Explanation> {
  if (!(error instanceof Refusal)) throw error
  const { fields = {}, reason, detail } = error
  const inner = Object.entries(fields).map(([name, told]) => [`${at}.${name}`, told] as const)
  return inner.length > 0 ? Object.fromEntries(inner) : { [at]: reason ?? detail }
}
