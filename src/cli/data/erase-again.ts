import { existsSync } from "node:fs"
import { openApp } from "../../app.ts"
import { hourMs } from "../../base/clock.ts"
import { Refusal, UsageError } from "../../base/errors.ts"
import { type Config, readConfig } from "../../config/config.ts"
import { eraseResponses } from "../../forms/responses/erase.ts"
import {
  journalLimits,
  journalPath,
  readErasures,
  readSharedErasures,
} from "../../forms/responses/erasure-journal.ts"
import { openSharedLog } from "../../storage/open-store.ts"
import { defineCommand, json } from "../kit/command.ts"

export const eraseAgain = defineCommand({
  about: "erases again what was erased since a copy of the database was made",
  details:
    "For a PostgreSQL database that was restored: guichet restore does the same for SQLite. Reads the journal in the object store, and the file erasures.jsonl of this node.",
  options: {
    since: { value: "DATE", about: "reads the store's journal from that day on: the day of the copy" },
    journal: { value: "FILE", about: "erasures.jsonl of another node; may be repeated", repeatable: true },
    json,
  },
  async run({ options, environment }) {
    const config = readConfig(environment)
    const ids = await erasedSince(config, parseSince(options.since), options.journal ?? [])
    await using app = await openApp(config)
    const erased = await eraseResponses(app, [...ids])
    return {
      json: { listed: ids.size, erased },
      text: `${ids.size} erasures listed, ${erased} responses erased again`,
    }
  },
})

async function erasedSince(config: Config, sinceMs: number, journals: readonly string[]) {
  for (const path of journals)
    if (!existsSync(path)) throw new Refusal("not_found", "", { reason: `there is no file ${path}` })
  const own = [config.backup.dir, config.dataDir].filter((folder) => folder !== undefined).map(journalPath)
  const ids = new Set([...own, ...journals].flatMap(readErasures))
  const shared = openSharedLog(config, journalLimits)
  if (shared)
    for (const id of await readSharedErasures(shared, sinceMs, new AbortController().signal)) ids.add(id)
  return ids
}

/** An erasure is noted shortly before it can be seen: an hour more is read. */
function parseSince(date: string | undefined): number {
  const ms = date === undefined ? hourMs : Date.parse(date)
  if (Number.isNaN(ms)) throw new UsageError("--since is a date such as 2026-11-20")
  return ms - hourMs
}
