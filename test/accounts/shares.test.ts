import { expect, test } from "bun:test"
import { maxQueuedPerWorkspace } from "../../src/mail/outbox.ts"
import { apiOf, strangerOf } from "../support/api.ts"
import { contents, filledIn } from "../support/files.ts"
import { site } from "../support/forms.ts"
import { aService } from "../support/service-builder.ts"

// What a token adds beside its own workspace shares with it what one workspace may use of the machine.

test("workspaces that a token adds share space for files and waiting mails with its own, in every generation", async () => {
  await using service = await aService().withSettings({ GUICHET_FILES_PER_WORKSPACE: "20 KB" }).started()
  const { app, url } = service
  const using = (token: string) => async (path: string, body: object) => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
    const reply = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
    // biome-ignore lint/suspicious/noExplicitAny: what came over HTTP has whatever shape the test asserts
    return (await reply.json()) as any
  }
  const own = await apiOf(service)
  const child = (await own.post("/api/v1/workspaces", { name: "Un" })).body
  const grandchild = await using(child.token)("/api/v1/workspaces", { name: "Deux" })
  const stranger = await strangerOf(service)

  /** Sends a file of 12 kB to a form of its own in a workspace. */
  async function sendFile(post: (path: string, body: object) => Promise<{ id: string; public_id: string }>) {
    const project = await post("/api/v1/projects", { name: "Site", site })
    const fields = [{ name: "cv", label: "CV", type: "file" }]
    const form = await post("/api/v1/forms", { project: project.id, name: "Formulaire", fields })
    const cv = Buffer.concat([contents.pdf, Buffer.alloc(12_000)])
    const init = { method: "POST", headers: { origin: site }, body: filledIn({}, ["cv", "cv.pdf", cv]) }
    return (await fetch(`${url}/f/${form.public_id}`, init)).status
  }
  expect(await sendFile(async (path, body) => (await own.post(path, body)).body)).toBe(201)
  expect(await sendFile(using(grandchild.token))).toBe(429)
  expect(await sendFile(async (path, body) => (await stranger.post(path, body)).body)).toBe(201)

  const queue = (workspaceId: string, count: number) =>
    app.db.transaction().execute(async (transaction) => {
      const mail = { to: "a@exemple.fr", subject: "Avis", text: "Bonjour", workspaceId }
      let isTaken = false
      for (let number = 0; number < count; number++)
        isTaken = await app.mailer.queue(transaction, mail, app.clock.now())
      return isTaken
    })
  expect(await queue(own.workspaceId, maxQueuedPerWorkspace)).toBe(true)
  expect(await queue(child.id ?? child.workspace?.id, 1)).toBe(false)
  expect(await queue(grandchild.id ?? grandchild.workspace?.id, 1)).toBe(false)
  expect(await queue(stranger.workspaceId, 1)).toBe(true)
})
