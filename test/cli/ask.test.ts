import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { answerable, foreign, origin, type Site } from "../support/ask.ts"
import { guichet } from "../support/cli.ts"
import { signedIn } from "../support/operator.ts"
import { textOf } from "../support/page-text.ts"
import { engine } from "../support/postgres.ts"
import { temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"

// `guichet ask` as a process, beside a service that runs on the same data folder.

// Each call starts a process.

const folder = temporaryFolder()
const environment = { GUICHET_DATA_DIR: folder.path, GUICHET_ASK_PER_MINUTE: "1" }
let site: Site
beforeAll(async () => {
  site = await aService().withSettings(environment).withIndexedProject().started()
})
afterAll(async () => {
  await site[Symbol.asyncDispose]()
  folder[Symbol.dispose]()
})

const ask = (...argv: string[]) => guichet(["ask", site.project.id, ...argv], environment)

test("without a question it is called wrongly, whatever the project", async () => {
  expect(await ask()).toMatchObject({ exitCode: 2, stdout: "" })
  const { exitCode, stderr } = await guichet(["ask", "nothere1"], environment)
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining("which question?") })
})

test("prints the answer with its sources; --json the ask response and how it was found", async () => {
  const { exitCode, stdout } = await ask(answerable)
  expect(exitCode).toBe(0)
  expect(stdout).toMatch(/\[\^1\] Vérifier la signature d’un webhook.*\n +https:\/\/docs\.exemple\.fr\//)

  const reply = JSON.parse((await ask(answerable, "--json")).stdout)
  expect(Object.keys(reply)).toEqual(["id", "status", "answer", "sources", "debug"])
  expect(reply.status).toBe("answered")
  expect(reply.debug.passages[0]).toEqual({
    score: expect.any(Number),
    words: expect.any(Number),
    meaning: null,
    url: expect.stringContaining(`${origin}/verifier-une-signature`),
    title: "Vérifier la signature d’un webhook",
    section: expect.any(String),
  })
  expect(Object.values(reply.debug.signals)).toContainEqual(expect.any(Number))
  expect(reply.debug.decision).toMatchObject({ answerable: true })
})

test("an unanswered question is no failure", async () => {
  const { exitCode, stdout } = await ask(foreign, "--json")
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toMatchObject({ status: "no_answer", sources: [] })
})

test("is kept like any other answer: --previous works, on the shell and over HTTP", async () => {
  const question = "Comment sauvegarder la base ?"
  const first = JSON.parse((await ask(question, "--json")).stdout)
  const followUp = JSON.parse((await ask("Et pour la restaurer ?", "--previous", first.id, "--json")).stdout)
  expect(followUp.debug.passages[0].title).toBe("Sauvegarder et restaurer")
  const rows = await site.service.app.db.selectFrom("answer").select("question").execute()
  expect(rows.map((row) => row.question)).toContain(question)
})

test("is a trial: it stands in the list of questions as such, and in no statistics, gap or list of what is asked most", async () => {
  const [asked, missing] = ["Comment tester un webhook en local ?", "Livrez-vous des pizzas à Rennes ?"]
  for (const question of [asked, asked, missing]) expect((await ask(question)).exitCode).toBe(0)
  const client = await signedIn(site.service)
  const path = `/console/projects/${site.project.id}`
  const shown = async (address: string) => textOf((await client.get(address)).text)
  const list = await shown(`${path}/questions`)
  expect(list).toContain(`${missing} question d’essai, non comptée`)
  expect(list).toContain("Les plus posées Aucune question")
  expect(await shown(`${path}/questions/gaps`)).not.toContain(missing)
  const home = await shown(path)
  expect(home).toContain("Recevoir la première question (à faire)")
  expect(home).toContain("Aucune question pendant ces jours.")
  expect(home).not.toContain(missing)
})

test("counts against no limit", async () => {
  const counts = () => site.service.app.db.selectFrom("limit_count").selectAll().execute()
  // Tries to sign in are counted there too.
  const before = await counts()
  expect((await ask(answerable)).exitCode).toBe(0)
  expect(await counts()).toEqual(before)
  expect((await site.ask()).status).toBe(200)
})

test("exit codes: 1 for what cannot be answered, 2 for a wrong call", async () => {
  const [unknown, invalid, missing, unquoted] = await Promise.all([
    guichet(["ask", "a".repeat(16), "Comment ?"], environment),
    ask("?"),
    ask(),
    ask("Comment", "faire"),
  ])
  expect(unknown).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("no project aaaaaaaaaaaaaaaa"),
  })
  expect(invalid).toMatchObject({
    exitCode: 1,
    stderr: expect.stringContaining("has fewer than 2 characters"),
  })
  expect([missing?.exitCode, unquoted?.exitCode]).toEqual([2, 2])
})

test("a project that is not indexed is told how to be", async () => {
  const added = await guichet(["project", "add", "--name", "Vide", "--site", origin, "--json"], environment)
  const { id } = JSON.parse(added.stdout)
  const { exitCode, stderr } = await guichet(["ask", id, "Comment faire ?"], environment)
  expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: expect.stringContaining("is not indexed yet") })
})

// On PostgreSQL the files come back from their archive.
test.skipIf(engine === "postgres")(
  "an index whose files are missing is one that the service builds again, not one to be made",
  async () => {
    using own = temporaryFolder()
    const settings = { GUICHET_DATA_DIR: join(own.path, "data") }
    const documents = join(own.path, "documents")
    for (const folder of [settings.GUICHET_DATA_DIR, documents]) mkdirSync(folder)
    writeFileSync(
      join(documents, "velo.md"),
      "# Garer son vélo\n\nUn abri fermé se trouve derrière le bâtiment.",
    )
    const added = await guichet(["project", "add", "--name", "Vélo", "--site", origin, "--json"], settings)
    const { id } = JSON.parse(added.stdout)
    await guichet(["index", id, "--dir", documents, "--base-url", origin], settings)
    rmSync(join(own.path, "data", "index"), { recursive: true })
    const { exitCode, stderr } = await guichet(["ask", id, "Où garer mon vélo ?"], settings)
    expect({ exitCode, stderr }).toEqual({
      exitCode: 1,
      stderr: expect.stringContaining("the service builds it again when it starts"),
    })
  },
)
