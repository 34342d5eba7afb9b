import { hostileShapes, prose, type Shape, textOf } from "../support/hostile-text.ts"
import { eventLoopCpuMs } from "../support/processor.ts"
import { rawRequest, sendRaw } from "../support/raw-request.ts"
import { temporaryFolder } from "../support/service.ts"
import { atMost, exactly, type Verdict } from "../support/verdict.ts"
import { type AttackedSite, startAttackedSite } from "./attacked-site.ts"
import { targets } from "./hostile-requests.ts"
import type { Target } from "./target.ts"

/** So much more than a harmless text of the same size may a hostile one hold the event loop. */
const markMs = 100
const tries = 3

/**
 * Sends each place that takes text two hundred hostile shapes, each after a harmless text of the same size,
 * and compares what the event loop computed for them. `every`: of the shapes only one in so many, another for
 * each place.
 */
export async function hostileTexts(every = 1): Promise<Verdict[]> {
  using folder = temporaryFolder()
  await using site = await startAttackedSite(folder.path)
  const shapes = hostileShapes()
  const verdicts = await reproductions(site)
  const wrong: string[] = []
  let number = 0
  for (const [place, target] of targets(site).entries()) {
    let worst = { ms: 0, shape: "" }
    for (const shape of shapes.filter((_, index) => (index + place) % every === 0)) {
      const { excessMs, status } = await compared(site, target, shape, ++number)
      if (excessMs > worst.ms) worst = { ms: excessMs, shape: shape.name }
      const isReached =
        status > 0 && status < 500 && ((status !== 403 && status !== 429) || status === target.refusal)
      if (!isReached) wrong.push(`${target.name}: ${shape.name}: ${status}`)
    }
    const name = `${target.name}${worst.ms > markMs ? `: ${worst.shape}` : ""}`
    verdicts.push(atMost(name, markMs, worst.ms, " ms CPU"))
  }
  if (wrong.length > 0) process.stderr.write(`${wrong.join("\n")}\n`)
  return [...verdicts, exactly("hostile texts that failed, or were not read", 0, wrong.length)]
}

/** What a hostile text cost beyond a harmless one; the least of three tries, should the first be too much. */
async function compared(
  site: AttackedSite,
  target: Target,
  shape: Shape,
  number: number,
): Promise<{ excessMs: number; status: number }> {
  const bytesOf = (text: string) => Buffer.byteLength(target.written?.(text) ?? text)
  const hostile = textOf(shape, target.maxBytes, bytesOf)
  const plain = textOf(prose, bytesOf(hostile), bytesOf)
  let least = Number.POSITIVE_INFINITY
  let status = 0
  for (let tried = 0; tried < tries && least > markMs; tried++) {
    const expected = await cost(site, target.request(plain, 2 * number))
    const found = await cost(site, target.request(hostile, 2 * number + 1))
    least = Math.min(least, found.ms - expected.ms)
    status = found.status
  }
  return { excessMs: least, status }
}

async function cost({ service }: AttackedSite, request: Uint8Array): Promise<{ ms: number; status: number }> {
  const before = eventLoopCpuMs(service.pid)
  const status = await sendRaw(service.url, request)
  return { ms: eventLoopCpuMs(service.pid) - before, status }
}

/** What once blocked the service for 4 to 78 seconds each, as it was sent then. */
export async function reproductions(site: AttackedSite): Promise<Verdict[]> {
  const form = `/f/${site.formId}`
  const marks = (bytes: number) => `a${"\u0300".repeat(bytes / 4)}${"\u0316".repeat(bytes / 4)}`
  const headers = { origin: site.origin, "content-type": "application/x-www-form-urlencoded" }
  const post = (path: string, field: string, text: string, origin = site.origin) =>
    rawRequest("POST", path, { ...headers, origin }, Buffer.from(`${field}=${text}`))
  const kept = post(`/f/${site.storedFormPublicId}`, "texte", marks(200_000))
  const search = rawRequest("GET", `/api/v1/forms/${site.storedFormId}/responses?search=zorglub`, {
    authorization: `Bearer ${site.token}`,
  })
  const requests: [name: string, request: Uint8Array][] = [
    [
      "78 KB of marks as an address to sign in with",
      post("/console/sign-in", "email", marks(78_000), "http://localhost"),
    ],
    ["156 KB of marks in a text", post(form, "a_text", marks(156_000))],
    ["156 KB of marks as the page", post(form, "page", `https://${marks(156_000)}/`)],
    ["300,000 times é. as the page", post(form, "page", `https://${"é.".repeat(300_000)}/`)],
    ["80,000 plus signs and an x as the consent", post(form, "consent", `${"+".repeat(80_000)}x`)],
    ["a text of 200 KB of marks, to be kept", kept],
    ["another one", kept],
    ["a third one", kept],
    ["a search through the three", search],
  ]
  const verdicts: Verdict[] = []
  for (const [name, request] of requests) {
    const { ms } = await cost(site, request)
    verdicts.push(atMost(name, 2 * markMs, ms, " ms CPU"))
  }
  return verdicts
}
