import { expect, test } from "bun:test"
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join, normalize } from "node:path"
import GithubSlugger from "github-slugger"
import { commands } from "../src/cli/commands.ts"
import { settings } from "../src/config/settings.ts"
import { newSecret, sign, signingKey } from "../src/webhooks/endpoints/signature.ts"
import { temporaryFolder } from "./support/service.ts"

const project = join(import.meta.dir, "..")
const readme = await Bun.file(join(project, "README.md")).text()
const pages = readdirSync(join(project, "data/operate"))
  .filter((file) => file.endsWith(".md"))
  .map((file) => `data/operate/${file}`)
const texts = pages.map((page) => readFileSync(join(project, page), "utf8"))
const documentation = [readme, ...texts].join("\n")

/**
 * What the README tells customers to run, in each language, on a true message, one of an old secret, and two
 * forgeries.
 */
const programs: Record<string, { file: string; command: string; code: string }> = {
  js: {
    file: "verify.mjs",
    command: process.execPath,
    code: `import { readFileSync } from "node:fs"
for (const { secret, headers, body } of JSON.parse(readFileSync("cases.json", "utf8"))) console.log(verify(secret, headers, Buffer.from(body)) && verify(secret, new Headers(headers), Buffer.from(body)) ? "yes" : "no")`,
  },
  python: {
    file: "verify.py",
    command: "python3",
    code: `import json
for case in json.load(open("cases.json")): print("yes" if verify(case["secret"], case["headers"], case["body"].encode()) else "no")`,
  },
  php: {
    file: "verify.php",
    command: "php",
    code: `foreach (json_decode(file_get_contents("cases.json"), true) as $case) echo verify($case["secret"], array_change_key_case($case["headers"], CASE_UPPER), $case["body"]) ? "yes\\n" : "no\\n";`,
  },
}

for (const [language, { file, command, code }] of Object.entries(programs)) {
  test.skipIf(Bun.which(command) === null)(
    `the ${language} of the documentation verifies our signatures`,
    async () => {
      using folder = temporaryFolder()
      const shown = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(documentation)?.[1] as string
      writeFileSync(join(folder.path, file), `${shown}\n${code}\n`)
      writeFileSync(join(folder.path, "cases.json"), JSON.stringify(cases()))
      const run = Bun.spawn([command, file], { cwd: folder.path, stdout: "pipe", stderr: "inherit" })
      const said = (await new Response(run.stdout).text()).trim().split("\n")
      expect(said).toEqual(cases().map(({ verified }) => (verified ? "yes" : "no")))
    },
  )
}

function cases() {
  const [current, previous] = [newSecret(), newSecret()]
  const body = '{"text":"é😀"}'
  const sentAt = Math.floor(Date.now() / 1000)
  const late = sentAt - 301
  const headers = (at: number) => ({
    "webhook-id": "msg_1",
    "webhook-timestamp": String(at),
    "webhook-signature": sign([signingKey(current), signingKey(previous)], "msg_1", at, Buffer.from(body)),
  })
  const { "webhook-signature": signature, ...unsigned } = headers(sentAt)
  const { "webhook-timestamp": timestamp, ...undated } = headers(sentAt)
  const { "webhook-id": id, ...nameless } = headers(sentAt)
  const dated = (timestamp: string) => ({ ...headers(sentAt), "webhook-timestamp": timestamp })
  const signed = (signature: string) => ({ ...headers(sentAt), "webhook-signature": signature })
  return [
    { secret: current, headers: headers(sentAt), body, verified: true },
    { secret: previous, headers: headers(sentAt), body, verified: true },
    { secret: newSecret(), headers: headers(sentAt), body },
    { secret: current, headers: headers(sentAt), body: `${body} ` },
    { secret: current, headers: headers(late), body },
    // Whoever finds the address may send it anything.
    { secret: current, headers: { "content-type": "application/json" }, body },
    { secret: current, headers: unsigned, body },
    { secret: current, headers: undated, body },
    { secret: current, headers: nameless, body },
    ...["abc", "", "-1", "1e400", "9".repeat(400), `${sentAt}abc`].map((text) => ({
      secret: current,
      headers: dated(text),
      body,
    })),
    ...["", "v1", "v1,", "v1,é", "v2,AAAA", "é"].map((text) => ({
      secret: current,
      headers: signed(text),
      body,
    })),
  ].map((given) => ({ verified: false, ...given }))
}

test("the documentation names every setting and every command", () => {
  const missing = [
    ...Object.values(settings).map(({ name }) => `\`${name}\``),
    ...new Set(Object.keys(commands).map((name) => name.split(" ")[0] as string)),
  ].filter((name) => !documentation.includes(name))
  expect(missing).toEqual([])
})

test("the README is read in one go, and leads to every page", () => {
  expect(readme.length).toBeLessThanOrEqual(9000)
  const reached = new Set(["README.md"])
  for (const file of reached)
    for (const { target } of linksOf(file)) if (target.endsWith(".md")) reached.add(target)
  expect(pages.filter((page) => !reached.has(page))).toEqual([])
})

test("every link between the pages leads to a file, and to a heading of it", () => {
  const broken = [
    "README.md",
    "data/LISEZMOI.md",
    ".github/CONTRIBUTING.md",
    ".github/SECURITY.md",
    ...pages,
  ].flatMap((file) =>
    linksOf(file)
      .filter(({ target, anchor }) => !leadsSomewhere(target, anchor))
      .map(({ target, anchor }) => `${file} → ${target}#${anchor}`),
  )
  expect(broken).toEqual([])
})

test("the pages an operator installs link to one another alone, so that the package can hold them", () => {
  const outside = pages
    .flatMap((page) => linksOf(page))
    .filter(({ target }) => !target.startsWith("data/operate/"))
  expect(outside).toEqual([])
})

/** Links of a page to files of the project, by their path within it. */
function linksOf(file: string): { target: string; anchor: string }[] {
  const text = readFileSync(join(project, file), "utf8")
  return [...text.matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)/g)].map(([, path = "", anchor = ""]) => ({
    target: path === "" ? file : normalize(join(dirname(file), path)),
    anchor,
  }))
}

function leadsSomewhere(target: string, anchor: string): boolean {
  if (!existsSync(join(project, target))) return false
  if (anchor === "") return true
  const slugger = new GithubSlugger()
  const headings = readFileSync(join(project, target), "utf8").matchAll(/^#+ (.+)$/gm)
  return [...headings].some(([, heading = ""]) => slugger.slug(heading) === anchor)
}
