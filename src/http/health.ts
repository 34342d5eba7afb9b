import { withTimeout } from "../base/async.ts"
import { secondMs } from "../base/clock.ts"
import { openRoutes } from "./routes.ts"

interface Health {
  /** False when the database cannot be written to, for example because the disk is full. */
  writable(): Promise<boolean>
  stopping(): boolean
}

export type Probes = Record<"/healthz" | "/readyz", () => Response | Promise<Response>>

/** A database behind a network that swallows packets is away, long before its statement is given up. */
const answerWithinMs = 2 * secondMs
const tooLate = () => new Error("no answer from the database")

/** `/healthz`: the process is alive. `/readyz`: it can take requests, so a proxy may send some. */
export function openProbes(health: Health): Probes {
  return {
    "/healthz": () => said("ok"),
    async "/readyz"() {
      if (health.stopping()) return said("stopping", 503)
      if (!(await withTimeout(health.writable(), answerWithinMs, tooLate).catch(() => false)))
        return said("database not writable", 503)
      return said("ok")
    },
  }
}

/** The replies of a process that cannot take requests yet; `waitsFor` says why. */
export function waitingProbes(waitsFor: () => string): Probes {
  return { "/healthz": () => said("ok"), "/readyz": () => said(waitsFor(), 503) }
}

/**
 * The reply to a probe, before routing and whatever its Host: load balancers send the address of this machine,
 * the name of their own group of servers, or none at all in HTTP/1.0. Undefined for every other request.
 */
export function answerProbe(
  { method, url }: Request,
  probes: Probes,
): ReturnType<Probes["/readyz"]> | undefined {
  const path = pathWithoutSlash(url)
  // HAProxy asks this as long as its `option httpchk` names no path.
  if (method === "OPTIONS" && path === "/") return probes["/readyz"]()
  if (method !== "GET" && method !== "HEAD" && method !== "OPTIONS") return undefined
  return Object.hasOwn(probes, path) ? probes[path as keyof Probes]() : undefined
}

/** The path as it was sent, without a final slash. Bun gives a path alone where no URL can hold the Host. */
function pathWithoutSlash(url: string): string {
  const start = url.startsWith("/") ? 0 : url.indexOf("/", url.indexOf("//") + 2)
  const [path = ""] = url.slice(start).split("?", 1)
  return path.length > 1 && path.endsWith("/") ? path.slice(0, -1) : path
}

/** So that the table of routes has them, and other methods are told which ones are allowed. */
export function healthRoutes(probes: Probes) {
  return openRoutes({
    "GET /healthz": ["anyone", probes["/healthz"]],
    "GET /readyz": ["anyone", probes["/readyz"]],
  })
}

function said(text: string, status = 200): Response {
  return new Response(`${text}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8" },
  })
}
