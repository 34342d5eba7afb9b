import { expect, test } from "bun:test"
import { join, resolve } from "node:path"
import { inFrench } from "../../../src/console/kit/french-details.ts"

const source = resolve(import.meta.dir, "../../../src")

/** Matches the English details in the source, as plain strings or as templates. */
const said =
  /(?:detail: |detail = |detail \?\? |wrong: |refused: |unknown: |\?\? |broken\(|stop\(|incomplete\(url, |unreadable\(start\.href, |ok\(|warning\(|failed\()(?:"([^"\n]+)"|`([^`\n]+)`)/g

/** Templates that are put together from parts that differ: `composed` holds what comes of them. */
const fragments = new Set([
  "7: does the service run?",
  "reading it 7",
  "more than 7: the rest is not read",
  '${count === 1 ? "an address" : ',
  "7 7 no public address: GUICHET_FEED_ALLOW_PRIVATE=true reads private networks",
  "more than 7 7",
  "7, form posts are refused below 7 MB",
])
const composed = [
  "reading it took more than 10 s of processor time",
  "reading it took more than 60 s",
  "took more than 768 MB of memory",
  "more than 20000000 characters of addresses: the rest is not read",
  "an address of more than 2048 characters",
  "49 addresses of more than 2048 characters",
  "docs.exemple.fr has no public address: GUICHET_FEED_ALLOW_PRIVATE=true reads private networks",
  "127.0.0.1 is no public address: GUICHET_FEED_ALLOW_PRIVATE=true reads private networks",
  "more than 400,000 lines",
  "more than 100,000 tags",
  "412 MB free, form posts are refused below 512 MB",
]

test("what is put together from parts is said in French, too", () => {
  expect(composed.filter((text) => !inFrench(text))).toEqual([])
})

test("what is said of pages that are left out and of the parts of the service is said in French, too", async () => {
  const silent: string[] = []
  let texts = 0
  for (const folder of ["assistant/feeds", "assistant/documents", "ops/checks"])
    for (const file of new Bun.Glob("**/*.ts").scanSync(join(source, folder))) {
      const code = await Bun.file(join(source, folder, file)).text()
      for (const [, plain, template] of code.matchAll(said)) {
        const text = plain ?? (template as string).replace(/\$\{(?:[^{}]|\{[^{}]*\})*\}/g, "7")
        // Error codes of a driver are not translated, nor fragments that only extend another text.
        if (!/[a-z]{2} /.test(text) || fragments.has(text)) continue
        texts += 1
        if (!inFrench(text)) silent.push(`${file}: ${text}`)
      }
    }
  expect(silent).toEqual([])
  expect(texts).toBeGreaterThan(40)
})

test("what is put before another text is kept, and what other programs say stays as they said it", () => {
  expect(inFrench("https://docs.fr/sitemap.xml: answered 404")).toBe(
    "https://docs.fr/sitemap.xml\u00a0: Le site a répondu HTTP 404.",
  )
  expect(inFrench("robots.txt: nothing received for 10 seconds")).toStartWith("robots.txt\u00a0: Rien")
  expect(inFrench("more than 5,242,880 bytes")).toBe("Plus de 5\u202f242\u202f880 octets.")
  expect(inFrench("69663 MB free")).toBe("68\u00a0Go libres.")
  expect(inFrench("2026-11-20T15:20:25.853Z")).toBe("Il est 2026-11-20 15:20:25 (UTC).")
  expect(inFrench("draft: true in its front matter")).toBe("Son en-tête dit «\u00a0draft: true\u00a0».")
  expect(inFrench("EACCES: permission denied, scandir '/docs'")).toBeUndefined()
})
