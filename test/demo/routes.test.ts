import { expect, test } from "bun:test"
import { demoRoutes } from "../../src/demo/routes.ts"
import { aService } from "../support/service-builder.ts"

const demo = {
  siteUrl: "http://localhost:3000",
  project: "aaaaaaaa",
  formHtml: "",
  steps: async () => ({ asked: false, sent: false, opened: false }),
  consoleFor: () => null,
  enter: async () => new Response(),
}

test("no page of the demo's site hides a route of the service, and only the root leads into the site", async () => {
  await using service = await aService().started()
  const site = demoRoutes(demo).map(({ method, path }) => `${method} ${path}`)
  expect(site).toContain("GET /docs/console")
  const ofService = service.routes.filter((route) => route !== "GET /")
  for (const route of ofService) {
    const pattern = new RegExp(`^${route.replace(/:\w+/g, "[^/]+").replaceAll("*", ".*")}$`)
    expect(site.filter((page) => pattern.test(page))).toEqual([])
  }
})
