import { cpSync } from "node:fs"
import { addProject, type Project } from "../../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../../src/accounts/workspace.ts"
import { type Overrides, openApp } from "../../../src/app.ts"
import type { ModelLimits } from "../../../src/assistant/llm/limits.ts"
import { readConfig } from "../../../src/config/config.ts"
import { demo, indexFolder, origin, type Site, startSite } from "../ask.ts"
import { movableClock } from "../clock.ts"
import { temporaryFolder } from "../service.ts"
import { shared } from "../shared.ts"
import { type Behaviour, honest } from "./behaviour.ts"
import { type ModelServer, type ProviderName, startModelServer } from "./server.ts"

/** A site whose answers a model writes. */
export interface ModelSite extends Site {
  server: ModelServer
  /** Lines of the log since the start. */
  log: LogLine[]
}

export interface LogLine {
  level: string
  message: string
  reason?: string
  code?: string
}

/**
 * Tries follow at once. What a model is waited for is as served: a slow machine turns no answer into a
 * failure.
 */
export const shortPauses: Partial<ModelLimits> = { retryPauseMs: 5, embeddingPauseMs: 1 }

export async function startModelSite(
  provider: ProviderName,
  behaviour: Behaviour = honest,
  environment: Record<string, string> = {},
  limits: Partial<ModelLimits> = {},
  overrides: Overrides = {},
  documentation: string = demo,
): Promise<ModelSite> {
  const prepared = await preparedSite(provider, documentation)
  const folder = temporaryFolder()
  cpSync(prepared.path, folder.path, { recursive: true, preserveTimestamps: true })
  const server = startModelServer(provider, behaviour)
  const log: LogLine[] = []
  const write = process.stderr.write
  const site = await startSite(
    { GUICHET_LOG_LEVEL: "info", ...server.environment, ...environment, GUICHET_DATA_DIR: folder.path },
    {},
    { modelLimits: { ...shortPauses, ...limits }, ...overrides },
    prepared.project,
  )
  process.stderr.write = (line: string | Uint8Array) => {
    for (const text of String(line).split("\n")) if (text.startsWith("{")) log.push(JSON.parse(text))
    return true
  }
  return {
    ...site,
    server,
    log,
    async [Symbol.asyncDispose]() {
      process.stderr.write = write
      await server[Symbol.asyncDispose]()
      await site[Symbol.asyncDispose]()
      folder[Symbol.dispose]()
    },
  }
}

const prepared = new Map<string, Promise<{ path: string; project: Project }>>()

/** Indexed once for all tests of a process, vectors included. */
function preparedSite(provider: ProviderName, documentation: string) {
  const id = `${provider} ${documentation}`
  const site = prepared.get(id) ?? prepare(provider, documentation)
  prepared.set(id, site)
  return site
}

async function prepare(provider: ProviderName, documentation: string) {
  const folder = shared(temporaryFolder())
  await using server = startModelServer(provider)
  const config = { ...server.environment, GUICHET_DATA_DIR: folder.path, GUICHET_LOG_LEVEL: "error" }
  await using app = await openApp(readConfig(config), { clock: movableClock() })
  const wanted = { name: "Guide", site: origin }
  const project = await addProject(app.db, await defaultWorkspaceId(app.db), wanted, app.clock.now())
  await indexFolder(app, project, documentation)
  return { path: folder.path, project }
}
