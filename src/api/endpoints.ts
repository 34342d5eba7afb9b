import { Elysia } from "elysia"
import { isoTime } from "../base/clock.ts"
import { detail, Refusal } from "../base/errors.ts"
import { readObject } from "../http/body.ts"
import { extendReplyTimeout } from "../http/extend-timeout.ts"
import { bodyOf, fieldsOf } from "../http/fields.ts"
import { listPage } from "../http/list.ts"
import { pageQuery } from "../http/operation.ts"
import { listOf } from "../http/schemas.ts"
import { type Endpoint, listEndpoints } from "../webhooks/endpoints/endpoint.ts"
import { type Failing, failingOf, lastAnswer } from "../webhooks/endpoints/failing.ts"
import {
  createEndpoint,
  createTestEndpoint,
  deleteEndpoint,
  type EndpointDeps,
  requireEndpoint,
  rotateSecret,
  updateEndpoint,
} from "../webhooks/endpoints/manage-endpoint.ts"
import { listTaken } from "../webhooks/test-receiver/keep.ts"
import { area } from "./kit/area.ts"
import {
  type EndpointAnswer,
  endpointAnswer,
  endpointChange,
  endpointOfKind,
  madeEndpoint,
  newEndpoint,
  secretAnswer,
  takenRequests,
} from "./schemas/webhooks.ts"

const maxBodyBytes = 64 * 1024

/** `/api/v1/endpoints`: the webhook addresses of the token's workspace. */
export function endpointRoutes(deps: EndpointDeps) {
  const { db, clock } = deps

  async function withFailing(endpoint: Endpoint) {
    const failing = await failingOf(db, [endpoint.id], clock.now())
    return toJson(endpoint, failing.get(endpoint.id))
  }

  function createAs(body: Record<string, unknown>, workspaceId: string) {
    if (body["kind"] !== "test")
      return createEndpoint(deps, workspaceId, fieldsOf(body, endpointOfKind.https))
    const { url, ...wanted } = fieldsOf(body, endpointOfKind.test)
    if (url === undefined) return createTestEndpoint(deps, workspaceId, wanted)
    const fields = { url: detail("webhooks.testEndpointUrl") }
    throw new Refusal("invalid_request", detail("webhooks.invalidEndpoint"), { fields })
  }

  const { bearer, operation } = area({ db, clock }, "endpoints")

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
      operation({
        query: pageQuery,
        answers: { 200: listOf(endpointAnswer) },
      }),
    )
    .post(
      "",
      async ({ request, workspaceId, set }) => {
        const { endpoint, secret } = await createAs(await readObject(request, maxBodyBytes), workspaceId)
        set.status = 201
        return { ...toJson(endpoint), secret }
      },
      operation({
        body: newEndpoint,
        answers: { 201: madeEndpoint },
        refuses: [409],
        audit: "endpoint.added",
      }),
    )
    .get(
      "/:id",
      async ({ params, workspaceId }) => withFailing(await requireEndpoint(db, workspaceId, params.id)),
      operation({ answers: { 200: endpointAnswer } }),
    )
    .patch(
      "/:id",
      async ({ request, params, workspaceId }) => {
        const { id } = await requireEndpoint(db, workspaceId, params.id)
        const { test_answer: testAnswer, ...rest } = await bodyOf(request, maxBodyBytes, endpointChange)
        const change = { ...rest, ...(testAnswer !== undefined && { testAnswer }) }
        extendReplyTimeout(request)
        return withFailing(await updateEndpoint(deps, workspaceId, id, change))
      },
      operation({
        body: endpointChange,
        answers: { 200: endpointAnswer },
        audit: "endpoint.changed",
      }),
    )
    .delete(
      "/:id",
      async ({ request, params, workspaceId, set }) => {
        extendReplyTimeout(request)
        await deleteEndpoint(deps, workspaceId, params.id)
        set.status = 204
      },
      operation({
        answers: { 204: null },
        audit: "endpoint.removed",
      }),
    )
    .get(
      "/:id/requests",
      async ({ params, workspaceId }) => {
        await requireEndpoint(db, workspaceId, params.id)
        const taken = await listTaken(db, params.id, clock.now())
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
      operation({
        answers: { 200: takenRequests },
      }),
    )
    .post(
      "/:id/secret-rotations",
      async ({ params, workspaceId }) => ({ secret: await rotateSecret(deps, workspaceId, params.id) }),
      operation({
        answers: { 200: secretAnswer },
        refuses: [409],
        audit: "secret.rotated",
      }),
    )
}

function toJson(endpoint: Endpoint, failing?: Failing): EndpointAnswer {
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
