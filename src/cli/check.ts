import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { openApp } from "../app.ts"
import { type Explanation, Refusal } from "../base/errors.ts"
import { type Config, readConfig } from "../config/config.ts"
import type { Environment } from "../config/parse.ts"
import { explainError as explainPostgres } from "../db/postgres/explain-error.ts"
import { explainError as explainSqlite } from "../db/sqlite/explain-error.ts"
import type { Check } from "../ops/checks/check.ts"
import { runChecks } from "../ops/checks/checks.ts"
import { inEnglish } from "../wording/english.ts"
import { defineCommand, json } from "./kit/command.ts"
import { requireData } from "./kit/open.ts"
import { checkReady } from "./kit/ready.ts"

export const check = defineCommand({
  about: "checks everything that the service needs; exits 1 when a check failed",
  details:
    "Looks at the database, the index, the object store, the disk, the backups, the clock, the DNS, the mail server, the model, the certificate authorities, the public address, the proxies and the deliveries that are due.",
  options: {
    ready: { about: "only asks the running service whether it is ready, as a container engine does" },
    json,
  },
  async run({ options, environment }) {
    if (options.ready) return { code: await checkReady(environment, options.json === true) }
    const results = await findings(environment)
    const checks = results.map((check) => ({ ...check, detail: inEnglish(check.detail) }))
    return {
      json: { checks },
      text: checks.map(({ name, state, detail }) => `${state.padEnd(8)}${name}: ${detail}`),
      code: checks.some(({ state }) => state === "failed") ? 1 : 0,
    }
  },
})

async function findings(environment: Environment): Promise<Check[]> {
  const config = readConfig(environment)
  requireData(config)
  let away: Explanation
  try {
    await using app = await openApp(config)
    return await runChecks(app, { wholeDatabase: true })
  } catch (error) {
    away = failureReason(explainPostgres(explainSqlite(error, "the database")))
  }
  return await findingsWithout(config, away)
}

function failureReason(error: unknown): Explanation {
  if (error instanceof Refusal) return error.reason
  return error instanceof Error ? (error.message.split("\n")[0] as string) : String(error)
}

/** Looks at everything but the database, beside an empty one that goes afterwards. */
async function findingsWithout(config: Config, away: Explanation): Promise<Check[]> {
  const dataDir = mkdtempSync(join(tmpdir(), "guichet-check-"))
  try {
    const secrets = { ...config.secrets, database: undefined }
    await using app = await openApp({ ...config, dataDir, secrets, logLevel: "error" })
    return await runChecks({ ...app, config }, { wholeDatabase: false, away })
  } finally {
    rmSync(dataDir, { recursive: true, force: true })
  }
}
