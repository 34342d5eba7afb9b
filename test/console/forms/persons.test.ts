import { expect, test } from "bun:test"
import { signedIn } from "../../support/operator.ts"
import { aService } from "../../support/service-builder.ts"

test("who erases a person is told which applications had got the messages, before and after", async () => {
  await using service = await aService()
    .withReceivers([() => new Response("ok"), () => new Response("ok")])
    .started()
  const { api, receivers } = service
  const [receiver] = receivers
  if (!receiver) throw new Error("no receiver")
  const endpoint = await service.endpoint(receiver)
  const { url } = (await api.get(`/api/v1/endpoints/${endpoint.id}`)).body
  const { id } = (await api.post("/api/v1/projects", { name: "Docs", site: "https://docs.fr" })).body
  const fields = [{ name: "email", label: "Adresse", type: "email" }]
  const form = (await api.post("/api/v1/forms", { project: id, name: "Contact", fields })).body
  const post = (email: string) =>
    fetch(`${service.url}/f/${form.public_id}`, {
      method: "POST",
      headers: { origin: "https://docs.fr", "content-type": "application/json" },
      body: JSON.stringify({ email }),
    })
  await post("alix@exemple.fr")
  await service.settled()
  await api.patch(`/api/v1/endpoints/${endpoint.id}`, { active: false })
  await post("max@exemple.fr")

  const lea = await signedIn(service)
  const found = await lea.post("/console/persons", { email: "alix@exemple.fr" })
  expect(found.text).toContain("Applications à prévenir")
  expect(found.text).toContain(`<code>${url}</code>`)
  const erased = await lea.post("/console/persons/erasure", { email: "alix@exemple.fr" })
  expect(erased.location).not.toContain("alix")
  const told = await lea.get(erased.location ?? "")
  expect(told.text).toContain("Les messages effacés avaient été envoyés à ces destinations")
  expect(told.text).toContain(`<code>${url}</code>`)

  const nowhere = await lea.post("/console/persons/erasure", { email: "max@exemple.fr" })
  const { text } = await lea.get(nowhere.location ?? "")
  expect(text).toContain("Aucune application n’a reçu ces messages")
  expect(text).not.toContain(url)

  const file = await lea.post("/console/persons/export", { email: "max@exemple.fr" })
  expect(file.headers.get("content-disposition")).toMatch(/"personne-espace-\d{4}-\d\d-\d\d\.json"/)
})
