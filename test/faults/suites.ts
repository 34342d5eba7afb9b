import { join } from "node:path"
import { exactly, type Verdict } from "../support/verdict.ts"

/** Faults that have a test each in the ordinary suite; here they are run and counted. */
export const suites: Record<string, string[]> = {
  "receivers that misbehave": [
    "test/webhooks/delivery/send.test.ts",
    "test/webhooks/delivery/guard.test.ts",
    "test/webhooks/delivery/dispatcher.test.ts",
  ],
  "models that misbehave": ["test/answering/llm/failures.test.ts", "test/answering/llm/bounds.test.ts"],
  "indexing killed at every stage and damaged": [
    "test/cli/index.test.ts",
    "test/indexing/live-index.slow.test.ts",
  ],
  "feeds that misbehave": [
    "test/reading/kinds/web/site-fetcher.test.ts",
    "test/reading/kinds/lists/sitemap.test.ts",
  ],
  "guesses of passwords from everywhere": ["test/console/sign-in/sign-in-tries.test.ts"],
  "floods of mails": [
    "test/mail/outbox.test.ts",
    "test/forms/submission/consent.test.ts",
    "test/forms/submission/owner-notice.test.ts",
  ],
  "starts that cannot succeed": ["test/cli/start.slow.test.ts"],
}

export async function suite(name: string, files: string[]): Promise<Verdict[]> {
  const child = Bun.spawn([process.execPath, "test", "--timeout", "60000", ...files], {
    cwd: join(import.meta.dir, "../.."),
    stdout: "ignore",
    stderr: "pipe",
    timeout: 300_000,
  })
  const said = await new Response(child.stderr).text()
  await child.exited
  const count = (what: string) => Number(new RegExp(`^ *(\\d+) ${what}$`, "m").exec(said)?.[1] ?? Number.NaN)
  const failed = said.match(/^\(fail\) .*/gm)?.join("; ")
  const verdict = exactly(`${name}: cases that fail, of ${count("pass")}`, 0, count("fail"))
  return [failed ? { ...verdict, found: `${verdict.found} ${failed}` } : verdict]
}
