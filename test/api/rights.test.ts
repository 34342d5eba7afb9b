import { afterAll, beforeAll, expect, test } from "bun:test"
import { insertProject } from "../../src/accounts/project.ts"
import { createToken } from "../../src/accounts/token.ts"
import type { Role } from "../../src/db/tables/operators.ts"
import { covers, roleScopes } from "../../src/operations/scope.ts"
import { type Answered, type Api, apiOf, strangerOf } from "../support/api.ts"
import { insertMember, password, signedIn } from "../support/operator.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

let service: Service
let owner: Api

beforeAll(async () => {
  service = await aService().started()
  owner = await apiOf(service)
})
afterAll(() => service[Symbol.asyncDispose]())

const reads = ["projects:read", "answers:read", "forms:read", "endpoints:read"]
const writes = reads.map((scope) => scope.replace(":read", ":write"))

/** Scopes of tokens that may write the workspace, the least powerful first. */
const holders: Record<string, string[]> = {
  "workspace:write alone": ["workspace:write"],
  "what a viewer may": ["workspace:write", ...reads],
  "what an editor may": ["workspace:write", ...writes],
  everything: ["all"],
}
const roles: Role[] = ["viewer", "editor", "owner"]
const other = "un tout autre mot de passe"

const newMember = (role: Role) =>
  insertMember(service.app, { email: `${crypto.randomUUID()}@acme.fr`, role, workspaceId: owner.workspaceId })
const newInvitation = async (role: Role): Promise<string> => {
  const email = `${crypto.randomUUID()}@acme.fr`
  return (await owner.post("/api/v1/operators", { email, role })).body.id
}
const newToken = async (scopes: readonly string[]) =>
  (await createToken(service.app.db, owner.workspaceId, "", service.app.clock.now(), scopes)).id

interface Deed {
  /** The scopes that somebody has before or after the deed. */
  touched: readonly string[]
  done(by: Api): Promise<Answered>
}

/** Every route that gives or removes rights, on each kind of object. */
const deeds: Record<string, Deed> = {}
for (const role of roles) {
  const touched = roleScopes(role)
  const operators = "/api/v1/operators"
  const one = async (made: Promise<string>) => `${operators}/${await made}`
  const passwords = { present_password: password, password: other }
  Object.assign(deeds, {
    [`invites a ${role}`]: {
      touched,
      done: (by) => by.post(operators, { email: `${crypto.randomUUID()}@acme.fr`, role }),
    },
    [`makes a viewer a ${role}`]: {
      touched: [...roleScopes("viewer"), ...touched],
      done: async (by) => by.patch(await one(newMember("viewer")), { role }),
    },
    [`makes a ${role} a viewer`]: {
      touched: [...roleScopes("viewer"), ...touched],
      done: async (by) => by.patch(await one(newMember(role)), { role: "viewer" }),
    },
    [`invites as a viewer who was invited as ${role}`]: {
      touched: [...roleScopes("viewer"), ...touched],
      done: async (by) => by.patch(await one(newInvitation(role)), { role: "viewer" }),
    },
    [`takes a ${role} out`]: { touched, done: async (by) => by.delete(await one(newMember(role))) },
    [`takes the invitation of a ${role} back`]: {
      touched,
      done: async (by) => by.delete(await one(newInvitation(role))),
    },
    [`signs a ${role} out`]: {
      touched,
      done: async (by) => by.delete(`${await one(newMember(role))}/sessions`),
    },
    [`changes the password of a ${role}`]: {
      touched,
      done: async (by) => by.call("PUT", `${await one(newMember(role))}/password`, passwords),
    },
  } satisfies Record<string, Deed>)
}
for (const [name, scopes] of Object.entries(holders))
  Object.assign(deeds, {
    [`makes a token of ${name}`]: {
      touched: scopes,
      done: (by) => by.post("/api/v1/tokens", { scopes }),
    },
    [`renames a token of ${name}`]: {
      touched: scopes,
      done: async (by) => by.patch(`/api/v1/tokens/${await newToken(scopes)}`, { name: "x" }),
    },
    [`revokes a token of ${name}`]: {
      touched: scopes,
      done: async (by) => by.delete(`/api/v1/tokens/${await newToken(scopes)}`),
    },
  } satisfies Record<string, Deed>)

for (const [holder, scopes] of Object.entries(holders))
  test(`nobody gives or takes away what it could not do itself: ${holder}`, async () => {
    const by = await apiOf(service, scopes)
    for (const [name, { touched, done }] of Object.entries(deeds)) {
      const { status, body } = await done(by)
      const code = status === 403 ? body.error.code : "done"
      expect([name, code]).toEqual([name, covers(scopes, touched) ? "done" : "forbidden"])
      if (code === "done") expect([name, status < 300]).toEqual([name, true])
    }
  })

test("a refused deed changes nothing", async () => {
  const weak = await apiOf(service, ["workspace:write"])
  const id = await newMember("owner")
  const token = await newToken(["all"])
  for (const path of [`/api/v1/operators/${id}`, `/api/v1/tokens/${token}`]) {
    expect((await weak.delete(path)).status).toBe(403)
    await weak.patch(path, { role: "viewer", name: "x" })
  }
  expect((await owner.get(`/api/v1/operators/${id}`)).body.role).toBe("owner")
  expect((await owner.get(`/api/v1/tokens/${token}`)).body.name).toBe("")
})

test("a token revokes itself, and renames itself, however little it may do", async () => {
  const { app, url } = service
  const made = await createToken(app.db, owner.workspaceId, "", app.clock.now(), ["workspace:write"])
  const call = async (method: string, body?: string) => {
    const headers = { authorization: `Bearer ${made.text}` }
    return (await fetch(`${url}/api/v1/tokens/${made.id}`, { method, headers, ...(body && { body }) })).status
  }
  expect([await call("PATCH", '{"name":"CI"}'), await call("DELETE"), await call("DELETE")]).toEqual([
    200, 204, 401,
  ])
})

test("deleting a workspace needs everything; a project, what its questions and forms are made with", async () => {
  const { app } = service
  const there = await strangerOf(service)
  const token = async (scopes: readonly string[]) => {
    const { text } = await createToken(app.db, there.workspaceId, "", app.clock.now(), scopes)
    return (path: string) =>
      fetch(`${service.url}/api/v1/${path}`, {
        method: "DELETE",
        headers: { authorization: `Bearer ${text}` },
      }).then(({ status }) => status)
  }
  const project = async () =>
    `projects/${(await insertProject(app.db, there.workspaceId, { name: "P", site: "https://p.fr" }, app.clock.now())).id}`
  expect(await (await token(["projects:write"]))(await project())).toBe(403)
  expect(await (await token(["projects:write", "forms:write"]))(await project())).toBe(403)
  const whole = ["projects:write", "answers:write", "forms:write"]
  expect(await (await token(whole))(await project())).toBe(204)
  const workspace = `workspaces/${there.workspaceId}`
  expect(await (await token(["workspace:write"]))(workspace)).toBe(403)
  expect(await (await token(["workspace:write", ...writes]))(workspace)).toBe(403)
  expect(await (await token(["all"]))(workspace)).toBe(204)
})

test("in the console owners alone give and take away", async () => {
  const [member, invitation, token] = [
    await newMember("viewer"),
    await newInvitation("viewer"),
    await newToken(["forms:read"]),
  ]
  const actions: [path: string, values: Record<string, string>][] = [
    ["/console/settings/operators", { email: "x@acme.fr", role: "viewer" }],
    [`/console/settings/operators/${member}`, { role: "owner" }],
    [`/console/settings/operators/${invitation}`, { role: "owner" }],
    [`/console/settings/operators/${member}/removal`, {}],
    [`/console/settings/operators/${invitation}/removal`, {}],
    ["/console/settings/tokens", { name: "x", forms: "read" }],
    [`/console/settings/tokens/${token}/removal`, {}],
    ["/console/settings/workspaces", { name: "x" }],
    ["/console/settings/workspace", { name: "x" }],
    ["/console/settings/mail", { to: "x@acme.fr" }],
  ]
  for (const role of ["viewer", "editor"] as const) {
    const client = await signedIn(service, role)
    for (const [path, values] of actions)
      expect([role, path, (await client.post(path, values)).status]).toEqual([role, path, 403])
  }
  expect((await owner.get(`/api/v1/operators/${member}`)).body.role).toBe("viewer")
  expect((await owner.get(`/api/v1/operators/${invitation}`)).body.role).toBe("viewer")
})

test("whoever is made less while a form of theirs is under way is judged by what they are at its end", async () => {
  const client = await signedIn(service, "owner")
  const page = await client.get("/console/settings")
  const [, token = ""] = /name="guichet_token" value="([^"]+)"/.exec(page.text) ?? []
  const demoted = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const slowly = new ReadableStream({
    async pull(stream) {
      stream.enqueue(new TextEncoder().encode(`guichet_token=${token}&name=`))
      begun.resolve()
      await demoted.promise
      stream.enqueue(new TextEncoder().encode("Pris"))
      stream.close()
    },
  })
  const renaming = fetch(`${service.url}/console/settings/workspace`, {
    method: "POST",
    redirect: "manual",
    headers: {
      origin: service.url,
      cookie: client.cookie,
      "content-type": "application/x-www-form-urlencoded",
    },
    body: slowly,
  })
  await begun.promise
  // Checks that run before the body is complete run in these rounds of the event loop.
  for (let round = 0; round < 50; round++) await new Promise(setImmediate)
  expect((await owner.patch(`/api/v1/operators/${client.operatorId}`, { role: "viewer" })).status).toBe(200)
  demoted.resolve()
  expect((await renaming).status).toBe(403)
})
