import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { guichet } from "../support/cli.ts"
import { documentation } from "../support/documentation.ts"
import { temporaryFolder } from "../support/service.ts"

// The embedded model itself, in its own process, as a person at a shell meets it.

const sources = [process.execPath, join(import.meta.dir, "../../src/main.ts")]
const docs = documentation({
  "facturer.md":
    "# Régler une facture\n\nVous pouvez payer par carte bancaire ou par virement sous trente jours.",
  "vacances.md": "# Poser un congé\n\nVotre responsable valide la demande dans la semaine.",
  "velo.md": "# Garer son vélo\n\nUn abri fermé se trouve derrière le bâtiment.",
})
const folder = temporaryFolder()
const environment = { GUICHET_DATA_DIR: folder.path, GUICHET_EMBEDDING: "local" }
const run = (...argv: string[]) => guichet(argv, environment, "", sources)
let project: string

beforeAll(async () => {
  const { stdout } = await run("project", "add", "--name", "D", "--site", "https://docs.exemple.fr", "--json")
  project = JSON.parse(stdout).id
})

afterAll(() => {
  docs[Symbol.dispose]()
  folder[Symbol.dispose]()
})

test("index returns when the vectors are in, and pays for none of them twice", async () => {
  const index = async (...more: string[]) =>
    JSON.parse((await run("index", project, ...more, "--json")).stdout)
  const first = await index("--dir", docs.path, "--base-url", "https://docs.exemple.fr")
  expect(first).toMatchObject({ documents: 3, passages: 3, embedding: { embedded: 3, reused: 0 } })
  await Bun.write(
    join(docs.path, "velo.md"),
    "# Garer son vélo\n\nUn abri couvert se trouve près de l’entrée.",
  )
  expect(await index()).toMatchObject({ unchanged: 2, embedding: { embedded: 3, reused: 2 } })
})

test("a page that shares no word with the question is found by its meaning", async () => {
  const { stdout } = await run("ask", project, "où laisser ma bicyclette ?", "--json")
  const [first] = JSON.parse(stdout).debug.passages
  expect(first).toMatchObject({ url: "https://docs.exemple.fr/velo", words: 0, meaning: expect.any(Number) })
})

test("check tells that the model works", async () => {
  expect((await run("check")).stdout).toContain("meaning: the embedded model works")
})

test("after --words, words answer, and check says that the vectors follow; the next index makes them", async () => {
  await Bun.write(join(docs.path, "velo.md"), "# Garer son vélo\n\nUn abri éclairé longe la cour.")
  const { stdout } = await run("index", project, "--words")
  expect(stdout).toContain("1 vectors follow: guichet serve makes them")
  const check = (await run("check")).stdout
  expect(check).toContain(`index: words answer, vectors follow while the service runs: ${project}`)
  const { stdout: second, stderr } = await run("index", project)
  expect(second).toContain("vectors: 2 passages unchanged")
  expect(stderr).not.toContain("requests")
  expect((await run("check")).stdout).toContain("index: every project that was read has its index")
})

test("a model that does not start is told of with the reason and what helps, and words answer", async () => {
  using preload = temporaryFolder()
  const broken = join(preload.path, "broken.ts")
  await Bun.write(broken, 'if (process.argv.includes("embed-for-parent")) process.exit(1)')
  const withBroken = { ...environment, BUN_OPTIONS: `--preload=${broken}` }
  await Bun.write(join(docs.path, "velo.md"), "# Garer son vélo\n\nUn abri gardé jouxte la gare.")
  const { stderr, exitCode } = await guichet(["index", project], withBroken, "", sources)
  const told =
    /words alone find passages: the embedded model does not work: its process ended; .*GUICHET_EMBEDDING=none/
  expect(stderr).toMatch(told)
  expect(exitCode).toBe(0)
  expect((await guichet(["check"], withBroken, "", sources)).stdout).toMatch(told)
  const asked = await guichet(["ask", project, "Où garer son vélo ?", "--json"], withBroken, "", sources)
  expect(JSON.parse(asked.stdout)).toMatchObject({ status: "answered" })
})
