import { afterEach, beforeEach, expect, test } from "bun:test"
import { domainLookup, openResolve, type Resolution, type Resolve } from "../../src/outbound/resolve.ts"
import { type NameServer, startNameServer } from "../support/dns.ts"

const name = "hooks.acme.fr"
const four = "93.184.215.14"
const six = "2606:4700:4700::1111"

let names: NameServer
let resolve: Resolve
beforeEach(async () => {
  names = await startNameServer()
  resolve = openResolve({ lookup: domainLookup(names.newResolver) })
})
afterEach(() => names[Symbol.asyncDispose]())

const ask = (): Promise<Resolution> => resolve(name, 443, new AbortController().signal)

test("both families are judged, and told once", async () => {
  names.answers[name] = [four, six, four]
  expect(await ask()).toEqual({
    targets: [
      { ip: four, port: 443 },
      { ip: six, port: 443 },
    ],
  })
})

test.each([
  ["A", "AAAA", four],
  ["AAAA", "A", six],
] as const)("a server that is silent about %s's other family holds nothing up", async (known, silent, ip) => {
  names.answers[name] = { [known]: [ip], [silent]: "silence" } as never
  const resolution = await ask()
  expect(resolution).toMatchObject({ targets: [{ ip, port: 443 }], late: { aborted: false } })
})

test("a private address is told at once, though the other family is silent", async () => {
  names.answers[name] = { A: ["10.0.0.1"], AAAA: "silence" }
  expect(await ask()).toEqual({ outcome: "private_address", temporary: false })
})

test("a family without addresses is no reason to go on before the other is known", async () => {
  const late = Promise.withResolvers<string[]>()
  names.answers[name] = { A: [], AAAA: late.promise }
  const resolution = ask()
  setTimeout(() => late.resolve([six]), 300)
  expect(await resolution).toEqual({ targets: [{ ip: six, port: 443 }] })
})

test("a private address that comes late condemns the name, until both families answer in time and well", async () => {
  const late = Promise.withResolvers<string[]>()
  names.answers[name] = { A: [four], AAAA: late.promise }
  const resolution = (await ask()) as { targets: unknown[]; late: AbortSignal }
  expect(resolution.targets).toEqual([{ ip: four, port: 443 }])
  const condemned = new Promise((told) => resolution.late.addEventListener("abort", told))
  late.resolve(["::1"])
  await condemned
  // The server no longer says it, and no longer the contrary.
  names.answers[name] = { A: [four], AAAA: "SERVFAIL" }
  expect(await ask()).toEqual({ outcome: "private_address", temporary: true })
  names.answers[name] = { A: [four], AAAA: [] }
  expect(await ask()).toEqual({ targets: [{ ip: four, port: 443 }] })
  names.answers[name] = { A: [four], AAAA: "SERVFAIL" }
  expect(await ask()).toMatchObject({ targets: [{ ip: four, port: 443 }] })
})

test("of a condemned name both families are waited for", async () => {
  const late = Promise.withResolvers<string[]>()
  names.answers[name] = { A: [four], AAAA: late.promise }
  const { late: signal } = (await ask()) as { late: AbortSignal }
  const condemned = new Promise((told) => signal.addEventListener("abort", told))
  late.resolve(["fd00::1"])
  await condemned
  const again = Promise.withResolvers<string[]>()
  names.answers[name] = { A: [four], AAAA: again.promise }
  const resolution = ask()
  setTimeout(() => again.resolve(["fd00::1"]), 400)
  expect(await resolution).toEqual({ outcome: "private_address", temporary: false })
})
