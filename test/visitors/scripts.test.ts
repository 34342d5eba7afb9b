import { afterAll, beforeAll, describe, expect, test } from "bun:test"
import { createHash } from "node:crypto"
import type { Service } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

let service: Service
beforeAll(async () => {
  service = await aService().withSettings({ GUICHET_PUBLIC_URL: "https://guichet.exemple.fr" }).started()
})
afterAll(() => service[Symbol.asyncDispose]())

const maxGzipBytes = {
  widget: 10_200,
  // A fifth of it says why a form was not sent, or has the browser send it.
  form: 4200,
  contact: 6000,
  related: 2000,
  search: 2850,
  offer: 4530,
  conditions: 650,
  proof: 2200,
  form_css: 1200,
}
const files = {
  widget: "widget.js",
  form: "form.js",
  contact: "contact.js",
  related: "related.js",
  search: "search.js",
  offer: "offer.js",
  conditions: "conditions.js",
  proof: "proof.js",
  form_css: "form.css",
} as const
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${service.url}${path}`, { headers, decompress: false } as RequestInit)

type Listed = Record<keyof typeof files, { url: string; integrity: string }>

async function listed(): Promise<Listed> {
  return (await (await get("/scripts.json")).json()) as Listed
}

describe.each(Object.keys(maxGzipBytes) as (keyof typeof maxGzipBytes)[])("%s", (name) => {
  const file = files[name]
  const [folder, ending] = file.split(".")

  test(`is at most ${maxGzipBytes[name]} bytes under gzip`, async () => {
    const compressed = await get(`/${file}`, { "accept-encoding": "gzip, br" })
    expect(compressed.headers.get("content-encoding")).toBe("gzip")
    const bytes = new Uint8Array(await compressed.arrayBuffer())
    expect(bytes.length).toBeLessThanOrEqual(maxGzipBytes[name])
    const plain = await get(`/${file}`, { "accept-encoding": "identity" })
    expect(plain.headers.get("content-encoding")).toBeNull()
    expect(new TextDecoder().decode(Bun.gunzipSync(bytes))).toBe(await plain.text())
  })

  test("is not compressed for a client that refuses gzip (RFC 9110, 12.5.3)", async () => {
    for (const accepted of ["gzip;q=0", "br, gzip; q=0.0", "x-gzip-like", ""])
      expect(
        (await get(`/${file}`, { "accept-encoding": accepted })).headers.get("content-encoding"),
      ).toBeNull()
    for (const accepted of ["gzip", "br;q=1.0, GZIP;q=0.5", "gzip;q=0.01"])
      expect((await get(`/${file}`, { "accept-encoding": accepted })).headers.get("content-encoding")).toBe(
        "gzip",
      )
  })

  if (ending === "js")
    test("leaves nothing behind among the page's own names, and no word of ours to be run as code", async () => {
      const text = await (await get(`/${file}`, { "accept-encoding": "identity" })).text()
      expect(text).toMatch(/^\(\(\)=>\{[\s\S]*\}\)\(\);?\s*$/)
      expect(text).not.toMatch(/innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function/)
      expect(text).not.toMatch(/localStorage|indexedDB|document\.cookie/)
      // The widget keeps a conversation in its tab once the visitor has asked.
      expect(/sessionStorage/.test(text)).toBe(name === "widget")
    })

  test("is checked every hour by its hash, and not sent again while it is the same", async () => {
    const { headers } = await get(`/${file}`)
    expect(headers.get("content-type")).toBe(`text/${ending === "css" ? "css" : "javascript"}; charset=utf-8`)
    expect(headers.get("cache-control")).toBe("public, max-age=3600")
    expect(headers.get("vary")).toContain("accept-encoding")
    const etag = headers.get("etag") as string
    const again = await get(`/${file}`, { "if-none-match": etag })
    expect([again.status, await again.text(), again.headers.get("etag")]).toEqual([304, "", etag])
    expect((await get(`/${file}`, { "if-none-match": 'W/"other"' })).status).toBe(200)
  })

  test("has an address for this version alone, which never changes, with its integrity", async () => {
    const { url, integrity } = (await listed())[name]
    const { origin, pathname } = new URL(url)
    expect(origin).toBe("https://guichet.exemple.fr")
    const reply = await get(pathname, { "accept-encoding": "identity" })
    expect(reply.headers.get("cache-control")).toBe("public, max-age=31536000, immutable")
    // Browsers check the integrity of what they may read.
    expect(reply.headers.get("access-control-allow-origin")).toBe("*")
    const digest = createHash("sha384")
      .update(await reply.text())
      .digest("base64")
    expect(integrity).toBe(`sha384-${digest}`)
  })

  test("goes on being served by its hash after an update of the service", async () => {
    const hash = "0123456789abcdef"
    const older = { name, hash, text: "older()", created_at: 1 }
    await service.app.db.insertInto("script").values(older).execute()
    const reply = await get(`/${folder}/${hash}.${ending}`)
    expect(await reply.text()).toBe("older()")
    expect(reply.headers.get("cache-control")).toContain("immutable")
  })

  test("is kept for that once a page has asked for it by its hash", async () => {
    const { pathname } = new URL((await listed())[name].url)
    await get(pathname)
    const rows = await service.app.db.selectFrom("script").select("hash").where("name", "=", name).execute()
    expect(rows.map(({ hash }) => `/${folder}/${hash}.${ending}`)).toContain(pathname)
  })

  test.each([
    "ffffffffffffffff.js",
    "x.js",
    "..%2f..%2fetc",
    "FFFFFFFFFFFFFFFF.js",
    ".js",
    "ffffffffffffffff.css",
    "x.css",
  ])("there is no version %s", async (unknown) => {
    expect((await get(`/${folder}/${unknown}`)).status).toBe(404)
  })
})

test.each([
  ["widget", ["contact", "related", "search"]],
  ["form", ["offer"]],
] as const)("whoever asks for a %s by its hash has its scripts %j kept with it", async (name, later) => {
  await using other = await aService().started()
  const list = (await (await fetch(`${other.url}/scripts.json`)).json()) as Listed
  await fetch(`${other.url}${new URL(list[name].url).pathname}`)
  const rows = await other.app.db.selectFrom("script").select(["name", "hash"]).execute()
  expect(rows.map(({ name, hash }) => `/${name}/${hash}.js`).toSorted()).toEqual(
    [...later.map((each) => list[each]), list[name]].map(({ url }) => new URL(url).pathname).toSorted(),
  )
  const text = await (await fetch(`${other.url}${new URL(list[name].url).pathname}`)).text()
  for (const each of later) {
    const loaded = await (await fetch(`${other.url}${new URL(list[each].url).pathname}`)).text()
    expect(text).toContain(`sha256-${createHash("sha256").update(loaded).digest("base64")}`)
  }
})
