import { setTimeout as sleep } from "node:timers/promises"
import { isoTime, secondMs, systemClock } from "../base/clock.ts"
import { Refusal, UsageError } from "../base/errors.ts"
import { parsedUrl } from "../base/text.ts"
import type { Environment } from "../config/parse.ts"
import { readStart } from "../outbound/body.ts"
import { isLocalUrl } from "../outbound/public-address.ts"
import { newSecret, sign, signingKey } from "../webhooks/endpoints/signature.ts"
import { inventedMessage } from "../webhooks/messages/test-message.ts"
import { testValues } from "../wording/mail.fr.ts"
import { defineCommand, json, print, say } from "./kit/command.ts"
import { readSecret } from "./kit/read-file.ts"
import { stopSignal } from "./kit/stop.ts"

export const listen = defineCommand({
  about: "prints the messages of a service as they come, and forwards them",
  details:
    "The token, with the scope messages:read, comes from GUICHET_TOKEN, a prompt, or the first line of stdin. Forwarded messages are signed as deliveries are, with the secret in GUICHET_WEBHOOK_SECRET or with one made for the occasion. Ctrl-C stops it, and prints where to go on.",
  options: {
    url: {
      value: "URL",
      required: true,
      about: "address of the service, such as https://guichet.example.com; http:// on this machine only",
    },
    to: { value: "URL", about: "address that messages are posted to, such as http://localhost:4000/hooks" },
    after: {
      value: "CURSOR",
      about: "goes on after this cursor; without it, begins with what comes from now on",
    },
    test: { about: "begins with a message of invented data, made on this machine" },
    json: { ...json, about: "prints one JSON object a line for each message" },
  },
  async run({ options, environment }) {
    const service = addressIn(options.url, "--url")
    if (service.protocol === "http:" && !isLocalUrl(service.href))
      throw new UsageError(
        "--url would send the token over the network in clear text: https:// keeps it secret",
      )
    const to = options.to === undefined ? undefined : addressIn(options.to, "--to")
    const token = environment["GUICHET_TOKEN"]?.trim() || (await readSecret("token"))
    const stopping = new AbortController()
    void stopSignal().then(() => stopping.abort())
    const { signal } = stopping
    const forward = to && forwarder(to, secretIn(environment), signal)
    let after = options.after ?? "end"
    /** False: stopped before the message was forwarded. */
    const handled = async (message: Message) => {
      const outcome = await forward?.(message)
      if (signal.aborted && outcome === undefined && forward) return false
      print(options.json ? JSON.stringify({ ...message, forwarded: outcome }) : messageText(message, outcome))
      return true
    }
    if (options.test) await handled(inventedMessage(testValues, systemClock.now()))
    let isListening = false
    while (!signal.aborted) {
      const polled = await pollPatiently(service, token, after, signal)
      if (!polled) break
      if (!isListening) say(`listening to ${service.origin}: Ctrl-C stops it`)
      isListening = true
      for (const message of polled.items) if (!(await handled(message))) return stopped(after)
      after = polled.next_cursor
      if (!polled.more) await pause(everyMs, signal)
    }
    return stopped(after)
  },
})

interface Message {
  id: string
  created_at: string
  body: string
}

interface Polled {
  items: Message[]
  next_cursor: string
  more: boolean
}

const everyMs = 2 * secondMs
const timeoutMs = 10 * secondMs
/** More than the service gives at once. */
const maxAnswerBytes = 16 * 1024 * 1024

function stopped(after: string): undefined {
  if (after !== "end") say(`to go on from here: --after ${after}`)
}

/** Tries again as long as the service cannot be reached. Undefined: stopped. Throws Refusal when it refuses. */
async function pollPatiently(
  service: URL,
  token: string,
  after: string,
  signal: AbortSignal,
): Promise<Polled | undefined> {
  for (let waitMs = secondMs; !signal.aborted; waitMs = Math.min(2 * waitMs, 30 * secondMs)) {
    const polled = await poll(service, token, after, signal)
    if ("next_cursor" in polled) return polled
    if (signal.aborted) return undefined
    const pauseMs = polled.retryAfterMs ?? waitMs
    say(`${polled.problem}: trying again in ${Math.ceil(pauseMs / secondMs)} s`)
    await pause(pauseMs, signal)
  }
  return undefined
}

interface Trouble {
  problem: string
  retryAfterMs?: number
}

async function poll(
  service: URL,
  token: string,
  after: string,
  signal: AbortSignal,
): Promise<Polled | Trouble> {
  try {
    const response = await fetch(new URL(`/api/v1/messages?after=${encodeURIComponent(after)}`, service), {
      headers: { authorization: `Bearer ${token}` },
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    const { bytes } = response.body
      ? await readStart(response.body, maxAnswerBytes, { withinMs: timeoutMs })
      : { bytes: Buffer.alloc(0) }
    if (response.ok) return JSON.parse(bytes.toString()) as Polled
    if (response.status < 500 && response.status !== 429) throw refusal(response.status)
    const seconds = Number(response.headers.get("retry-after"))
    return {
      problem: `the service answers ${response.status}`,
      ...(seconds > 0 && { retryAfterMs: Math.min(seconds, 300) * secondMs }),
    }
  } catch (error) {
    if (error instanceof Refusal) throw error
    return { problem: `the service cannot be reached (${(error as Error).message})` }
  }
}

function refusal(status: number): Refusal {
  const reasons: Record<number, string> = {
    401: "the service does not know the token",
    403: "the token lacks the scope messages:read",
    404: "there is no such service there, or an older one",
    400: "the service does not know the cursor of --after",
  }
  const reason = reasons[status] ?? `the service answers ${status}`
  return new Refusal(status === 401 ? "unauthorized" : "invalid_request", "", { reason })
}

/** The application's HTTP status, or why it gave none. Undefined: stopped meanwhile. */
type Forward = (message: Message) => Promise<number | string | undefined>

/** A failed message is sent again after these waits, and then left. */
const waitsMs = [0, secondMs, 5 * secondMs, 30 * secondMs]

function forwarder(to: URL, secret: string, signal: AbortSignal): Forward {
  const key = signingKey(secret)
  return async ({ id, body }) => {
    const bytes = new TextEncoder().encode(body)
    let last: number | string | undefined
    for (const waitMs of waitsMs) {
      await pause(waitMs, signal)
      if (signal.aborted) return undefined
      last = await post(to, key, id, bytes, signal)
      if (typeof last === "number" && last >= 200 && last < 300) return last
      say(`${id}: the application ${typeof last === "number" ? `answers ${last}` : last}`)
    }
    return last
  }
}

async function post(
  to: URL,
  key: Uint8Array,
  id: string,
  body: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<number | string> {
  const sentAtSeconds = Math.floor(systemClock.now() / secondMs)
  try {
    const response = await fetch(to, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "webhook-id": id,
        "webhook-timestamp": String(sentAtSeconds),
        "webhook-signature": sign([key], id, sentAtSeconds, body),
      },
      body,
      redirect: "manual",
      signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    })
    await response.body?.cancel()
    return response.status
  } catch (error) {
    return `does not answer (${(error as Error).message})`
  }
}

/** The secret is shown, since the application needs it to verify what it gets. */
function secretIn(environment: Environment): string {
  const ownSecret = environment["GUICHET_WEBHOOK_SECRET"]?.trim()
  if (ownSecret) {
    if (!/^whsec_[A-Za-z0-9+/]+=*$/.test(ownSecret))
      throw new UsageError("GUICHET_WEBHOOK_SECRET is no secret: whsec_ and base64")
    return ownSecret
  }
  const secret = newSecret()
  say(`messages are signed with this secret, good until the end: ${secret}`)
  return secret
}

function addressIn(text: string, option: string): URL {
  const url = parsedUrl(text)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password)
    throw new UsageError(`${option} is no address: http:// or https://, without a password`)
  return url
}

function messageText({ id, created_at, body }: Message, outcome: number | string | undefined): string {
  const at = isoTime(Date.parse(created_at))
  return visible(`${at}  ${id}${outcome === undefined ? "" : `  → ${outcome}`}\n${body}`)
}

/** A visitor's text must not steer the terminal. */
function visible(text: string): string {
  return text.replaceAll(/[^\P{C}\n]/gu, "\ufffd")
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  if (ms > 0) await sleep(ms, undefined, { signal }).catch(() => {})
}
