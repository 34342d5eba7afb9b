import { afterAll, beforeAll, expect, test } from "bun:test"
import { type ConsoleClient, signedIn } from "../../support/operator.ts"
import type { Service } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

// What stands around every page: the navigation, the switcher, and how a page is sent.

let service: Service
let client: ConsoleClient
const paths: string[] = []

beforeAll(async () => {
  service = await aService().started()
  client = await signedIn(service)
  for (const name of ["Zèbre", "Abeille"]) {
    const made = await client.post("/console/projects", { name, site: "https://docs.exemple.fr" })
    paths.push(made.location?.replace(/\/indexing.*/, "") as string)
  }
})
afterAll(() => service[Symbol.asyncDispose]())

test("the switcher leads to the same page of another project", async () => {
  const [zebra, bee] = paths as [string, string]
  const { text } = await client.get(`${zebra}/settings`)
  expect(text).toContain(`<a href="${bee}/settings">Abeille</a>`)
  expect(text).toContain(`<a href="${zebra}/settings" aria-current="page">`)
  // A page of the workspace leads to the home of each, by name.
  const overview = (await client.get("/console")).text
  expect(overview.indexOf(`<a href="${bee}">`)).toBeLessThan(overview.indexOf(`<a href="${zebra}">`))
})

test("the pages of a workspace go on showing the menu of the project that one comes from, if it is theirs", async () => {
  const page = async () => (await client.get("/console/webhooks")).text
  for (const path of paths) {
    await client.get(path)
    expect(await page()).toContain(`<a href="${path}/questions"`)
  }
  client.projectCookie = "guichet-project=autreprojet12345"
  expect(await page()).not.toContain("autreprojet12345")
})

test("each name in the navigation leads to one page, and each page is named once", async () => {
  const { text } = await client.get(paths[0] as string)
  const navigation = text.match(/<nav aria-label="Navigation.*?<\/nav>/gs)?.join("") ?? ""
  const entries = [...navigation.matchAll(/<a href="([^"]+)".*?<\/svg>([^<]+)<\/a>/gs)]
  expect(entries.length).toBeGreaterThan(10)
  for (const place of [1, 2]) expect(new Set(entries.map((entry) => entry[place])).size).toBe(entries.length)
})

test("a page is sent compressed to whoever takes that", async () => {
  const ask = (encoding: string) =>
    fetch(`${service.url}/console`, {
      headers: { cookie: client.cookie, "accept-encoding": encoding },
      decompress: false,
    } as RequestInit)
  const [zipped, plain] = [await ask("gzip, br"), await ask("identity")]
  expect([zipped.headers.get("content-encoding"), plain.headers.get("content-encoding")]).toEqual([
    "gzip",
    null,
  ])
  expect(zipped.headers.get("vary")).toContain("accept-encoding")
  const text = new TextDecoder().decode(Bun.gunzipSync(await zipped.bytes()))
  expect(text).toStartWith("<!doctype html>")
  expect(text).toEndWith("</html>")
})

test("two views of a page hold different tokens, and each of them is good", async () => {
  const tokenOf = (text: string) => /name="guichet_token" value="([^"]+)"/.exec(text)?.[1] as string
  const tokens = [
    tokenOf((await client.get("/console/projects")).text),
    tokenOf((await client.get("/console/projects")).text),
  ]
  expect(new Set(tokens).size).toBe(2)
  for (const token of tokens) {
    const values = { name: "Autre", site: "https://autre.exemple.fr" }
    expect((await client.post("/console/projects", values, { token })).status).toBe(303)
  }
  const [workspace, mask] = (tokens[0] as string).split(".")
  const mixed = [workspace, mask, (tokens[1] as string).split(".")[2]].join(".")
  expect((await client.post("/console/projects", { name: "x" }, { token: mixed })).status).toBe(403)
})

test("the first site that is read is read every day from then on, unless the project has a rhythm", async () => {
  const [zebra, bee] = paths as [string, string]
  const rhythm = async (path: string) => {
    const { text } = await client.get(`${path}/settings`)
    return /<option value="(\d+)" selected[^>]*>(?:chaque|seulement|toutes)/.exec(text)?.[1]
  }
  const add = (path: string, name: string) =>
    client.post(`${path}/indexing/feeds`, { kind: "sitemap", address: `https://docs.exemple.fr/${name}.xml` })
  expect(await rhythm(zebra)).toBe("0")
  await add(zebra, "un")
  expect(await rhythm(zebra)).toBe("24")
  await client.post(`${zebra}/indexing/schedule`, { every_hours: "0" })
  await add(zebra, "deux")
  expect(await rhythm(zebra)).toBe("0")
  await client.post(`${bee}/indexing/schedule`, { every_hours: "6" })
  await add(bee, "un")
  expect(await rhythm(bee)).toBe("6")
})
