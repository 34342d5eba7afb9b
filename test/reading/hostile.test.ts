import { expect, test } from "bun:test"
import { detail } from "../../src/base/errors.ts"
import { openRobots } from "../../src/reading/kinds/web/robots.ts"
import { openSiteFetcher } from "../../src/reading/kinds/web/site-fetcher.ts"
import { timesPlainWork } from "../support/processor.ts"
import { startSite, testNetwork } from "../support/site.ts"

const thousands = (count: number, line: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => line(n)).join("")

test.each([
  [
    "robots and rules by the thousand",
    thousands(2000, (n) => `User-agent: bot${n}\n`) + thousands(5000, (n) => `Disallow: /${n}\n`),
  ],
  ["rules of asterisks", `User-agent: *\nDisallow: /${"*".repeat(400_000)}b\n`],
  ["long rules that begin anywhere", `User-agent: *\n${`Disallow: /*${"a".repeat(2000)}b\n`.repeat(200)}`],
])("a robots.txt of %s judges an address in no time", async (_, robots) => {
  await using site = startSite({ "/robots.txt": new Response(robots) })
  const { objection } = openRobots(openSiteFetcher([site.url], testNetwork()))
  const never = new AbortController().signal
  const address = new URL(`/${"a".repeat(2000)}`, site.url)
  expect(await timesPlainWork(() => objection(address, never), 50)).toBeLessThan(50)
  expect(await timesPlainWork(() => objection(address, never), 10)).toBeLessThan(10)
})

test("rules too many to judge a very long address leave it for another time, and judge the others", async () => {
  const robots = `User-agent: *\n${`Disallow: /*${"a".repeat(2000)}b\n`.repeat(200)}Disallow: /b\n`
  await using site = startSite({ "/robots.txt": new Response(robots) })
  const { objection } = openRobots(openSiteFetcher([site.url], testNetwork()))
  const verdict = (path: string) => objection(new URL(path, site.url), new AbortController().signal)
  expect(await verdict(`/${"a".repeat(2000)}`)).toEqual({
    outcome: "failed",
    detail: detail("reading.at", { place: "robots.txt", why: detail("reading.tooManyRules") }),
  })
  expect(await verdict("/b")).toEqual({ outcome: "left_out", reason: "robots" })
  expect(await verdict("/c")).toBeUndefined()
})

test("a group that only asks for a pause ends where the next one begins", async () => {
  const robots = "User-agent: *\nCrawl-delay: 1\nUser-agent: autre\nDisallow: /\n"
  await using site = startSite({ "/robots.txt": new Response(robots) })
  const { objection } = openRobots(openSiteFetcher([site.url], testNetwork()))
  expect(await objection(new URL("/a", site.url), new AbortController().signal)).toBeUndefined()
})
