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

test("the builder gives a form back as it was, equals signs in its options included", async () => {
  await using service = await startService()
  const client = await signedIn(service)
  const api = await apiOf(service)
  const project = (await api.post("/api/v1/projects", { name: "Site", site: "https://www.acme.fr" })).body.id
  const both = ["a = b", "a =", "= b", "a = = b", "a == b", "a \\= b", "a \\\\= b =", "c=d", "10\u00a0€"]
  const options = [
    ...both.map((text) => ({ value: text, label: text })),
    ...both.map((text) => ({ value: `${text} x`, label: text })),
    ...both.map((text) => ({ value: `${text} y =`, label: `= ${text}` })),
  ]
  const fields = [{ name: "choix", label: "Choix", type: "radio", required: true, options }]
  const { id } = (await api.post("/api/v1/forms", { project, name: "Choix", fields })).body
  const path = `/console/projects/${project}/forms/${id}/settings`
  const shown = formIn((await client.get(path)).text)
  expect((await client.post(path, { ...shown, name: "Autrement" })).status).toBe(303)
  const changed = (await api.get(`/api/v1/forms/${id}`)).body
  expect(changed.name).toBe("Autrement")
  expect(changed.fields).toEqual(fields)
})

/** What a browser would send of the builder as the page shows it. */
function formIn(page: string): Record<string, string> {
  const values: Record<string, string> = {}
  let current = ""
  function take(element: HTMLRewriterTypes.Element, value: string): void {
    current = element.getAttribute("name") ?? current
    if (current !== "intent") values[current] = value
  }
  new HTMLRewriter()
    .on("input:not([type=checkbox]), input[checked]", {
      element: (input) => take(input, input.getAttribute("value") ?? "on"),
    })
    .on("select, textarea", { element: (field) => take(field, "") })
    .on("option[selected]", { element: (option) => take(option, option.getAttribute("value") ?? "") })
    .on("textarea", {
      text(part) {
        values[current] += part.text
      },
    })
    .transform(page)
  return values
}
