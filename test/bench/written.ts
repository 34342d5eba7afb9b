/**
 * `bun test/bench/written.ts`: the scores of `guichet eval` on our own documentation, answered with its own sentences and, over
 * both protocols, by the tests' embedder and honest model. How good a real model is only a real model can tell: this shows that
 * the way there and back, verification included, loses nothing.
 */
import { join } from "node:path"
import {
  type EvalQuestion,
  type EvalReply,
  parseQuestions,
  scoresOf,
} from "../../src/assistant/evaluation/evaluate.ts"
import { tryQuestion } from "../../src/assistant/evaluation/try-question.ts"
import type { LiveIndex } from "../../src/assistant/indexing/live-index.ts"
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
    replies.push([question, await tryQuestion(assistant, index, project.language, question)])
  const { answered, questions: count, ...scores } = scoresOf(replies)
  const shown = Object.entries({ ...scores, ...answered }).map(([name, score]) => [
    name,
    score?.toFixed(3) ?? "–",
  ])
  return { answers: name, questions: String(count), ...Object.fromEntries(shown) }
}
