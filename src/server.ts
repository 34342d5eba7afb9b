import { Elysia } from "elysia"
import type { App } from "./app.ts"
import { rememberPeer } from "./http/client.ts"
import { errorReplies } from "./http/errors.ts"
import { healthRoutes } from "./http/health.ts"
import { badHost } from "./http/host.ts"
import { projectRoutes } from "./workspaces/routes.ts"

export interface RunningServer extends AsyncDisposable {
  /** `http://127.0.0.1:3000` */
  url: string
  port: number
}

/** The largest body any route takes; a route that promises less reads it bounded itself. */
const maxBodyBytes = 1024 * 1024
const methods = ["GET", "POST", "PATCH", "DELETE"]

/** Every route of the service: errors first, then one `.use()` per file. */
function routes(app: App, stopping: () => boolean) {
  const elysia = new Elysia()
  const { router } = elysia
  const allowedMethods = (path: string) =>
    methods.filter((method) => router.static[path]?.[method] !== undefined || router.http.find(method, path))
  elysia.use(errorReplies(app.log.getChild("http"), allowedMethods))
  elysia.use(healthRoutes({ writable: app.writable, stopping }))
  elysia.use(projectRoutes(app))
  return elysia.compile()
}

/** Listens. Disposing of it lets running requests finish and frees the address. */
export function startServer(app: App): RunningServer {
  let stopping = false
  const elysia = routes(app, () => stopping)
  const server = Bun.serve({
    hostname: app.config.host,
    port: app.config.port,
    // A second copy must fail on a taken port, not share it in silence.
    reusePort: false,
    maxRequestBodySize: maxBodyBytes,
    fetch(request, server) {
      const refused = badHost(request)
      if (refused) return refused
      rememberPeer(request, server)
      return elysia.fetch(request)
    },
  })
  return {
    url: `http://${server.hostname}:${server.port}`,
    port: server.port as number,
    async [Symbol.asyncDispose]() {
      stopping = true
      await server.stop()
    },
  }
}
