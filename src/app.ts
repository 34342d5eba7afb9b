import type { Assistant } from "./assistant/ask.ts"
import { extractive } from "./assistant/extract.ts"
import { answerTimeoutMs } from "./assistant/outcome.ts"
import { type Clock, systemClock } from "./clock.ts"
import type { Config } from "./config.ts"
import { type Db, openConnection } from "./db/connection.ts"
import { migrate } from "./db/migrate.ts"
import { type Log, startLog } from "./log.ts"
import { openVault, type Vault } from "./vault.ts"
import { type Outbound, type OutboundOverrides, openOutbound } from "./webhooks/outbound.ts"
import { ensureDefaultWorkspace } from "./workspaces/workspace.ts"

/** The running parts of the program. Disposing of it stops them and closes the database. */
export interface App extends AsyncDisposable {
  config: Config
  clock: Clock
  log: Log
  db: Db
  vault: Vault
  outbound: Outbound
  assistant: Assistant
  /** False when the database cannot be written to. */
  writable(): Promise<boolean>
}

/** What a test replaces: nothing else differs between a test and the service. */
export interface Overrides {
  clock?: Clock
  assistant?: Partial<Assistant>
  outbound?: OutboundOverrides
}

/** The one place where the program is put together. Used by every command and every test. */
export async function openApp(config: Config, overrides: Overrides = {}): Promise<App> {
  const log = startLog(config.logLevel)
  const clock = overrides.clock ?? systemClock
  const migrated = migrate(config.dataDir)
  if (migrated.from !== migrated.to) log.info("database migrated", { ...migrated })
  const connection = openConnection(config.dataDir)
  const vault = openVault(config.dataDir, config.secrets.key)
  await ensureDefaultWorkspace(connection.db, clock.now())

  const assistant: Assistant = {
    db: connection.db,
    clock,
    vault,
    timezone: config.timezone,
    limits: config.ask,
    answerer: extractive,
    answerTimeoutMs,
    liveIndex: async () => undefined,
    ...overrides.assistant,
  }
  const outbound = openOutbound(config.webhook, config.publicUrl, clock, log, overrides.outbound)

  return {
    config,
    clock,
    log,
    db: connection.db,
    vault,
    assistant,
    outbound,
    writable: connection.writable,
    async [Symbol.asyncDispose]() {
      await connection[Symbol.asyncDispose]()
    },
  }
}
