import { setTimeout as sleep } from "node:timers/promises"
import { type Clock, secondMs } from "../../base/clock.ts"
import { randomText } from "../../base/ids.ts"
import type { Log } from "../../base/log.ts"
import type { Db } from "../../db/connection.ts"
import type { TestAnswer } from "../../db/tables/webhooks.ts"
import type { Vault } from "../../db/vault.ts"
import { readStart } from "../../outbound/body.ts"
import type { Destination } from "../../outbound/client.ts"
import type { ResolvedTargets } from "../../outbound/resolve.ts"
import { makeSelfSigned } from "../../outbound/self-signed.ts"
import { testReceiverName } from "../endpoints/endpoint.ts"
import { openRequestStore } from "../endpoints/received-requests.ts"
import { verifySignature } from "../endpoints/signature.ts"
import { maxMessageBytes } from "../messages/message.ts"
import { openRecipients } from "./recipients.ts"

/**
 * The receiver of the endpoints of kind `test`: an application that this process runs for itself, on loopback and
 * over TLS, with a certificate made at the start and trusted for this alone. Deliveries reach it by the way of all
 * others, but for the guard: it is chosen by the kind of the endpoint, and no address leads to it.
 */
export interface TestReceiver extends AsyncDisposable {
  /** Where the requests of this endpoint go. Begins to listen at the first call. */
  findPlace(endpointId: string): Promise<{ found: ResolvedTargets; destination: Destination }>
}

const silenceMs = 20 * secondMs

export interface TestReceiverDeps {
  db: Db
  clock: Clock
  vault: Vault
  log: Log
}

export function openTestReceiver(deps: TestReceiverDeps): TestReceiver {
  let listening: Promise<Listening> | undefined
  const stopping = new AbortController()

  return {
    async findPlace(endpointId) {
      listening ??= listen(deps, stopping.signal)
      // The next attempt tries again.
      listening.catch(() => {
        listening = undefined
      })
      const { found, destination } = await listening
      return { found, destination: { ...destination, path: `${destination.path}${endpointId}` } }
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await (await listening?.catch(() => undefined))?.stop()
    },
  }
}

interface Listening {
  found: ResolvedTargets
  /** Its path is unknown to the other programs of this machine. */
  destination: Destination
  stop(): Promise<void>
}

async function listen(deps: TestReceiverDeps, stopping: AbortSignal): Promise<Listening> {
  const { key, certificate } = await makeSelfSigned(testReceiverName)
  const path = `/${randomText(32, "abcdefghijklmnopqrstuvwxyz0123456789")}/`
  const receive = openReceive(deps, stopping)
  const server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    tls: { key, cert: certificate },
    maxRequestBodySize: maxMessageBytes,
    idleTimeout: (2 * silenceMs) / secondMs,
    development: false,
    error(error) {
      deps.log.error("the test receiver failed", { error })
      return new Response(null, { status: 500 })
    },
    fetch: (request) => {
      const { pathname } = new URL(request.url)
      if (request.method !== "POST" || !pathname.startsWith(path)) return new Response(null, { status: 404 })
      return receive(request, pathname.slice(path.length))
    },
  })
  return {
    found: { targets: [{ ip: "127.0.0.1", port: server.port as number }] },
    destination: { scheme: "https:", host: testReceiverName, path, ca: certificate },
    stop: () => server.stop(true),
  }
}

function openReceive({ db, clock, vault }: TestReceiverDeps, stopping: AbortSignal) {
  const readRecipients = openRecipients(db, vault)
  const keep = openRequestStore(db)

  return async (request: Request, endpointId: string): Promise<Response> => {
    const { bytes } = request.body
      ? await readStart(request.body, maxMessageBytes, {})
      : { bytes: new Uint8Array() }
    const nowMs = clock.now()
    const recipient = (await readRecipients(db, [endpointId], nowMs)).get(endpointId)
    if (recipient?.kind !== "test") return new Response(null, { status: 410 })
    const signature = verifySignature(recipient.keys, request.headers, bytes, nowMs)
    const { headers } = request
    const answer = await keep({ endpointId, headers, bodyBytes: bytes.length, signature, nowMs })
    return answerAs(answer, AbortSignal.any([request.signal, stopping]))
  }
}

async function answerAs(answer: TestAnswer, over: AbortSignal): Promise<Response> {
  switch (answer) {
    case "ok":
      return Response.json({ received: true })
    case "error":
      return Response.json({ error: "the test receiver was told to answer 500" }, { status: 500 })
    case "redirect":
      return new Response(null, { status: 302, headers: { location: "/elsewhere" } })
    case "silence":
      await sleep(silenceMs, undefined, { signal: over, ref: false }).catch(() => {})
      return Response.json({ received: true })
  }
}
