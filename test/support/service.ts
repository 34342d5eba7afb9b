import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type App, openApp } from "../../src/app.ts"
import type { Overrides } from "../../src/app-parts.ts"
import { type Config, readConfig } from "../../src/config/config.ts"
import { databasePath } from "../../src/db/sqlite/connection.ts"
import { migrate } from "../../src/db/sqlite/migrate.ts"
import { childRunner, type RunChild } from "../../src/host/child-process.ts"
import type { Route } from "../../src/http/routes.ts"
import type { AnyOperation } from "../../src/operations/operation.ts"
import { startJobs } from "../../src/scheduled-jobs.ts"
import { startServer } from "../../src/server.ts"
import type { Dispatcher } from "../../src/webhooks/delivery/dispatcher.ts"
import { program } from "./bundle.ts"
import type { MovableClock } from "./clock.ts"
import { mustEnd } from "./leaks.ts"
import { databaseSettings, dropDatabase, engine } from "./postgres.ts"
import { shared } from "./shared.ts"

/** A running service on a free loopback port, in a folder of its own that goes with it. */
export interface Service extends AsyncDisposable {
  app: App
  url: string
  dispatcher: Dispatcher
  /** The tables of the faces. */
  table: readonly Route[]
  /** Their addresses, such as `GET /api/v1/projects/:id`. */
  routes: string[]
  /** Their lines that perform an operation. */
  performing: (Route & { operation: AnyOperation })[]
  /** Ends what the service does by itself, as a stop does; requests are still answered. */
  stopWork(): Promise<void>
  /** Itself, for `const { service, ask } = site`. */
  service: Service
}

/** How a service will be started. Parts add to it, and leave alone what the test has set. */
export interface ServicePlan {
  settings: Record<string, string>
  overrides: Overrides
  /** Stands still; undefined as long as nothing needs such a clock. */
  clock?: MovableClock
  dataDir: string
  /** Disposed of after the service, unless it is added once the service runs. */
  resources: AsyncDisposableStack
}

/** A thing that services are started with: adds to the plan, then to the running service. */
export type Part<Added extends Service> = (
  plan: ServicePlan,
) => Promise<(service: Service) => Promise<Omit<Added, keyof Service>>>

/** The settings of these variables, on the engine of this run. */
export async function configOf(environment: Record<string, string | undefined>): Promise<Config> {
  return readConfig({ ...(await databaseSettings(environment["GUICHET_DATA_DIR"])), ...environment })
}

let emptyDatabase: string | undefined

/** A database with its tables, made once for all tests of a process: making them takes a third of a start. */
function copyEmptyDatabase(dataDir: string): void {
  if (emptyDatabase === undefined) {
    const { path } = shared(temporaryFolder)
    migrate(path)
    emptyDatabase = databasePath(path)
  }
  mkdirSync(dataDir, { recursive: true, mode: 0o700 })
  copyFileSync(emptyDatabase, databasePath(dataDir))
}

/** For `aService()`, which tests call. */
export async function startService({ settings, overrides, clock, dataDir }: ServicePlan): Promise<Service> {
  const isOnSqlite = engine === "sqlite" && !settings["GUICHET_DATABASE_URL"]
  if (isOnSqlite && !existsSync(databasePath(dataDir))) copyEmptyDatabase(dataDir)
  const config = await configOf({
    GUICHET_DATA_DIR: dataDir,
    GUICHET_PORT: "0",
    GUICHET_LOG_LEVEL: "error",
    // Words alone find passages unless a test asks for more: a model takes a second for each documentation.
    GUICHET_EMBEDDING: "none",
    // However full the disk of the machine is.
    GUICHET_MIN_FREE_DISK: "0",
    ...settings,
  })
  const runChild: RunChild = async (argv, signal, limits) => {
    return childRunner(config.secrets.environment, [process.execPath, await program()])(argv, signal, limits)
  }
  const app = await openApp(config, { runChild, ...(clock && { clock }), ...overrides })
  const work = app.work()
  const server = startServer(app)
  const jobs = await startJobs(app)
  const service: Service = {
    app,
    url: server.url,
    table: server.routes,
    routes: server.routes.map(({ method, path }) => `${method} ${path}`),
    performing: server.routes.flatMap((route) =>
      route.operation ? [{ ...route, operation: route.operation as AnyOperation }] : [],
    ),
    dispatcher: work.dispatcher,
    stopWork: async () => work[Symbol.asyncDispose](),
    get service() {
      return service
    },
    async [Symbol.asyncDispose]() {
      await jobs[Symbol.asyncDispose]()
      await server[Symbol.asyncDispose]()
      await work[Symbol.asyncDispose]()
      await app[Symbol.asyncDispose]()
    },
  }
  return service
}

export interface TemporaryFolder extends Disposable {
  path: string
}

export function temporaryFolder(): TemporaryFolder {
  const path = mkdtempSync(join(tmpdir(), "guichet-test-"))
  const ended = mustEnd("a temporary folder")
  return {
    path,
    [Symbol.dispose]() {
      dropDatabase(path)
      rmSync(path, { recursive: true, force: true })
      ended()
    },
  }
}
