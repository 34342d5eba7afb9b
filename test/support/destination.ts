import { hourMs } from "../../src/base/clock.ts"
import { type ConsoleClient, signedIn } from "./operator.ts"
import { aService } from "./service-builder.ts"
import type { Webhooks } from "./webhooks.ts"

/** The service of a test of the console's webhooks, its operator's browser, and an application that can fail. */
export let webhooks: Webhooks
export let client: ConsoleClient
let code: number

/** Starts them with one destination, whose application answers 200 until `answerWith` says otherwise. */
export async function start(role: "owner" | "viewer" = "owner") {
  code = 200
  webhooks = await aService()
    .withReceivers([
      () => new Response("vu", { status: code, headers: { "x-request-id": "xyz", "set-cookie": "a=b" } }),
    ])
    .started()
  client = await signedIn(webhooks.service, role)
  return webhooks.endpoint()
}

export async function end(): Promise<void> {
  await webhooks[Symbol.asyncDispose]()
}

export function answerWith(status: number): void {
  code = status
}

export async function signInAgain(): Promise<void> {
  client = await signedIn(webhooks.service)
}

export async function respond(...names: string[]): Promise<void> {
  for (const name of names) {
    await webhooks.respond({ courriel: `${name}@exemple.fr`, message: `Bonjour de ${name}` })
    webhooks.clock.move(1000)
  }
  await webhooks.settled()
}

export async function giveUp(name: string): Promise<void> {
  code = 503
  await respond(name)
  await passEveryAttempt()
}

/** Long enough for the session to end. */
export async function passEveryAttempt(): Promise<void> {
  for (let attempt = 1; attempt < 8; attempt++) await webhooks.pass(11 * hourMs)
  await signInAgain()
}

/** Persons of the rows of a log of deliveries, in order. */
export async function persons(address: string): Promise<string[]> {
  const { status, text } = await client.get(address)
  if (status !== 200) throw new Error(`${address}: ${status}`)
  return [...text.matchAll(/data-column="Personne"><a [^>]*>([^<]*)</g)].map(([, person = ""]) => person)
}
