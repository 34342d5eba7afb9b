import { lookup } from "node:dns/promises"
import { Elysia } from "elysia"
import { apiRoutes } from "./api/routes.ts"
import type { App } from "./app.ts"
import { hourMs, secondMs } from "./base/clock.ts"
import { detail, Refusal, UsageError } from "./base/errors.ts"
import type { Log } from "./base/log.ts"
import { seeOther } from "./console/kit/reply.ts"
import { ownIdsReader } from "./console/kit/session/own-ids.ts"
import { consoleRoutes } from "./console/routes.ts"
import { markRun } from "./db/job-run.ts"
import { rememberPeer, untrustedForwarding } from "./http/client.ts"
import { openToPages } from "./http/cors.ts"
import { idleSeconds, rememberServer } from "./http/extend-timeout.ts"
import { answerProbe, healthRoutes, openProbes, type Probes } from "./http/health.ts"
import { hostInUrl } from "./http/host.ts"
import { closing, openPipelines } from "./http/pipelined.ts"
import { replyLanguage } from "./http/reply-language.ts"
import { requestIds } from "./http/request-id.ts"
import { mount, openRoutes, type Route } from "./http/routes.ts"
import { untrustedForwardingSeen } from "./ops/checks/data.ts"
import { visitorRoutes } from "./visitors/routes.ts"
import { badTarget, defectReply, errorReplies, errorReply, loggable } from "./wording/error-replies.ts"

export type Handler = (request: Request, server: Bun.Server<undefined>) => Response | Promise<Response>

/** An address that is listened on. Disposing of it lets running requests finish and frees the address. */
export interface Listener extends AsyncDisposable {
  /** `http://127.0.0.1:3000` */
  url: string
  port: number
  /** Has the requests that come from now on answered by another handler. */
  answerWith(handler: Handler): void
}

export interface RunningServer extends AsyncDisposable {
  /** `http://127.0.0.1:3000` */
  url: string
  port: number
  /** Makes `/readyz` answer 503, so that a load balancer sends no new requests. Requests are still answered. */
  refuseReadiness(): void
  /** Every route, as it is in the tables of the faces. */
  routes: readonly Route[]
}

/** On a stop, connections of clients that do not finish their request are closed after this time. */
const drainMs = 3 * secondMs

/**
 * No limit here, because Bun answers a larger body with a bare 413 before any route sees it. Every route
 * limits the body that it reads.
 */
const maxBodyBytes = Number.MAX_SAFE_INTEGER
const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"]

/** Every route: each face has a table of its own. `site` holds further pages, those of the demo. */
function allRoutes(app: App, probes: Probes, site: readonly Route[] | undefined): Route[] {
  const routes: Route[] = [
    ...healthRoutes(probes),
    ...apiRoutes(app, { routes: () => routes, ownIds: ownIdsReader(app) }),
    ...visitorRoutes(app),
    ...consoleRoutes(app),
    ...(site ?? openRoutes({ "GET /": ["anyone", () => seeOther("/console")] })),
  ]
  return routes
}

/** Error replies first: they cover what is mounted after them. */
function mounted(app: App, routes: readonly Route[]) {
  const elysia = new Elysia()
  const { router } = elysia
  /** Ignores a final slash, as the router does. */
  const allowedMethods = (requested: string) => {
    const path = requested.replace(/(?<=.)\/$/, "")
    return methods.filter(
      (method) => router.static[path]?.[method] !== undefined || router.http.find(method, path),
    )
  }
  elysia.use(requestIds())
  elysia.use(openToPages())
  elysia.use(errorReplies(app, allowedMethods))
  mount(elysia, routes)
  return elysia.compile()
}

const noAddress = "the address to listen on is not one: set GUICHET_HOST"

/** Throws UsageError for a name without an address: of that, Bun tells whatever error its process saw last. */
export async function requireAddress(host: string): Promise<void> {
  await lookup(host).catch((error: NodeJS.ErrnoException) => {
    if (/ENOTFOUND|ENODATA|EINVAL/.test(error.code ?? "")) throw new UsageError(noAddress, { cause: error })
    // A name server that is away is waited for, by trying to listen.
  })
}

/**
 * Listens, and has every request answered by `handler` until it is given another one. Throws Refusal `unavailable` when
 * the address is taken or not this machine's, UsageError when it can never be listened on.
 */
export function openListener(
  { host, port }: { host: string; port: number },
  log: Log,
  handler: Handler,
): Listener {
  let answer = handler
  const server = listen({
    hostname: host,
    port,
    // With port reuse a second service would share the port without an error.
    reusePort: false,
    maxRequestBodySize: maxBodyBytes,
    idleTimeout: idleSeconds,
    // In development mode Bun shows visitors a page with the code around an uncaught error.
    development: false,
    error: (error) => defectReply(error, log),
    fetch: (request, server) => answer(request, server),
  })
  return {
    url: `http://${hostInUrl(server.hostname as string)}:${server.port}`,
    port: server.port as number,
    answerWith(handler) {
      answer = handler
    },
    async [Symbol.asyncDispose]() {
      const timer = setTimeout(() => void server.stop(true), drainMs)
      await server.stop()
      clearTimeout(timer)
    },
  }
}

/** Answers everything with the usual error, which pages of other sites may read, while nothing is open yet. */
export function notYet(): Handler {
  const unavailable = new Refusal("unavailable", detail("requests.unavailable"), { retryAfterSeconds: 5 })
  const elysia = new Elysia()
    .use(requestIds())
    .use(openToPages())
    .all("/*", ({ request }) => errorReply(unavailable, replyLanguage(request)))
  return (request) => badTarget(request) ?? elysia.fetch(request)
}

/**
 * Answers requests, at the address of a listener or at one of its own. Disposing of it lets running requests finish and
 * frees the address. Throws as `openListener`.
 */
export function startServer(
  app: App,
  site?: readonly Route[],
  listener: Listener = openListener(app.config, app.log, notYet()),
): RunningServer {
  let stopping = false
  const probes = openProbes({ writable: app.writable, stopping: () => stopping })
  const routes = allRoutes(app, probes, site)
  const elysia = mounted(app, routes)
  const watchForwarding = untrustedForwarding(app.config.trustedProxies, hourMs, (peer, isFirst) => {
    if (isFirst)
      app.log.warning("X-Forwarded-For is not believed: GUICHET_TRUSTED_PROXIES does not name its sender", {
        ...(peer && { peer }),
      })
    markRun(app.db, untrustedForwardingSeen, app.clock.now()).catch(() => {})
  })
  const httpLog = app.log.getChild("http")
  const isLastOfTurn = openPipelines()
  listener.answerWith((request, server) => {
    const early = answerProbe(request, probes) ?? badTarget(request)
    if (early) return early
    const port = rememberPeer(request, server)
    watchForwarding(request)
    rememberServer(request, server)
    const isLast = isLastOfTurn(port)
    const reply = isLast ? closing(elysia.fetch(request)) : elysia.fetch(request)
    return httpLog.isEnabledFor("debug") ? logged(httpLog, request, reply) : reply
  })
  return {
    url: listener.url,
    port: listener.port,
    refuseReadiness() {
      stopping = true
    },
    routes,
    async [Symbol.asyncDispose]() {
      stopping = true
      await listener[Symbol.asyncDispose]()
    },
  }
}

async function logged(log: Log, request: Request, reply: Response | Promise<Response>): Promise<Response> {
  const startedMs = performance.now()
  const { status } = await reply
  log.debug("request answered", {
    ...loggable(request),
    status,
    ms: Math.round(performance.now() - startedMs),
  })
  return reply
}

function listen(options: Bun.Serve.Options<undefined>) {
  try {
    return Bun.serve(options)
  } catch (error) {
    throw explainListenError(error)
  }
}

function explainListenError(error: unknown): unknown {
  const code = String((error as NodeJS.ErrnoException).code)
  const passing: Record<string, string> = {
    EADDRINUSE: "the port is taken by another program: stop it, or set GUICHET_PORT",
    EADDRNOTAVAIL: "this machine does not have the address to listen on: set GUICHET_HOST",
  }
  const lasting: Record<string, string> = {
    EINVAL: noAddress,
    ENOTFOUND: noAddress,
    EACCES: "the port is reserved for root: set GUICHET_PORT to one above 1023, and put a proxy in front",
    EPERM: "the port is reserved for root: set GUICHET_PORT to one above 1023, and put a proxy in front",
  }
  if (passing[code]) return new Refusal("unavailable", "", { reason: passing[code], cause: error })
  return lasting[code] ? new UsageError(lasting[code], { cause: error }) : error
}
