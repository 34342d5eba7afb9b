import { addWorkspace } from "../../src/accounts/workspace.ts"
import type { Overrides } from "../../src/app.ts"
import { newId } from "../../src/base/ids.ts"
import type { Db } from "../../src/db/sqlite/connection.ts"
import { insertEndpoint } from "../../src/webhooks/endpoints/endpoint.ts"
import { type Answered, type Api, apiOf, strangerOf } from "./api.ts"
import { type Authority, openAuthority } from "./authority.ts"
import { type MovableClock, movableClock } from "./clock.ts"
import { type Answer, type Receiver, settingsFor, startReceiver } from "./receiver.ts"
import { type Service, startService } from "./service.ts"
import { shared } from "./shared.ts"

/**
 * A running service whose clock stands still, with customers' applications on loopback that it delivers to
 * over TLS.
 */
export interface Webhooks extends AsyncDisposable {
  service: Service
  clock: MovableClock
  api: Api
  /** By name, in the order they were asked for. */
  receivers: Receiver[]
  /** The first of them. */
  receiver: Receiver
  stranger(): Promise<Api>
  /** Registers the address of a receiver. */
  endpoint(receiver?: Receiver): Promise<{ id: string; secret: string }>
  /** So many workspaces with one endpoint each, and due there so many responses. */
  otherWorkspaces(count: number, receiver: Receiver | undefined, responses: number): Promise<void>
  /** What forms do with a response: enqueue its message in a transaction, then wake the dispatcher. */
  respond(values?: Record<string, string>): Promise<string>
  /** The same, without a word to the dispatcher. */
  respondUnseen(): Promise<string>
  /** So many responses in one transaction. */
  respondMany(count: number): Promise<void>
  /** Resolves when everything that can be sent now has been, and is written down. */
  settled(): Promise<void>
  /** Moves the clock, then sends what is due. */
  pass(ms: number): Promise<void>
  /** Lets the dispatcher look once, whatever is in flight. */
  turn(): Promise<void>
  /** Ends the dispatcher as a stop of the service does; the API goes on. */
  stopWork(): Promise<void>
  deliveries(endpointId: string, query?: string): Promise<Answered["body"][]>
}

/** Making keys takes longer than most tests: one authority serves them all. */
let authority: Authority | undefined

export async function startWebhooks(
  answers: readonly Answer[] = [() => new Response("ok")],
  overrides: Overrides = {},
  environment: Record<string, string> = {},
): Promise<Webhooks> {
  authority ??= shared(openAuthority())
  const receivers = await Promise.all(
    answers.map((answer, index) => startReceiver(authority as Authority, `hooks${index}.acme.fr`, answer)),
  )
  const clock = movableClock()
  const service = await startService(
    { ...settingsFor(authority, ...receivers), ...environment },
    { clock, ...overrides, dispatcher: { random: () => 0, stopWithinMs: 200, ...overrides.dispatcher } },
  )
  const api = await apiOf(service)
  const { app, dispatcher } = service

  async function enqueueOne(
    transaction: Db,
    values: Record<string, string>,
    workspaceId = api.workspaceId,
  ): Promise<string> {
    const now = clock.now()
    const responseId = newId("resp", now)
    const ids = { workspaceId, projectId: "exempleexemple", formId: "form_1", responseId }
    await app.messageQueue.enqueue(transaction, { ...ids, data: dataOf(responseId, values), now })
    return responseId
  }

  return {
    service,
    clock,
    api,
    receivers,
    receiver: receivers[0] as Receiver,
    stranger: () => strangerOf(service),
    async endpoint(receiver = receivers[0]) {
      const { status, body } = await api.post("/api/v1/endpoints", { url: `https://${receiver?.name}/hook` })
      if (status !== 201) throw new Error(JSON.stringify(body))
      return body
    },
    async otherWorkspaces(count, receiver, responses) {
      const url = `https://${receiver?.name}/hook`
      const wanted = { url, description: "", active: true, projects: [], forms: [] }
      for (let number = 0; number < count; number++) {
        const workspaceId = await addWorkspace(app.db, `other ${number}`, clock.now())
        await insertEndpoint(app.db, app.vault, workspaceId, wanted, clock.now())
        await app.db.transaction().execute(async (transaction) => {
          for (let response = 0; response < responses; response++)
            await enqueueOne(transaction, {}, workspaceId)
        })
      }
      app.messageQueue.wake()
    },
    async respond(values = {}) {
      const responseId = await app.db.transaction().execute((transaction) => enqueueOne(transaction, values))
      app.messageQueue.wake()
      return responseId
    },
    respondUnseen: () => app.db.transaction().execute((transaction) => enqueueOne(transaction, {})),
    async respondMany(count) {
      await app.db.transaction().execute(async (transaction) => {
        for (let number = 0; number < count; number++) await enqueueOne(transaction, { n: String(number) })
      })
      app.messageQueue.wake()
    },
    async turn() {
      app.messageQueue.wake()
      // The dispatcher's own turn of the event loop, its transaction, and one more.
      for (let round = 0; round < 10; round++) await new Promise(setImmediate)
    },
    stopWork: () => service.stopWork(),
    settled: dispatcher.settled,
    async pass(ms) {
      clock.move(ms)
      await dispatcher.settled()
    },
    async deliveries(endpointId, query = "") {
      return (await api.get(`/api/v1/endpoints/${endpointId}/deliveries${query}`)).body.items
    },
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      for (const receiver of receivers) await receiver[Symbol.asyncDispose]()
    },
  }
}

function dataOf(id: string, values: Record<string, string>) {
  return {
    id,
    form_id: "form_1",
    form_public_id: "contact",
    form_name: "Contact",
    values,
    email: values["courriel"] ?? null,
    consent: null,
    page: "https://www.acme.fr/contact",
    created_at: "2026-03-10T09:00:00.000Z",
  }
}
