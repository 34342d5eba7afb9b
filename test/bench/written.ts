/**
 * `bun test/bench/written.ts` prints the scores of `guichet eval` on our own documentation: answered by
 * extraction, and over both model protocols by the tests' embedder and honest model. It shows that prompting
 * and verification lose nothing. Only a real model can show how good a real model is.
 */
import { join } from "node:path"
import { undivided } from "../../src/answering/editions/edition-index.ts"
import type { LiveIndex } from "../../src/indexing/live-index.ts"
import { evaluateQuestion } from "../../src/owners/evaluation/evaluate.ts"
import { type EvalQuestion, parseQuestions } from "../../src/owners/evaluation/question-file.ts"
import { type EvalReply, scoreReplies } from "../../src/owners/evaluation/scores.ts"
import type { Site } from "../support/ask.ts"
import { providers } from "../support/models/server.ts"
import { aService } from "../support/service-builder.ts"

const file = join(import.meta.dir, "../../data/eval/demo.jsonl")
const questions = parseQuestions(await Bun.file(file).text())
const rows: Record<string, string>[] = []
{
  await using site = await aService().withIndexedProject().started()
  rows.push(await row("extractive", site))
}
for (const provider of providers) {
  await using site = await aService().withModel(provider).started()
  rows.push(await row(provider, site))
}
process.stdout.write(`${Bun.inspect.table(rows)}\n`)

async function row(name: string, { service, project }: Site): Promise<Record<string, string>> {
  const { assistant } = service.app
  const { index } = (await assistant.liveIndex(project.id)) as LiveIndex
  const replies: [EvalQuestion, EvalReply][] = []
  for (const question of questions)
    replies.push([question, await evaluateQuestion(assistant, undivided(index), project.language, question)])
  const { answered, questions: count, ...scores } = scoreReplies(replies)
  const shown = Object.entries({ ...scores, ...answered }).map(([name, score]) => [
    name,
    score?.toFixed(3) ?? "–",
  ])
  return { answers: name, questions: String(count), ...Object.fromEntries(shown) }
}
