/**
 * Posts a form of a checkout on SQLite from 16 connections, with that checkout's own code; prints how many posts a second
 * were stored, each with its message and a delivery to one endpoint, which is inactive so that nothing is sent.
 *
 *   bun post.ts CHECKOUT SECONDS
 */
import { join } from "node:path"

const [checkout = ".", seconds = "3"] = process.argv.slice(2)
const load = (path: string) => import(join(checkout, path))
const { aService } = (await load(
  "test/support/service-builder.ts",
)) as typeof import("../../support/service-builder.ts")
const { apiOf } = (await load("test/support/api.ts")) as typeof import("../../support/api.ts")

const plenty = "1000000000"
await using service = await aService()
  .withSettings({
    GUICHET_FORM_PER_VISITOR_MINUTE: plenty,
    GUICHET_FORM_PER_VISITOR_DAY: plenty,
    GUICHET_FORM_BYTES_PER_VISITOR_DAY: plenty,
    GUICHET_FORM_PER_FORM_DAY: plenty,
    GUICHET_FORM_BYTES_PER_FORM_DAY: plenty,
    GUICHET_WEBHOOK_RESOLVE: "hooks.acme.fr=127.0.0.1:1",
  })
  .started()
const api = await apiOf(service)
const { id: project } = (await api.post("/api/v1/projects", { name: "Site", site: "https://site.fr" })).body
const form = await api.post("/api/v1/forms", {
  project,
  name: "Contact",
  fields: [
    { name: "email", type: "email", label: "Adresse", required: true },
    { name: "message", type: "textarea", label: "Message", required: true },
  ],
})
if (form.status !== 201) throw new Error(JSON.stringify(form.body))
const { id: endpoint } = (await api.post("/api/v1/endpoints", { url: "https://hooks.acme.fr/in" })).body
const inactive = await api.patch(`/api/v1/endpoints/${endpoint}`, { active: false })
if (inactive.body.active !== false) throw new Error(JSON.stringify(inactive.body))

let posted = 0
async function post(): Promise<void> {
  const number = posted++
  const reply = await fetch(`${service.url}/f/${form.body.public_id}`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: "https://site.fr" },
    body: JSON.stringify({ email: `p${number}@exemple.fr`, message: `Bonjour, question numéro ${number}.` }),
  })
  const told = await reply.text()
  if (!reply.ok) throw new Error(`${reply.status} ${told}`)
}

const rates: number[] = []
for (let round = 0; round < 4; round++) {
  const [before, startedAt] = [posted, performance.now()]
  const endsAt = startedAt + Number(seconds) * 1000
  const connection = async () => {
    while (performance.now() < endsAt) await post()
  }
  await Promise.all(Array.from({ length: 16 }, connection))
  rates.push((posted - before) / ((performance.now() - startedAt) / 1000))
}
// The first round warms up.
for (const rate of rates.slice(1)) process.stdout.write(`${Math.round(rate)}\n`)
