import { Elysia } from "elysia"
import { detail, Refusal } from "../base/errors.ts"
import { isSameSecret } from "../base/hash.ts"
import type { Metrics } from "../ops/metrics.ts"

/** `GET /metrics` for holders of the token. A server without a metrics token does not mount this route. */
export function metricsRoutes(metrics: Metrics, secrets: { metricsToken: string | undefined }) {
  return new Elysia({ name: "metrics" }).get("/metrics", async ({ request }) => {
    const [, given] = /^Bearer +(\S+) *$/i.exec(request.headers.get("authorization") ?? "") ?? []
    const { metricsToken } = secrets
    if (given === undefined || metricsToken === undefined || !isSameSecret(given, metricsToken))
      throw new Refusal("unauthorized", detail("requests.unauthorized"))
    const { contentType, body } = await metrics.text()
    return new Response(body, { headers: { "content-type": contentType, "cache-control": "no-store" } })
  })
}
