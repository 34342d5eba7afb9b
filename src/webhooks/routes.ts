import { Elysia } from "elysia"
import { type Clock, isoTime } from "../clock.ts"
import type { Db } from "../db/connection.ts"
import { Refusal } from "../errors.ts"
import { bearer } from "../http/bearer.ts"
import { readObject } from "../http/body.ts"
import { fieldsOf } from "../http/fields.ts"
import { listed, pageOf } from "../http/list.ts"
import type { Vault } from "../vault.ts"
import { cancelPending } from "./cancel.ts"
import {
  addEndpoint,
  changeEndpoint,
  type Endpoint,
  findEndpoint,
  listEndpoints,
  removeEndpoint,
  rotateSecret,
} from "./endpoint.ts"
import { answerOf, type Failing, failingOf, forgetFailures } from "./failing.ts"
import type { Outbound } from "./outbound.ts"
import { acceptableUrl } from "./registration.ts"
import { sentences } from "./sentences.ts"

interface Parts {
  db: Db
  clock: Clock
  vault: Vault
  outbound: Outbound
}

const maxBodyBytes = 64 * 1024
const maxDescriptionLength = 200

/** `/api/v1/endpoints`: the webhook addresses of the token's workspace. A stranger's endpoint is one that does not exist. */
export function endpointRoutes({ db, clock, vault, outbound }: Parts) {
  async function shown(endpoint: Endpoint) {
    const failing = await failingOf(db, [endpoint.id], clock.now())
    return described(endpoint, failing.get(endpoint.id))
  }

  return new Elysia({ name: "endpoints", prefix: "/api/v1/endpoints" })
    .use(bearer({ db, clock }))
    .get("", async ({ query, workspaceId }) => {
      const page = pageOf(query)
      const endpoints = await listEndpoints(db, workspaceId, { atMost: page.limit + 1, after: page.after })
      const failing = await failingOf(db, endpoints.map(idOf), clock.now())
      return listed(endpoints, page, idOf, (endpoint) => described(endpoint, failing.get(endpoint.id)))
    })
    .post(
      "",
      async ({ request, workspaceId, set }) => {
        const wanted = endpointIn(await readObject(request, maxBodyBytes), "url")
        const { url = "", description = "", active = true, projects = [], forms = [] } = wanted
        const accepted = await acceptableUrl(outbound, url)
        const fresh = { url: accepted, description, active, projects, forms }
        const { endpoint, secret } = await addEndpoint(db, vault, workspaceId, fresh, clock.now())
        set.status = 201
        return { ...described(endpoint), secret }
      },
      { parse: "none" },
    )
    .get("/:id", async ({ params, workspaceId }) => {
      return shown(known(await findEndpoint(db, params.id, workspaceId)))
    })
    .patch(
      "/:id",
      async ({ request, params, workspaceId }) => {
        known(await findEndpoint(db, params.id, workspaceId))
        const change = endpointIn(await readObject(request, maxBodyBytes))
        if (change.url !== undefined) change.url = await acceptableUrl(outbound, change.url)
        const changed = await db.transaction().execute(async (transaction) => {
          if (change.active === false) await cancelPending(transaction, params.id, clock.now())
          if (change.url !== undefined) await forgetFailures(transaction, [params.id])
          return changeEndpoint(transaction, params.id, workspaceId, change)
        })
        return shown(known(changed))
      },
      { parse: "none" },
    )
    .delete("/:id", async ({ params, workspaceId, set }) => {
      await db.transaction().execute(async (transaction) => {
        known(await removeEndpoint(transaction, params.id, workspaceId))
        await cancelPending(transaction, params.id, clock.now())
      })
      set.status = 204
    })
    .post(
      "/:id/secret-rotations",
      async ({ params, workspaceId }) => {
        const secret = await db
          .transaction()
          .execute((transaction) => rotateSecret(transaction, vault, params.id, workspaceId, clock.now()))
        return { secret: known(secret) }
      },
      { parse: "none" },
    )
}

/** Throws Refusal `not_found` for nothing. */
function known<Found>(found: Found | undefined | false): Found {
  if (!found) throw new Refusal("not_found", sentences.unknownEndpoint)
  return found
}

function endpointIn(body: Record<string, unknown>, ...required: string[]) {
  const fields = fieldsOf(body)
  const url = fields.text("url")
  const description = fields.text("description", maxDescriptionLength)
  const active = fields.flag("active")
  const projects = fields.texts("projects")
  const forms = fields.texts("forms")
  fields.refuseWrong(...required)
  return {
    ...(url !== undefined && { url }),
    ...(description !== undefined && { description: description.trim() }),
    ...(active !== undefined && { active }),
    ...(projects !== undefined && { projects }),
    ...(forms !== undefined && { forms }),
  }
}

function idOf({ id }: Endpoint): string {
  return id
}

function described(endpoint: Endpoint, failing?: Failing) {
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
