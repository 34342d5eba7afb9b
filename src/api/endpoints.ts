import type { Static } from "@sinclair/typebox"
import { Elysia } from "elysia"
import { isoTime } from "../base/clock.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { type Endpoint, listEndpoints, requireEndpoint } from "../webhooks/endpoints/endpoint.ts"
import { type Failing, failingOf, lastAnswer } from "../webhooks/endpoints/failing.ts"
import {
  addEndpoint,
  changeEndpoint,
  type EndpointDeps,
  removeEndpoint,
  rotateSecret,
} from "../webhooks/endpoints/operations.ts"
import { endpointRecord, madeEndpoint, secretRecord } from "../webhooks/endpoints/record.ts"
import { listReceivedRequests } from "../webhooks/test-receiver/received-requests.ts"
import { area } from "./kit/area.ts"
import { receivedRequests } from "./schemas/webhooks.ts"

/** `/api/v1/endpoints`: the webhook addresses of the token's workspace. */
export function endpointRoutes(deps: EndpointDeps) {
  const { db, clock } = deps

  async function withFailing(endpoint: Endpoint) {
    const failing = await failingOf(db, [endpoint.id], clock.now())
    return toJson(endpoint, failing.get(endpoint.id))
  }

  const { bearer, operation, performs } = area(deps, "endpoints")

  return new Elysia({ name: "endpoints", prefix: "/api/v1/endpoints" })
    .use(bearer)
    .get(
      "",
      async ({ query, workspaceId }) => {
        const { items, ...rest } = await listPage(query, (part) => listEndpoints(db, workspaceId, part))
        const ids = items.map(({ id }) => id)
        const failing = await failingOf(db, ids, clock.now())
        return { items: items.map((endpoint) => toJson(endpoint, failing.get(endpoint.id))), ...rest }
      },
      operation({ query: pageQuery, answers: { 200: listOf(endpointRecord) } }),
    )
    .post(
      "",
      ...performs(addEndpoint, {
        status: 201,
        schema: madeEndpoint,
        json: ({ endpoint, secret }) => ({ ...toJson(endpoint), secret }),
        refuses: [409],
      }),
    )
    .get(
      "/:id",
      async ({ params, workspaceId }) => withFailing(await requireEndpoint(db, workspaceId, params.id)),
      operation({ answers: { 200: endpointRecord } }),
    )
    .patch(
      "/:id",
      ...performs(changeEndpoint, {
        status: 200,
        schema: endpointRecord,
        json: withFailing,
        present: async (workspaceId, { endpoint = "" }) =>
          withFailing(await requireEndpoint(db, workspaceId, endpoint)),
      }),
    )
    .delete("/:id", ...performs(removeEndpoint))
    .get(
      "/:id/requests",
      async ({ params, workspaceId }) => {
        await requireEndpoint(db, workspaceId, params.id)
        const taken = await listReceivedRequests(db, params.id, clock.now())
        return {
          items: taken.map(({ id, messageId, at, headers, body, signature, answer }) => ({
            id,
            message_id: messageId,
            at: isoTime(at),
            headers: headers.map(([name, value]) => ({ name, value })),
            body,
            signature,
            answer,
          })),
        }
      },
      operation({ answers: { 200: receivedRequests } }),
    )
    .post(
      "/:id/secret-rotations",
      ...performs(rotateSecret, {
        status: 200,
        schema: secretRecord,
        json: ({ secret }) => ({ secret }),
        refuses: [409],
      }),
    )
}

function toJson(endpoint: Endpoint, failing?: Failing): Static<typeof endpointRecord> {
  return {
    id: endpoint.id,
    kind: endpoint.kind,
    url: endpoint.url,
    test_answer: endpoint.testAnswer,
    description: endpoint.description,
    active: endpoint.active,
    limited: endpoint.filtered,
    projects: endpoint.projects,
    forms: endpoint.forms,
    created_at: isoTime(endpoint.createdAt),
    failing: failing
      ? { since: isoTime(failing.sinceMs), last_at: isoTime(failing.lastAtMs), answer: lastAnswer(failing) }
      : null,
  }
}
