import { Elysia } from "elysia"
import { isoTime } from "../base/clock.ts"
import { bodyOf } from "../http/fields.ts"
import { listed, pageOf } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { allowSlowReply } from "../http/slow.ts"
import { type Endpoint, listEndpoints } from "../webhooks/endpoints/endpoint.ts"
import { answerOf, type Failing, failingOf } from "../webhooks/endpoints/failing.ts"
import {
  alterEndpoint,
  deleteEndpoint,
  type EndpointParts,
  ownEndpoint,
  registerEndpoint,
  renewSecret,
} from "../webhooks/endpoints/owner.ts"
import { bearer } from "./kit/bearer.ts"
import { operation } from "./kit/operation.ts"
import {
  type EndpointAnswer,
  endpointAnswer,
  endpointChange,
  madeEndpoint,
  newEndpoint,
  secretAnswer,
} from "./schemas/webhooks.ts"

const maxBodyBytes = 64 * 1024

/** `/api/v1/endpoints`: the webhook addresses of the token's workspace. */
export function endpointRoutes(parts: EndpointParts) {
  const { db, clock } = parts

  async function shown(endpoint: Endpoint) {
    const failing = await failingOf(db, [endpoint.id], clock.now())
    return described(endpoint, failing.get(endpoint.id))
  }

  return new Elysia({ name: "endpoints", prefix: "/api/v1/endpoints" })
    .use(bearer({ db, clock }, "endpoints"))
    .get(
      "",
      async ({ query, workspaceId }) => {
        const page = pageOf(query)
        const endpoints = await listEndpoints(db, workspaceId, { atMost: page.limit + 1, after: page.after })
        const failing = await failingOf(db, endpoints.map(idOf), clock.now())
        return listed(endpoints, page, idOf, (endpoint) => described(endpoint, failing.get(endpoint.id)))
      },
      operation({
        summary: "Lists the endpoints",
        query: pageQuery,
        answers: { 200: listOf(endpointAnswer) },
      }),
    )
    .post(
      "",
      async ({ request, workspaceId, set }) => {
        const wanted = await bodyOf(request, maxBodyBytes, newEndpoint)
        const { endpoint, secret } = await registerEndpoint(parts, workspaceId, wanted)
        set.status = 201
        return { ...described(endpoint), secret }
      },
      operation({
        summary: "Adds an endpoint; its secret is shown this once",
        body: newEndpoint,
        answers: { 201: madeEndpoint },
        refuses: [409],
        journal: "endpoint.added",
      }),
    )
    .get(
      "/:id",
      async ({ params, workspaceId }) => shown(await ownEndpoint(db, workspaceId, params.id)),
      operation({ summary: "Shows an endpoint", answers: { 200: endpointAnswer } }),
    )
    .patch(
      "/:id",
      async ({ request, params, workspaceId }) => {
        const { id } = await ownEndpoint(db, workspaceId, params.id)
        const change = await bodyOf(request, maxBodyBytes, endpointChange)
        allowSlowReply(request)
        return shown(await alterEndpoint(parts, workspaceId, id, change))
      },
      operation({
        summary:
          "Changes an endpoint; to make it inactive cancels what is pending, to limit it what it gets no more",
        body: endpointChange,
        answers: { 200: endpointAnswer },
        journal: "endpoint.changed",
      }),
    )
    .delete(
      "/:id",
      async ({ request, params, workspaceId, set }) => {
        allowSlowReply(request)
        await deleteEndpoint(parts, workspaceId, params.id)
        set.status = 204
      },
      operation({
        summary: "Removes an endpoint",
        answers: { 204: null },
        journal: "endpoint.removed",
      }),
    )
    .post(
      "/:id/secret-rotations",
      async ({ params, workspaceId }) => ({ secret: await renewSecret(parts, workspaceId, params.id) }),
      operation({
        summary: "Renews the secret; the one before goes on signing for 24 hours",
        answers: { 200: secretAnswer },
        refuses: [409],
        journal: "secret.rotated",
      }),
    )
}

function idOf({ id }: Endpoint): string {
  return id
}

function described(endpoint: Endpoint, failing?: Failing): EndpointAnswer {
  return {
    id: endpoint.id,
    url: endpoint.url,
    description: endpoint.description,
    active: endpoint.active,
    limited: endpoint.limited,
    projects: endpoint.projects,
    forms: endpoint.forms,
    created_at: isoTime(endpoint.createdAt),
    failing: failing
      ? { since: isoTime(failing.sinceMs), last_at: isoTime(failing.lastAtMs), answer: answerOf(failing) }
      : null,
  }
}
