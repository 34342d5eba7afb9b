import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import type { Answerer } from "../../../src/answering/answerer.ts"
import { answerable, foreign, indexFolder, origin, type Site } from "../../support/ask.ts"
import { passage } from "../../support/passages.ts"
import { temporaryFolder } from "../../support/service.ts"
import { aService } from "../../support/service-builder.ts"

// Specification, part 2 A2: the ask response. Part 3 A: its two statuses.

let site: Site
beforeAll(async () => {
  site = await aService().withIndexedProject().started()
})
afterAll(() => site[Symbol.asyncDispose]())

test("an answered question has an id, its status, an answer and its sources, and nothing else", async () => {
  const { status, headers, body } = await site.ask()
  expect(status).toBe(200)
  expect(headers.get("content-type")).toStartWith("application/json")
  expect(headers.get("cache-control")).toBe("no-store")
  expect(Object.keys(body)).toEqual(["id", "status", "answer", "sources"])
  expect(body).toMatchObject({ id: expect.stringMatching(/^ans_[0-9a-f]{32}$/), status: "answered" })
  expect(body.sources.length).toBeGreaterThan(0)
})

test("a source has a number, the page's title, a section or null, and an absolute url", async () => {
  const { body } = await site.ask()
  for (const source of body.sources) {
    expect(Object.keys(source)).toEqual(["n", "title", "section", "url"])
    expect(source.title).toBeString()
    expect(source.section === null || typeof source.section === "string").toBe(true)
    expect(new URL(source.url).origin).toBe(origin)
  }
  expect(body.sources[0].title).toBe("Vérifier la signature d’un webhook")
})

test("a question with typing errors gets the answer of the one without", async () => {
  const { body } = await site.ask()
  const mistyped = await site.ask({ question: "Coment vérifer la signatrue d’un webhook ?" })
  expect({ ...mistyped.body, id: body.id }).toEqual(body)
})

test("markers name exactly the sources, numbered from 1 by first use", async () => {
  for (const question of [answerable, "Comment installer Guichet ?", "Quelles sont les limites ?"]) {
    const { body } = await site.ask({ question })
    const named = [...body.answer.matchAll(/\[\^(\d+)\]/g)].map((marker) => Number(marker[1]))
    const numbers = body.sources.map((source: { n: number }) => source.n)
    expect([...new Set(named)]).toEqual(numbers)
    expect(numbers).toEqual(numbers.map((_: number, place: number) => place + 1))
  }
})

test("a question that the documentation does not answer says so, suggests rephrasing, and has no source", async () => {
  const { status, body } = await site.ask({ question: foreign })
  expect(status).toBe(200)
  expect(body).toEqual({
    id: expect.stringMatching(/^ans_/),
    status: "no_answer",
    answer: expect.stringMatching(/documentation ne répond pas.*reformuler/),
    sources: [],
  })
})

test("a word in common with the documentation is not yet an answer", async () => {
  const { body } = await site.ask({ question: "Quelle recette de tarte aux pommes mettre sur la page ?" })
  expect(body).toMatchObject({ status: "no_answer", sources: [] })
})

test("the page that the visitor has open turns no refusal into an answer", async () => {
  for (const page of ["/", "/verifier-une-signature", "/installation.html", "/nulle-part"])
    expect((await site.ask({ question: foreign, page })).body.status).toBe("no_answer")
})

test("a question of stop words or signs alone is not answered", async () => {
  for (const question of ["de la", "??", "😀😀", "\u200b\u200b"])
    expect((await site.ask({ question })).body).toMatchObject({ status: "no_answer", sources: [] })
})

test("every reply is stored as it was sent", async () => {
  for (const question of [answerable, foreign]) {
    const { body } = await site.ask({ question, page: "/guide" })
    const row = await site.service.app.db
      .selectFrom("answer")
      .selectAll()
      .where("id", "=", body.id)
      .executeTakeFirstOrThrow()
    expect({ id: row.id, status: row.status, answer: row.answer, sources: JSON.parse(row.sources) }).toEqual(
      body,
    )
    expect(row).toMatchObject({ project_id: site.project.id, question, page: "/guide", useful: null })
    expect(row.created_at).toBe(site.clock.now())
  }
})

test("an answer that has no valid source is returned as no_answer", async () => {
  const invented = passage("ailleurs", "Ailleurs", "Rien de cela n’a été retrouvé.")
  const answerers: Answerer["answer"][] = [
    async function* () {
      yield { markdown: "Une phrase inventée.", passages: [invented] }
      yield { markdown: "Une phrase sans source.", passages: [] }
    },
    async function* () {},
  ]
  for (const answer of answerers) {
    await using other = await aService()
      .withOverrides({ assistant: { answerer: { version: "test", answer } } })
      .withIndexedProject()
      .started()
    expect((await other.ask()).body).toMatchObject({ status: "no_answer", sources: [] })
  }
})

test("only the sentences whose source is valid are kept", async () => {
  const answer: Answerer["answer"] = async function* ({ passages }) {
    yield { markdown: "Vraie.", passages: passages.slice(1, 2) }
    yield { markdown: "Inventée.", passages: [passage("ailleurs", "Ailleurs", "Non.")] }
    yield { markdown: "Vraie aussi.", passages: passages.slice(0, 1) }
  }
  await using other = await aService()
    .withOverrides({ assistant: { answerer: { version: "test", answer } } })
    .withIndexedProject()
    .started()
  const { body } = await other.ask()
  expect(body.answer).toBe("Vraie. [^1]\n\nVraie aussi. [^2]")
  expect(body.sources).toHaveLength(2)
})

test("an English project answers, refuses and suggests in English; errors stay French", async () => {
  using folder = temporaryFolder()
  await Bun.write(
    join(folder.path, "backup.md"),
    "# Backups\n\n## Restore a backup\n\nStop the service, then run the restore command with the backup file.\n",
  )
  await using other = await aService().withIndexedProject({ language: "en" }).started()
  await indexFolder(other.service.app, other.project, folder.path)
  const { body } = await other.ask({ question: "How do I restore a backup?" })
  expect(body).toMatchObject({
    status: "answered",
    answer: expect.stringContaining("run the restore command"),
  })
  expect(body.sources[0]).toMatchObject({
    n: 1,
    section: "Restore a backup",
    url: `${origin}/backup#restore-a-backup`,
  })
  expect((await other.ask({ question: "What is the recipe of apple pie?" })).body.answer).toMatch(
    /does not answer.*rephrasing/,
  )
  expect((await other.ask({ question: "a" })).body.error.message).toContain("trop courte")
})
