import { describe, expect, test } from "bun:test"
import { systemClock } from "../../../../src/base/clock.ts"
import { type Network, openNetwork } from "../../../../src/reading/kinds/web/network.ts"
import { openSiteFetcher } from "../../../../src/reading/kinds/web/site-fetcher.ts"
import { nothingAborts, outcomeOf, requestSite, wanted } from "../../../support/request-site.ts"
import { html, page, startSite, testNetwork } from "../../../support/site.ts"

describe("what may pass is tried again", () => {
  test("after one second, then after four more", async () => {
    const statuses = [503, 500, 200]
    await using site = startSite(() => () => new Response("x", { status: statuses.shift() as number }))
    const network = testNetwork()
    expect((await requestSite(site.url, network)).outcome).toBe("fetched")
    expect(network.slept.reduce((sum, ms) => sum + ms, 0)).toBe(5000)
  })

  test("three times in all", async () => {
    await using site = startSite(() => new Response("", { status: 500 }))
    expect(await outcomeOf(requestSite(site.url))).toBe("failed: answered 500")
    expect(site.log).toHaveLength(3)
  })

  test.each([400, 401, 403, 404, 410, 418])("but not %d", async (status) => {
    await using site = startSite(() => new Response("", { status }))
    await requestSite(site.url)
    expect(site.log).toHaveLength(1)
  })

  test("when Retry-After says, in seconds or as a date", async () => {
    const network = testNetwork()
    const date = new Date(network.clock.now() + 37_000).toUTCString()
    const answers = [
      new Response("", { status: 429, headers: { "retry-after": "7" } }),
      new Response("", { status: 503, headers: { "retry-after": date } }),
      html(page("Enfin")),
    ]
    await using site = startSite(() => answers.shift() as Response)
    const startedMs = network.clock.now()
    expect((await requestSite(site.url, network)).outcome).toBe("fetched")
    expect(network.slept).toEqual([7000, 30_000])
    expect(network.clock.now() - startedMs).toBe(37_000)
  })

  test("but not when Retry-After asks for an hour", async () => {
    await using site = startSite(() => new Response("", { status: 429, headers: { "retry-after": "3600" } }))
    expect(await outcomeOf(requestSite(site.url))).toBe("failed: asks to come back in 3600 seconds")
    expect(site.log).toHaveLength(1)
  })

  test("at the next address of the host, within the same request", async () => {
    await using site = startSite(() => page("A"))
    const network = testNetwork({ names: { "docs.test": ["127.0.0.77", "127.0.0.1"] } })
    const start = new URL(site.url.replace("127.0.0.1", "docs.test"))
    const fetcher = openSiteFetcher([start.origin], network)
    for (let count = 0; count < 3; count++) {
      expect((await fetcher.request(start, wanted, nothingAborts)).outcome).toBe("fetched")
      network.clock.move(1000)
    }
    expect(network.slept).toEqual([])
  })

  test("until a host stays silent ten times in a row: then it counts as down", async () => {
    await using site = startSite(() => new Response("", { status: 503 }))
    const fetcher = openSiteFetcher([site.url], testNetwork({ limits: { retries: 0 } }))
    const details: string[] = []
    for (let count = 0; count < 12; count++)
      details.push(await outcomeOf(fetcher.request(new URL(site.url), wanted, nothingAborts)))
    expect(details.slice(0, 10)).toEqual(Array(10).fill("failed: answered 503"))
    expect(details.slice(10)).toEqual(Array(2).fill(`failed: ${site.host} no longer answers`))
    expect(site.log).toHaveLength(10)
  })

  test("but neither errors of single pages nor silences with answers between make a host count as down", async () => {
    const statuses: Record<string, number> = { "/error": 500, "/silent": 503, "/good": 200 }
    await using site = startSite(
      ({ pathname }) => new Response("x", { status: statuses[pathname] as number }),
    )
    const fetcher = openSiteFetcher([site.url], testNetwork({ limits: { retries: 0 } }))
    const requests = (path: string, count: number) =>
      Promise.all(
        Array.from({ length: count }, () => fetcher.request(new URL(path, site.url), wanted, nothingAborts)),
      )
    await requests("/error", 12)
    for (let round = 0; round < 3; round++) {
      await requests("/silent", 9)
      expect((await requests("/good", 1))[0]?.outcome).toBe("fetched")
    }
  })
})

test("an abort ends a request while it waits, with the reason given", async () => {
  const controller = new AbortController()
  await using site = startSite(() => new Response("", { status: 503, headers: { "retry-after": "60" } }))
  const real = openNetwork({ clock: systemClock, allowPrivate: true, contactUrl: "https://guichet.example" })
  const waits = Promise.withResolvers<void>()
  const network: Network = {
    ...real,
    sleep(ms, signal) {
      waits.resolve()
      return real.sleep(ms, signal)
    },
  }
  const reply = openSiteFetcher([site.url], network).request(new URL(site.url), wanted, controller.signal)
  await waits.promise
  controller.abort(new Error("stopped by hand"))
  await expect(reply).rejects.toThrow("stopped by hand")
})
