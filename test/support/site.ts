import type { Server } from "bun"
import { type Limits, type Network, limits as realLimits } from "../../src/reading/kinds/web/network.ts"
import type { Certified } from "./authority.ts"
import { type MovableClock, movableClock } from "./clock.ts"

/** A documentation site on a free loopback port. Each path answers as given; every other is 404. */
export interface Site extends AsyncDisposable {
  url: string
  host: string
  /** Requests as they came, `GET /path`, and their headers. */
  log: string[]
  headers: Headers[]
}

export type Answer = Response | string | ((request: Request) => Response | Promise<Response>)

export function startSite(
  pages: Record<string, Answer> | ((url: URL) => Answer | undefined),
  tls?: Certified,
): Site {
  const log: string[] = []
  const headers: Headers[] = []
  const find = typeof pages === "function" ? pages : ({ pathname }: URL) => pages[pathname]
  const server: Server<undefined> = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    idleTimeout: 0,
    ...(tls && { tls }),
    async fetch(request) {
      const url = new URL(request.url)
      log.push(`${request.method} ${url.pathname}${url.search}`)
      headers.push(new Headers(request.headers))
      const answer = find(url)
      if (answer === undefined) return new Response("nothing here", { status: 404 })
      if (typeof answer === "string") return html(answer)
      return typeof answer === "function" ? answer(request) : (answer.clone() as Response)
    },
  })
  return {
    url: `http${tls ? "s" : ""}://127.0.0.1:${server.port}`,
    host: `127.0.0.1:${server.port}`,
    log,
    headers,
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

/** A page of documentation with one sentence. */
export function page(title: string, head = ""): string {
  return `<!doctype html><html><head><meta charset="utf-8"><title>${title}</title>${head}</head><body><main><h1>${title}</h1><p>Texte de ${title}.</p></main></body></html>`
}

export function html(text: string, headers: Record<string, string> = {}): Response {
  return new Response(text, { headers: { "content-type": "text/html; charset=utf-8", ...headers } })
}

export function markdown(text: string): Response {
  return new Response(text, { headers: { "content-type": "text/markdown; charset=utf-8" } })
}

export function sitemap(...addresses: string[]): Response {
  return xml(`<urlset>${addresses.map((address) => `<url><loc>${address}</loc></url>`).join("")}</urlset>`)
}

export function sitemapIndex(...addresses: string[]): Response {
  return xml(
    `<sitemapindex>${addresses.map((address) => `<sitemap><loc>${address}</loc></sitemap>`).join("")}</sitemapindex>`,
  )
}

export function xml(text: string): Response {
  return new Response(`<?xml version="1.0" encoding="UTF-8"?>${text}`, {
    headers: { "content-type": "application/xml" },
  })
}

export interface TestNetwork extends Network {
  clock: MovableClock
  /** What was slept through, in milliseconds: the clock moved, nobody waited. */
  slept: number[]
}

/** The real network, private addresses allowed, on a clock that jumps instead of waiting. */
export function testNetwork(
  options: { limits?: Partial<Limits>; names?: Record<string, string[]> } = {},
): TestNetwork {
  const clock = movableClock()
  const slept: number[] = []
  return {
    userAgent: "Guichet/test (+https://guichet.example)",
    clock,
    slept,
    async sleep(ms, signal) {
      signal.throwIfAborted()
      slept.push(ms)
      clock.move(ms)
    },
    async resolve(name) {
      const addresses = options.names?.[name]
      if (!addresses) throw new Error(`${name} is unknown to this test`)
      return addresses
    },
    mayConnectTo: () => true,
    limits: { ...realLimits, ...options.limits },
  }
}
