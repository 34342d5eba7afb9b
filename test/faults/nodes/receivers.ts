import type { Authority } from "../../support/authority.ts"

/** One request that an application got, by the clock of the machine. */
export interface Arrival {
  /** The node that sent it: each knows the applications under a port of its own. */
  node: number
  atMs: number
  /** When it was answered, or broken off; undefined: neither. */
  endMs: number | undefined
  /** 0: broken off before it was answered. */
  status: number
  /** `webhook-timestamp`: by the clock of the sender, which is that of the database. */
  sentAtSeconds: number
  /** Of the exact bytes. */
  hash: number | bigint
  responseId: string
}

/** The customers' applications: over TLS, one port for each node. */
export interface Receivers extends AsyncDisposable {
  /** By the host of the endpoint and the webhook-id. */
  arrivals: ReadonlyMap<string, readonly Arrival[]>
  /** Requests that came while an earlier one of the same delivery was not answered yet. */
  overlapping: string[]
  /** At one endpoint at the same time. */
  readonly mostInFlight: number
  settingsOf(node: number): Record<string, string>
}

/** How an application takes the message with this number, which is drawn from its id. */
type Manner = (drawn: number, earlier: number) => { afterMs: number; status: number }

/** Of a thousand messages, some fail at first, a few for long, and some take a while. */
export const busy: Manner = (drawn, earlier) => ({
  afterMs: drawn < 30 ? 200 + drawn * 20 : drawn % 25,
  status: (drawn >= 100 && drawn < 160 && earlier === 0) || (drawn >= 200 && drawn < 203) ? 503 : 200,
})

/** One in twenty is answered after the 10 seconds that an attempt lasts, at first. */
export const hanging: Manner = (drawn, earlier) => ({
  afterMs: drawn < 50 && earlier === 0 ? 10_500 : drawn % 25,
  status: 200,
})

export async function startReceivers(
  authority: Authority,
  nodes: number,
  manners: ReadonlyMap<string, Manner>,
): Promise<Receivers> {
  const hosts = [...manners.keys()]
  const arrivals = new Map<string, Arrival[]>()
  const overlapping: string[] = []
  const inFlight = new Map<string, number>()
  let mostInFlight = 0

  function begin(host: string): void {
    const count = (inFlight.get(host) ?? 0) + 1
    inFlight.set(host, count)
    mostInFlight = Math.max(mostInFlight, count)
  }

  function end(host: string): void {
    inFlight.set(host, (inFlight.get(host) ?? 0) - 1)
  }

  async function take(node: number, request: Request): Promise<Response> {
    const host = new URL(request.url).hostname
    const atMs = Date.now()
    begin(host)
    const body = await request.text()
    const id = request.headers.get("webhook-id") ?? ""
    const key = `${host} ${id}`
    const earlier = arrivals.get(key) ?? []
    if (earlier.some(({ endMs }) => endMs === undefined)) overlapping.push(key)
    const { afterMs, status } = (manners.get(host) ?? busy)(
      Number(Bun.hash.wyhash(key) % 1000n),
      earlier.length,
    )
    const arrival: Arrival = {
      node,
      atMs,
      endMs: undefined,
      status: 0,
      sentAtSeconds: Number(request.headers.get("webhook-timestamp")),
      hash: Bun.hash(body),
      responseId: /"data":\{"id":"([^"]+)"/.exec(body)?.[1] ?? "",
    }
    arrivals.set(key, [...earlier, arrival])
    const over = Promise.withResolvers<void>()
    const timer = setTimeout(over.resolve, afterMs)
    request.signal.addEventListener("abort", () => over.resolve())
    await over.promise
    clearTimeout(timer)
    arrival.endMs = Date.now()
    end(host)
    if (!request.signal.aborted) arrival.status = status
    return new Response("", { status })
  }

  const servers = Array.from({ length: nodes }, (_, node) =>
    Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      tls: authority.certify(hosts),
      idleTimeout: 30,
      fetch: (request) => take(node, request),
    }),
  )
  return {
    arrivals,
    overlapping,
    get mostInFlight() {
      return mostInFlight
    },
    settingsOf: (node) => ({
      GUICHET_WEBHOOK_RESOLVE: hosts.map((host) => `${host}=127.0.0.1:${servers[node]?.port}`).join(","),
      GUICHET_WEBHOOK_CA_FILE: authority.caFile,
    }),
    async [Symbol.asyncDispose]() {
      for (const server of servers) await server.stop(true)
    },
  }
}
