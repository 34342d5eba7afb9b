import { insertProject, type Project } from "../../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../../src/accounts/workspace.ts"
import type { ModelLimits } from "../../../src/answering/llm/limits.ts"
import { openApp } from "../../../src/app.ts"
import { demo, indexedProject, indexFolder, origin, type Site } from "../ask.ts"
import { movableClock } from "../clock.ts"
import { configOf, type Part, temporaryFolder } from "../service.ts"
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

/** For `aService().withModel()`. */
export function model(
  provider: ProviderName,
  behaviour: Behaviour = honest,
  limits: Partial<ModelLimits> = {},
  documentation: string = demo,
): Part<ModelSite> {
  return async (plan) => {
    const server = startModelServer(provider, behaviour)
    plan.settings = {
      GUICHET_LOG_LEVEL: "info",
      GUICHET_EMBEDDING: "provider",
      ...server.environment,
      ...plan.settings,
    }
    plan.overrides = { modelLimits: { ...shortPauses, ...limits }, ...plan.overrides }
    const addSite = await indexedProject({}, undefined, preparedSite(provider, documentation))(plan)
    return async (service) => {
      // Ends before the service does, which waits for nothing then.
      plan.resources.use(server)
      const site = await addSite(service)
      const log: LogLine[] = []
      const write = process.stderr.write
      plan.resources.defer(() => {
        process.stderr.write = write
      })
      process.stderr.write = (line: string | Uint8Array) => {
        for (const text of String(line).split("\n")) if (text.startsWith("{")) log.push(JSON.parse(text))
        return true
      }
      return { ...site, server, log }
    }
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
  const folder = shared(temporaryFolder)
  await using server = startModelServer(provider)
  const config = {
    ...server.environment,
    GUICHET_EMBEDDING: "provider",
    GUICHET_DATA_DIR: folder.path,
    GUICHET_LOG_LEVEL: "error",
  }
  await using app = await openApp(await configOf(config), { clock: movableClock() })
  const wanted = { name: "Guide", site: origin }
  const project = await insertProject(app.db, await defaultWorkspaceId(app.db), wanted, app.clock.now())
  await indexFolder(app, project, documentation)
  return { path: folder.path, project }
}
