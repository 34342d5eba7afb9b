import { parseArgs } from "node:util"
import { sql } from "kysely"
import { signedIn } from "../support/operator.ts"
import { endPostgres } from "../support/postgres.ts"
import { aService } from "../support/service-builder.ts"
import { fill } from "./console/fill.ts"
import { quantile, say } from "./figures.ts"

/**
 * `bun test/bench/console.ts [--count 100000] [--times 100]`, with GUICHET_TEST_ENGINE=postgres on PostgreSQL: the time
 * to the first byte of every page of the console, and its size before and after compression, with that many answers,
 * form responses and deliveries stored; and how long a search takes.
 */
const { values } = parseArgs({
  options: { count: { type: "string", default: "100000" }, times: { type: "string", default: "100" } },
})
const count = Number(values.count)
const times = Number(values.times)

{
  await using service = await aService()
    .withSettings({ GUICHET_EMBEDDING: "none", GUICHET_LOG_LEVEL: "error" })
    .started()
  const startedMs = performance.now()
  const { projects, forms, endpoints, responseId, deliveryId } = await fill(service, count)
  // PostgreSQL does so by itself soon after so many rows are inserted.
  if (process.env["GUICHET_TEST_ENGINE"] === "postgres") await sql`VACUUM (ANALYZE)`.execute(service.app.db)
  say(`${count} of each in ${Math.round((performance.now() - startedMs) / 1000)} s`)
  const client = await signedIn(service)
  const [project, form, endpoint] = [projects[0]?.id, forms[0]?.id, endpoints[0]?.id]
  const path = `/console/projects/${project}`
  const paths = [
    "/console",
    "/console/projects",
    "/console/webhooks",
    `/console/webhooks/${endpoint}`,
    `/console/webhooks/${endpoint}/deliveries`,
    `/console/deliveries/${deliveryId}`,
    "/console/deliveries",
    "/console/deliveries?state=failed",
    `/console/deliveries?form=${form}&result=503`,
    "/console/deliveries?q=visiteur77",
    `/console/deliveries?q=visiteur${Math.floor(count / 2)}`,
    "/console/deliveries?q=introuvable",
    "/console/settings",
    "/console/settings/operators",
    "/console/settings/tokens",
    "/console/journal",
    path,
    `${path}/questions`,
    `${path}/questions?days=90`,
    `${path}/questions?page=%2Fguide%2F12`,
    `${path}/questions?q=virement`,
    `${path}/questions?q=introuvable`,
    `${path}/questions/gaps`,
    `${path}/questions/chosen`,
    `${path}/questions/evaluation`,
    `${path}/trials`,
    `${path}/indexing`,
    `${path}/synonyms`,
    `${path}/settings`,
    `${path}/messages`,
    `${path}/messages?search=lef%C3%A8vre`,
    `${path}/messages?search=visiteur${count - 7}`,
    `${path}/messages?search=introuvable`,
    `${path}/forms`,
    `${path}/forms/${form}`,
    `${path}/forms/${form}?search=zo%C3%A9+virement`,
    `${path}/forms/${form}/html`,
    `${path}/forms/${form}/settings`,
    `${path}/forms/${form}/responses/${responseId}`,
  ]
  say("| page | status | p50 ms | p95 ms | at most | kB | kB sent |\n|---|---|---|---|---|---|---|")
  for (const each of paths) {
    const took: number[] = []
    let [status, bytes, sent] = [0, 0, 0]
    for (let time = 0; time < times; time++) {
      const askedMs = performance.now()
      const reply = await fetch(`${service.url}${each}`, {
        headers: { cookie: client.cookie, "accept-encoding": "gzip" },
        redirect: "manual",
        decompress: false,
      } as RequestInit)
      took.push(performance.now() - askedMs)
      const body = new Uint8Array(await reply.arrayBuffer())
      status = reply.status
      sent = body.length
      bytes = reply.headers.get("content-encoding") === "gzip" ? Bun.gunzipSync(body).length : body.length
    }
    const named = each
      .replace(String(project), ":project")
      .replace(String(form), ":form")
      .replace(String(endpoint), ":endpoint")
      .replace(responseId, ":response")
      .replace(deliveryId, ":delivery")
    const figures = [quantile(took, 0.5), quantile(took, 0.95), quantile(took, 1)].map((ms) => ms.toFixed(1))
    const sizes = [bytes, sent].map((size) => (size / 1000).toFixed(1))
    say(`| ${[named, status, ...figures, ...sizes].join(" | ")} |`)
  }
}
await endPostgres()
