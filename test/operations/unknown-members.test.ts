import { afterAll, beforeAll, expect, test } from "bun:test"
import { type Described, operationsOf } from "../support/operations.ts"
import { aService } from "../support/service-builder.ts"
import type { World } from "../support/world.ts"

let world: World
let bodied: Described[]

beforeAll(async () => {
  world = await aService().withOneOfEach().started()
  const document = (await world.api.get("/api/v1/openapi.json")).body
  bodied = operationsOf(document).filter(({ scope, body }) => scope !== undefined && body !== undefined)
})
afterAll(() => world[Symbol.asyncDispose]())

const nameOf = ({ method, path }: Described) => `${method} ${path}`
const rightBody = (operation: Described) => world.bodies[nameOf(operation)] ?? {}

async function fieldsRefused(operation: Described, body: object): Promise<Record<string, string>> {
  const reply = await world.api.call(operation.method, world.addressOf(operation.path), body)
  expect(reply.status, nameOf(operation)).toBe(400)
  return reply.body.error.fields
}

test("every operation of the management API refuses a member that it does not know, and names it", async () => {
  expect(bodied.length).toBeGreaterThan(20)
  for (const operation of bodied)
    expect(
      await fieldsRefused(operation, { ...rightBody(operation), inconnu: 1 }),
      nameOf(operation),
    ).toEqual({
      inconnu: expect.stringMatching(/^Champ inconnu\. Champs possibles\u00a0: \w+/),
    })
})

test("a mistyped member is told the one that was probably meant", async () => {
  for (const operation of bodied)
    for (const name of Object.keys(operation.body?.properties ?? {})) {
      const mistyped = `${name}x`
      expect(await fieldsRefused(operation, { ...rightBody(operation), [mistyped]: 1 })).toEqual({
        [mistyped]:
          name.length > 2
            ? `\`${mistyped}\`\u00a0: champ inconnu\u202f; vouliez-vous dire \`${name}\`\u202f?`
            : expect.stringContaining("Champ inconnu"),
      })
    }
})

test("a mistyped member of a form's field is told by its path", async () => {
  const field = { name: "ville", label: "Votre ville", type: "select", requird: true }
  const options = [{ value: "lyon", label: "Lyon", labl: "Lyon" }]
  const described = { ...world.bodies["POST /api/v1/forms"], fields: [{ ...field, options }] }
  const reply = await world.api.post("/api/v1/forms", { ...described, redirect: "https://docs.exemple.fr" })
  expect(reply.status).toBe(400)
  expect(reply.body.error.fields).toEqual({
    "fields.0.requird": "`requird`\u00a0: champ inconnu\u202f; vouliez-vous dire `required`\u202f?",
    "fields.0.options.0.labl": "`labl`\u00a0: champ inconnu\u202f; vouliez-vous dire `label`\u202f?",
    redirect: "`redirect`\u00a0: champ inconnu\u202f; vouliez-vous dire `redirect_url`\u202f?",
  })
})

test("a record may be sent back as it was read; what none can set may not be another", async () => {
  for (const collection of ["projects", "forms", "endpoints"]) {
    const address = `/api/v1/${collection}/${world.ids[collection]}`
    const record = (await world.api.get(address)).body
    const { status, body } = await world.api.patch(address, record)
    expect({ status, body }, collection).toEqual({ status: 200, body: record })
    const moved = await world.api.patch(address, { ...record, id: "autre", created_at: "2020-01-01" })
    expect(moved.status, collection).toBe(400)
    expect(moved.body.error.fields, collection).toEqual({
      id: "Ce champ ne se modifie pas. Renvoyez-le tel quel, ou retirez-le.",
      created_at: "Ce champ ne se modifie pas. Renvoyez-le tel quel, ou retirez-le.",
    })
  }
})

test("a form body is told about its Content-Type; JSON that is sent under that name is read", async () => {
  const address = `${world.service.url}/api/v1/forms/${world.ids["forms"]}`
  const send = (body: string | FormData) =>
    fetch(address, {
      method: "PATCH",
      headers: {
        authorization: `Bearer ${world.token}`,
        ...(typeof body === "string" && { "content-type": "application/x-www-form-urlencoded" }),
      },
      body,
    })
  const several = new FormData()
  several.set("name", "Devis")
  for (const [body, type] of [
    ["name=Devis", "application/x-www-form-urlencoded"],
    [several, "multipart/form-data"],
  ] as const) {
    const reply = await send(body)
    expect(reply.status).toBe(400)
    expect(await reply.json()).toMatchObject({
      error: {
        message: `Le corps de la requête est un formulaire (${type}). Envoyez un objet JSON, avec l’en-tête Content-Type\u00a0: application/json.`,
      },
    })
  }
  expect((await send('{"name":"Devis"}')).status).toBe(200)
})

test("who asks a question or writes through a form may send more than is known", async () => {
  const headers = { origin: world.site, "content-type": "application/json" }
  const asked = await fetch(`${world.service.url}/api/v1/ask`, {
    method: "POST",
    headers,
    body: JSON.stringify({ ...world.bodies["POST /api/v1/ask"], inconnu: 1 }),
  })
  await asked.text()
  expect(asked.status).toBe(200)
  const { action } = (await world.api.get(`/api/v1/forms/${world.ids["forms"]}`)).body
  const posted = await fetch(`${world.service.url}${new URL(action).pathname}`, {
    method: "POST",
    headers,
    body: JSON.stringify({ adresse: "camille@exemple.fr", inconnu: "x" }),
  })
  await posted.text()
  expect(posted.status).toBeLessThan(300)
})
