import { afterAll, beforeAll, expect, test } from "bun:test"
import { type Role, roles } from "../../src/accounts/operator.ts"
import { isOpenToPages } from "../../src/http/cors.ts"
import { allows, type Right, roleScopes, scopes } from "../../src/operations/scope.ts"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

let service: Service

beforeAll(async () => {
  service = await aService()
    .withSettings({ GUICHET_METRICS_TOKEN: "m".repeat(32) })
    .started()
})
afterAll(() => service[Symbol.asyncDispose]())

test("every route says who may use it", () => {
  const others = ["anyone", "site", "link", "metrics token"]
  const wrong = service.table.filter(({ right }) => ![...scopes, ...roles, ...others].includes(right))
  expect(wrong).toEqual([])
})

test("a token reads by a right to read and changes by a right to write", () => {
  const byToken = service.table.filter(({ right }) => scopes.includes(right))
  expect(byToken.length).toBeGreaterThan(90)
  for (const { method, path, right } of byToken)
    expect(right, `${method} ${path}`).toEndWith(method === "GET" ? ":read" : ":write")
})

test("the right of a line covers what its operation needs first", () => {
  for (const { method, path, right, operation } of service.performing) {
    const held = roles.includes(right as Role) ? roleScopes(right as Role) : [right]
    expect(allows(held, operation.needs[0] as Right), `${method} ${path}`).toBeTrue()
  }
})

test("pages of other sites may read the replies of what is for them, and of nothing else", () => {
  const forSites = new Set(service.table.filter(({ right }) => right === "site").map(({ path }) => path))
  const isOpen = (path: string) => isOpenToPages(new Request(`http://localhost${path.replace(/:\w+/g, "x")}`))
  for (const { path } of service.table) expect(isOpen(path), path).toBe(forSites.has(path))
})

test("no address stands twice in the tables", () => {
  expect(service.routes.length).toBe(new Set(service.routes).size)
})
