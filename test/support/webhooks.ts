import { insertWorkspace } from "../../src/accounts/workspace.ts"
import { newId } from "../../src/base/ids.ts"
import type { Db } from "../../src/db/connection.ts"
import { insertEndpoint } from "../../src/webhooks/endpoints/endpoint.ts"
import { type Answered, type Api, apiOf, strangerOf } from "./api.ts"
import { type Authority, openAuthority } from "./authority.ts"
import { type MovableClock, movableClock } from "./clock.ts"
import { type Answer, type Receiver, settingsFor, startReceiver } from "./receiver.ts"
import type { Part, Service } from "./service.ts"
import { shared } from "./shared.ts"

/**
 * A running service whose clock stands still, with customers' applications on loopback that it delivers to
 * over TLS.
 */
export interface Webhooks extends Service {
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
  round(): Promise<void>
  deliveries(endpointId: string, query?: string): Promise<Answered["body"][]>
}

/** Making keys takes longer than most tests: one authority serves them all. */
let authority: Authority | undefined

/** For `aService().withReceivers()`. */
export function receivers(answers: readonly Answer[] = [() => new Response("ok")]): Part<Webhooks> {
  return async (plan) => {
    const common = authority ?? shared(openAuthority)
    authority = common
    const all = await Promise.all(
      answers.map((answer, index) => startReceiver(common, `hooks${index}.acme.fr`, answer)),
    )
    for (const receiver of all) plan.resources.use(receiver)
    plan.clock ??= movableClock()
    const { clock } = plan
    plan.settings = { ...settingsFor(common, ...all), ...plan.settings }
    const dispatcher = { random: () => 0, stopWithinMs: 200, ...plan.overrides.dispatcher }
    plan.overrides = { ...plan.overrides, dispatcher }
    return async (service) => {
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
        clock,
        api,
        receivers: all,
        receiver: all[0] as Receiver,
        stranger: () => strangerOf(service),
        async endpoint(receiver = all[0]) {
          const { status, body } = await api.post("/api/v1/endpoints", {
            url: `https://${receiver?.name}/hook`,
          })
          if (status !== 201) throw new Error(JSON.stringify(body))
          return body
        },
        async otherWorkspaces(count, receiver, responses) {
          const url = `https://${receiver?.name}/hook`
          const wanted = { url, description: "", active: true, projects: [], forms: [] }
          const workspaceIds: string[] = []
          for (let number = 0; number < count; number++) {
            const workspaceId = await insertWorkspace(app.db, `other ${number}`, clock.now())
            await insertEndpoint(app.db, app.vault, workspaceId, wanted, clock.now())
            workspaceIds.push(workspaceId)
          }
          // All become due together: the attempts that hang end 10 seconds after they began.
          await app.db.transaction().execute(async (transaction) => {
            for (const workspaceId of workspaceIds)
              for (let response = 0; response < responses; response++)
                await enqueueOne(transaction, {}, workspaceId)
          })
          app.messageQueue.wake()
        },
        async respond(values = {}) {
          const responseId = await app.db
            .transaction()
            .execute((transaction) => enqueueOne(transaction, values))
          app.messageQueue.wake()
          return responseId
        },
        respondUnseen: () => app.db.transaction().execute((transaction) => enqueueOne(transaction, {})),
        async respondMany(count) {
          await app.db.transaction().execute(async (transaction) => {
            for (let number = 0; number < count; number++)
              await enqueueOne(transaction, { n: String(number) })
          })
          app.messageQueue.wake()
        },
        round: dispatcher.round,
        settled: dispatcher.settled,
        async pass(ms) {
          clock.move(ms)
          await dispatcher.settled()
        },
        async deliveries(endpointId, query = "") {
          return (await api.get(`/api/v1/endpoints/${endpointId}/deliveries${query}`)).body.items
        },
      }
    }
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
