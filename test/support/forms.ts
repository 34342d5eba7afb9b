import type { MessageQueue, NewMessage } from "../../src/forms/message-queue.ts"
import { type Answered, type Api, apiOf } from "./api.ts"
import { type MovableClock, movableClock } from "./clock.ts"
import { manyPosts } from "./many-posts.ts"
import type { Part, Service } from "./service.ts"

/** A service with one project, whose site is `site`, and forms posted over a real socket. */
export interface FormSite extends Service {
  api: Api
  clock: MovableClock
  projectId: string
  /** A new form; what is not given is a contact form. */
  form(described?: Described): Promise<MadeForm>
}

interface Described extends Record<string, unknown> {
  /** An address that has confirmed that it wants to be told about responses. */
  owner_mail?: { to: string; contents?: boolean }
}

export interface MadeForm {
  id: string
  publicId: string
  /** Posts values as a program does, from the site. */
  json(values: Record<string, unknown>, headers?: Record<string, string>): Promise<Answered>
  /** Posts values as a browser does that leaves the page, from the site. */
  browser(
    values: Record<string, string> | [string, string][],
    headers?: Record<string, string>,
  ): Promise<Answered>
  /** Posts exactly this. */
  send(init: RequestInit): Promise<Answered>
  responses(query?: string): Promise<Answered["body"][]>
}

export const site = "https://www.exemple.fr"
export const publicUrl = "https://guichet.exemple.fr"

export const contact = {
  name: "Contact",
  fields: [
    { name: "nom", label: "Votre nom", type: "text", required: true },
    { name: "adresse", label: "Votre adresse", type: "email" },
    { name: "message", label: "Votre message", type: "textarea" },
  ],
}

/** For `aService().withForms()`. */
export const formProject: Part<FormSite> = async (plan) => {
  plan.clock ??= movableClock()
  const { clock } = plan
  plan.settings = { GUICHET_PUBLIC_URL: publicUrl, ...manyPosts, ...plan.settings }
  return async (service) => {
    const api = await apiOf(service)
    const project = await api.post("/api/v1/projects", { name: "Site", site })

    async function form({ owner_mail: told, ...described }: Described = {}): Promise<MadeForm> {
      const made = await api.post("/api/v1/forms", { project: project.body.id, ...contact, ...described })
      if (made.status !== 201) throw new Error(JSON.stringify(made.body))
      const { id, public_id: publicId } = made.body
      if (told) await confirmed(service, id, told)
      const send = (init: RequestInit) =>
        answered(`${service.url}/f/${publicId}`, { method: "POST", ...init })
      return {
        id,
        publicId,
        send,
        json: (values, headers = {}) =>
          send({
            headers: { "content-type": "application/json", origin: site, ...headers },
            body: JSON.stringify(values),
          }),
        browser: (values, headers = {}) =>
          send({
            headers: { accept: "text/html,*/*;q=0.8", origin: site, ...headers },
            body: new URLSearchParams(values),
          }),
        responses: async (query = "") => {
          const listed = await api.get(`/api/v1/forms/${id}/responses?${query}`)
          return listed.body.items
        },
      }
    }

    return { api, clock, projectId: project.body.id, form }
  }
}

/** As if the address had followed the link that it was sent; `notice-address.test.ts` follows one. */
async function confirmed({ app }: Service, id: string, { to, contents }: { to: string; contents?: boolean }) {
  const notify = JSON.stringify([{ to, confirmedAt: 1 }])
  await app.db
    .updateTable("form")
    .set({ notify, notify_contents: contents ? 1 : 0 })
    .where("id", "=", id)
    .execute()
}

/** Without following a redirect, which is what is looked at. */
export async function answered(url: string, init: RequestInit = {}): Promise<Answered> {
  const response = await fetch(url, { redirect: "manual", ...init })
  const text = await response.text()
  const isJson = response.headers.get("content-type")?.includes("json") ?? false
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text }
}

/** Stands for webhooks where a test is about forms alone. */
export function recordedMessages(): MessageQueue & {
  sent: NewMessage[]
  forgotten: string[]
  woken: number
} {
  const recorded = {
    sent: [] as NewMessage[],
    forgotten: [] as string[],
    woken: 0,
    fits: (data: object) => JSON.stringify(data).length <= 200_000,
    async enqueue(_transaction: unknown, event: NewMessage) {
      recorded.sent.push(event)
    },
    async forget(_transaction: unknown, ids: string[]) {
      recorded.forgotten.push(...ids)
    },
    followFields: async () => ({ lost: [], async store() {} }),
    async forgetAttempts() {},
    pendingAmong: async () => new Set<string>(),
    wake() {
      recorded.woken++
    },
    invalidateClaims() {},
  }
  return recorded
}
