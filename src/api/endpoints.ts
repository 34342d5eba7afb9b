import { isoTime } from "../base/clock.ts"
import { idsOf } from "../base/ids.ts"
import { shown } from "../http/record/json.ts"
import { idOf } from "../operations/operation.ts"
import { type Endpoint, listEndpoints, requireEndpoint } from "../webhooks/endpoints/endpoint.ts"
import { type Failing, failingEndpoints, lastAnswer } from "../webhooks/endpoints/failing.ts"
import {
  addEndpoint,
  changeEndpoint,
  type EndpointDeps,
  removeEndpoint,
  rotateSecret,
} from "../webhooks/endpoints/operations.ts"
import { listReceivedRequests, type ReceivedRequest } from "../webhooks/endpoints/received-requests.ts"
import {
  endpointRecord,
  madeEndpoint,
  receivedRequest,
  receivedRequests,
  secretRecord,
} from "../webhooks/endpoints/record.ts"
import type { ApiDeps } from "./kit/api-deps.ts"
import { handlers, type Named } from "./kit/handlers.ts"

export const endpointShown = shown(
  endpointRecord,
  ({ filtered, failing }: Endpoint & { failing?: Failing | undefined }) => ({
    limited: filtered,
    failing: failing
      ? {
          since: isoTime(failing.sinceMs),
          last_at: isoTime(failing.lastAtMs),
          answer: lastAnswer(failing),
          cause: failing.cause,
        }
      : null,
  }),
)

const received = shown(receivedRequest, ({ headers }: ReceivedRequest) => ({
  headers: headers.map(([name, value]) => ({ name, value })),
}))

export async function withFailing(
  { db, clock }: Pick<EndpointDeps, "db" | "clock">,
  endpoints: readonly Endpoint[],
) {
  const ids = idsOf(endpoints)
  const failing = await failingEndpoints(db, ids, clock.now())
  return endpoints.map((endpoint) => ({ ...endpoint, failing: failing.get(endpoint.id) }))
}

/** `/api/v1/endpoints`: the webhook addresses of the token's workspace. */
export function endpointHandlers(deps: ApiDeps) {
  const { db, clock } = deps
  const { performs, shows, lists } = handlers(deps)

  async function find(call: Named) {
    const [found] = await withFailing(deps, [
      await requireEndpoint(db, call.workspaceId, idOf(call, "endpoint")),
    ])
    return found as Endpoint
  }

  return {
    list: lists(endpointShown, async ({ workspaceId }, part) =>
      withFailing(deps, await listEndpoints(db, workspaceId, part)),
    ),
    add: performs(addEndpoint, {
      status: 201,
      schema: madeEndpoint,
      json: ({ endpoint, secret }) => ({ ...endpointShown.json(endpoint), secret }),
      refuses: [409],
    }),
    show: shows(endpointShown, find),
    change: performs(changeEndpoint, {
      status: 200,
      schema: endpointRecord,
      json: async (endpoint) => endpointShown.json((await withFailing(deps, [endpoint]))[0] as Endpoint),
      present: find,
    }),
    remove: performs(removeEndpoint),
    requests: shows(
      {
        schema: receivedRequests,
        json: (items: ReceivedRequest[]) => ({ items: items.map(received.json) }),
      },
      async (call) => listReceivedRequests(db, (await find(call)).id, clock.now()),
    ),
    rotateSecret: performs(rotateSecret, { status: 200, schema: secretRecord, refuses: [409] }),
  }
}
