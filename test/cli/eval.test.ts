import { expect, test } from "bun:test"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { guichet } from "../support/cli.ts"
import { temporaryFolder } from "../support/service.ts"

test("eval scores a question file on an indexed project", async () => {
  using folder = temporaryFolder()
  const environment = { GUICHET_DATA_DIR: join(folder.path, "data") }
  mkdirSync(environment.GUICHET_DATA_DIR)
  const docs = join(folder.path, "docs")
  mkdirSync(docs)
  writeFileSync(
    join(docs, "sauvegarder.md"),
    "# Sauvegarder\n\nLa commande `backup` copie la base pendant que le service tourne.\n",
  )
  writeFileSync(
    join(docs, "webhooks.md"),
    "# Webhooks\n\nChaque message est signé avec le secret du webhook. Le secret se change sans coupure.\n",
  )
  const file = join(folder.path, "questions.jsonl")
  const questions = [
    {
      id: "1",
      question: "copier la base avec backup",
      answerable: true,
      pages: ["sauvegarder"],
      kind: "howto",
    },
    { id: "2", question: "capitale de l’Australie", answerable: false, pages: [], kind: "outside" },
    {
      id: "3",
      question: "et le changer sans coupure ?",
      answerable: true,
      pages: ["webhooks"],
      kind: "followup",
      previous: "secret du webhook",
    },
  ]
  writeFileSync(file, questions.map((question) => JSON.stringify(question)).join("\n"))
  const run = (...argv: string[]) => guichet(argv, environment)

  const added = await run("project", "add", "--name", "Doc", "--site", "https://docs.exemple.fr", "--json")
  const { id } = JSON.parse(added.stdout) as { id: string }
  await run("index", id, "--dir", docs, "--base-url", "https://docs.exemple.fr")

  const { stdout, exitCode } = await run("eval", id, file, "--json")
  expect(exitCode).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    hit1: 1,
    hit5: 1,
    mrr10: 1,
    followup_hit5: 1,
    cited: expect.any(Number),
    answered: { howto: expect.any(Number), outside: 0, followup: expect.any(Number) },
    questions: 3,
  })

  writeFileSync(file, "not json")
  const wrong = await run("eval", id, file)
  expect([wrong.exitCode, wrong.stderr]).toEqual([1, expect.stringContaining("line 1")])
  expect((await run("eval", id)).exitCode).toBe(2)
})
