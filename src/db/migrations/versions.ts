import { UsageError } from "../../base/errors.ts"
import type { Engine } from "../words.ts"
import {
  provenAddresses,
  rolesOfGroups,
  sharesAndWaits,
  unfinishedWorkspaces,
} from "./1036-workspaces-and-operators.ts"
import { settingsOfFeeds } from "./1040-settings-of-feeds.ts"
import { arithmetics, thresholds } from "./1041-thresholds-and-nodes.ts"
import { prefilledForms } from "./1043-prefilled-forms.ts"
import { createDatabase } from "./create.ts"

/** How a database comes to this program's version: a new one at once, an existing one step by step. */
export interface Versions {
  /** The version of a new database, to which the last step leads. */
  current: number
  /** SQL that makes a new database. */
  create: string
  /** In order, each from where the one before ends. */
  steps: readonly Step[]
}

export interface Step {
  from: number
  to: number
  sql: string
}

/** SQL that makes of an existing database what the tables now declare. */
export type Migration = (engine: Engine) => string

/** In order. A file is named after the version that its first one leads to; a published one is never edited. */
const migrations: readonly Migration[] = [
  sharesAndWaits,
  unfinishedWorkspaces,
  rolesOfGroups,
  provenAddresses,
  settingsOfFeeds,
  thresholds,
  arithmetics,
  prefilledForms,
]

/** The oldest version that this program opens, as commit 5f940d96 wrote it; each migration leads to the next one. */
const firstVersion = 1035
const firstProgram = "Guichet 0.1.0 of 28 November 2026 (commit 5f940d96)"

export const versions: Readonly<Record<Engine, Versions>> = {
  sqlite: versionsForEngine("sqlite"),
  postgres: versionsForEngine("postgres"),
}

function versionsForEngine(engine: Engine): Versions {
  return {
    current: firstVersion + migrations.length,
    create: createDatabase(engine),
    steps: migrations.map((migration, index) => ({
      from: firstVersion + index,
      to: firstVersion + index + 1,
      sql: migration(engine),
    })),
  }
}

/**
 * The steps from a version on; 0: a database without tables. Throws UsageError for a database of a
 * newer program, and of one so old that no step begins there.
 */
export function stepsFrom({ current, create, steps }: Versions, version: number, database: string): Step[] {
  requireKnown(version, current, database)
  if (version === current) return []
  if (version === 0) return [{ from: 0, to: current, sql: create }]
  const first = steps.findIndex(({ from }) => from === version)
  if (first < 0)
    throw new UsageError(
      `${database} is too old (database version ${version}) and was left as it is: open it first with ${firstProgram}, which brings it to version ${firstVersion}, then with this program`,
    )
  return steps.slice(first)
}

/** Throws UsageError for a database that is later than `current`. */
export function requireKnown(version: number, current: number, database: string): void {
  if (version > current)
    throw new UsageError(
      `${database} was written by a newer Guichet (database version ${version}, this program knows ${current}): install that version again, or restore an older backup`,
    )
}
