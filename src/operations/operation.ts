import type { Static, TObject } from "@sinclair/typebox"
import type { Db } from "../db/connection.ts"
import type { Action, Actor } from "./audit-log.ts"
import type { Right, Scope } from "./scope.ts"

/**
 * Something that can be done, said once. Domains declare operations; a face performs them by a row that says where
 * they are found and what is replied.
 */
export interface Operation<Deps, Schema extends TObject | undefined, Result, Found = unknown> {
  /** The entry of the audit log once it is done; null for what leaves nothing to look up. */
  audit: Action | null
  /** Scopes that a caller holds, the area's first. An operator's role stands for some (`roleScopes`). */
  needs: readonly [Scope, ...Right[]]
  /** The fields that a caller gives. Every face's are read by it. */
  input?: Schema
  /** The schema where it depends on what is given, which `input` describes as a whole. */
  inputFor?(given: Record<string, unknown>): TObject
  /** `run` reads the fields by the schema itself, with what else it finds wrong, so that all is told at once. */
  judgesInput?: boolean
  /**
   * Whether `run` does nothing but read and write by its `db`, which is one transaction then: the entry of
   * the audit log is written in it, so that neither is there without the other. Only for work of a moment: on
   * SQLite nobody else writes meanwhile.
   */
  isOneTransaction?: boolean
  /** Whether it may take minutes, for the reply to be waited for. */
  isLong?: boolean
  /** The thing that the address names, for `run` and `subject`. Throws Refusal `not_found`. */
  find?(deps: { db: Db }, call: Address): Promise<Found>
  /** Throws Refusal; what it has done by then is undone. */
  run(deps: Deps, call: Call<Schema>, found: Found): Promise<Result>
  /** The thing that it was done to, which the audit log names. */
  subject(result: Result, call: Call<Schema>, found: Found): Subject
}

export interface Call<Schema extends TObject | undefined = TObject | undefined> {
  workspaceId: string
  /** By noun, the ids that the address names: `{ endpoint: "ep_…" }`. */
  ids: Readonly<Record<string, string>>
  input: Schema extends TObject ? Static<Schema> : undefined
  caller: Caller
}

/** The part of a call that finds the thing it is about. */
export type Address = Omit<Call, "input">

/** Who performs an operation, through which face. */
export interface Caller extends Actor {
  workspaceId: string
  /** As scopes, those of a token or of a role. */
  held: readonly string[]
  /** By which they do so; absent for a command. */
  request?: Request
  browser?: string | undefined
  /** Aborted once the reply is waited for no longer. */
  signal: AbortSignal
}

/** Never contains anything that a visitor wrote. */
export interface Subject {
  id: string | null
  name?: string | null
  /** Whose audit log is told, unless it is the caller's workspace. */
  workspaceId?: string
  /** The project that it belongs to, unless the address names it. */
  projectId?: string | null
}

/** The part of an operation that is the same for all. */
export type AnyOperation = Pick<
  Operation<unknown, undefined, unknown>,
  "audit" | "needs" | "isLong" | "isOneTransaction"
>

export function operation<Deps, Result, Schema extends TObject | undefined = undefined>(
  declared: Operation<Deps, Schema, Result>,
): Operation<Deps, Schema, Result> {
  return declared
}

/** Gives its types to an operation of a kind of thing, which is given the one that the address names. */
export function operationsOf<Found>(
  find: (deps: { db: Db }, call: Address) => Promise<Found>,
  subject: (found: Found) => Subject,
) {
  return <Deps, Result, Schema extends TObject | undefined = undefined>(
    declared: OperationOf<Deps, Schema, Result, Found>,
  ): Operation<Deps, Schema, Result> => ({
    find,
    subject: (_, __, found) => subject(found as Found),
    ...declared,
  })
}

/** Its subject is the thing itself unless it says another. */
type OperationOf<Deps, Schema extends TObject | undefined, Result, Found> = Omit<
  Operation<Deps, Schema, Result, Found>,
  "find" | "subject"
> &
  Partial<Pick<Operation<Deps, Schema, Result, Found>, "subject">>

/** Id of the thing of that noun. The face's address has it: its absence is a defect. */
export function idOf({ ids }: Pick<Call, "ids">, noun: string): string {
  const id = ids[noun]
  if (id === undefined) throw new Error(`the address names no ${noun}`)
  return id
}
