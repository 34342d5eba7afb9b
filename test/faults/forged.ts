import { temporaryFolder } from "../support/service.ts"
import { exactly, type Verdict } from "../support/verdict.ts"
import { type ServedSite, startServedSite } from "./served-site.ts"

const allowed = 5
const flood = 500

/** One client floods the ask route, each time as if from another address: it gets what one visitor gets. */
export async function forgedAddresses(): Promise<Verdict[]> {
  const address = (number: number) => `198.51.${number >> 8}.${number & 255}`
  const cases: Record<string, [proxies: string, forwarded: (number: number) => string]> = {
    "without a trusted proxy": ["192.0.2.1", address],
    "through a trusted proxy, which adds the true one": ["127.0.0.0/8", (n) => `${address(n)}, 203.0.113.9`],
    "through it, with the proxy's own address forged too": [
      "127.0.0.0/8",
      (n) => `127.0.0.1, ${address(n)}, 127.0.0.1, 203.0.113.9`,
    ],
    "from one household of IPv6": ["127.0.0.0/8", (n) => `2001:db8:0:1::${n.toString(16)}`],
  }
  const verdicts: Verdict[] = []
  for (const [name, [proxies, forwarded]] of Object.entries(cases)) {
    using folder = temporaryFolder()
    await using site = await startServedSite(folder.path, {
      GUICHET_TRUSTED_PROXIES: proxies,
      GUICHET_ASK_PER_VISITOR_DAY: String(allowed),
    })
    const statuses = await asked(site, forwarded)
    const count = (status: number) => statuses.filter((one) => one === status).length
    verdicts.push(
      exactly(`forged addresses ${name}: answered of ${flood}`, allowed, count(200)),
      exactly(`forged addresses ${name}: refused with 429`, flood - allowed, count(429)),
    )
  }
  return verdicts
}

async function asked(site: ServedSite, forwarded: (number: number) => string): Promise<number[]> {
  const statuses: number[] = []
  let next = 0
  const client = async () => {
    while (next < flood) statuses.push((await site.ask({ "x-forwarded-for": forwarded(next++) })).status)
  }
  await Promise.all(Array.from({ length: 16 }, client))
  return statuses
}
