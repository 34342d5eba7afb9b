import type { Authority } from "./authority.ts"

/** A customer's application: takes deliveries over real TLS on loopback and keeps what came. */
export interface Receiver extends AsyncDisposable {
  name: string
  port: number
  received: Received[]
  /** Resolves with the first `count` requests as soon as so many came. */
  waitFor(count: number): Promise<Received[]>
  /** Requests whose sender went away before they were answered. */
  brokenOff: number
  /** What it answers from now on. */
  answer: Answer
}

export interface Received {
  method: string
  /** Path and query. */
  path: string
  headers: Headers
  body: Uint8Array
}

export type Answer = (received: Received, number: number) => Response | Promise<Response>

/** Answers 200 until told otherwise. `name` is what its certificate says, such as `hooks.acme.fr`. */
export async function startReceiver(
  authority: Authority,
  name: string,
  answer: Answer = () => new Response("ok"),
): Promise<Receiver> {
  const waiting: { count: number; resolve(received: Received[]): void }[] = []
  const receiver = {
    name,
    received: [] as Received[],
    brokenOff: 0,
    answer,
    waitFor(count: number) {
      const { promise, resolve } = Promise.withResolvers<Received[]>()
      waiting.push({ count, resolve })
      wake()
      return promise
    },
  }

  function wake(): void {
    for (const waiter of waiting.splice(0)) {
      if (receiver.received.length >= waiter.count) waiter.resolve(receiver.received.slice(0, waiter.count))
      else waiting.push(waiter)
    }
  }

  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: authority.certify([name]),
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const received = {
        method: request.method,
        path: pathname + search,
        headers: request.headers,
        body: new Uint8Array(await request.arrayBuffer()),
      }
      request.signal.addEventListener("abort", () => receiver.brokenOff++)
      const number = receiver.received.push(received)
      wake()
      return receiver.answer(received, number)
    },
  })

  return Object.assign(receiver, {
    port: server.port as number,
    async [Symbol.asyncDispose]() {
      await server.stop(true)
    },
  })
}

/** The settings under which the service finds these receivers and trusts their certificates. */
export function settingsFor(authority: Authority, ...receivers: { name: string; port: number }[]) {
  return {
    GUICHET_WEBHOOK_RESOLVE: receivers.map(({ name, port }) => `${name}=127.0.0.1:${port}`).join(","),
    GUICHET_WEBHOOK_CA_FILE: authority.caFile,
  }
}
