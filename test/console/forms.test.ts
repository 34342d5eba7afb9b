import { expect, test } from "bun:test"
import { apiOf } from "../support/api.ts"
import { signedIn } from "../support/operator.ts"
import { startService } from "../support/service.ts"

test("a project's forms are listed, and offered to endpoints, however many the workspace has", async () => {
  await using service = await startService({ GUICHET_WEBHOOK_RESOLVE: "hooks.acme.fr=127.0.0.1:1" })
  const client = await signedIn(service)
  const api = await apiOf(service)
  const fields = [{ name: "nom", label: "Nom", type: "text" }]
  const project = async (name: string) =>
    (await api.post("/api/v1/projects", { name, site: "https://www.acme.fr" })).body.id as string
  const few = await project("Un")
  const many = await project("Beaucoup")
  await api.post("/api/v1/forms", { project: few, name: "Le premier de tous", fields })
  for (let number = 0; number < 501; number++)
    await api.post("/api/v1/forms", { project: many, name: `Formulaire ${number}`, fields })
  expect((await client.get(`/console/projects/${few}/forms`)).text).toContain("Le premier de tous")
  const { text } = await client.get(`/console/projects/${many}/forms`)
  expect(text).toContain("Formulaire 0<")
  expect(text).not.toContain("Le premier de tous")
  const endpoint = (await api.post("/api/v1/endpoints", { url: "https://hooks.acme.fr/guichet" })).body.id
  expect((await client.get(`/console/webhooks/${endpoint}`)).text).toContain("Le premier de tous")
})
