import { openApp } from "../app.ts"
import { requireIndex } from "../assistant/ask/ask.ts"
import { answeringOf } from "../assistant/ask/outcome.ts"
import {
  type EvalQuestion,
  type EvalReply,
  type EvalScores,
  parseQuestions,
  scoresOf,
} from "../assistant/evaluation/evaluate.ts"
import { tryQuestion } from "../assistant/evaluation/try-question.ts"
import { Refusal, UsageError } from "../base/errors.ts"
import { readConfig } from "../config/config.ts"
import { type Command, print } from "./command.ts"
import { named } from "./project.ts"

export const evaluate: Command = {
  usage: "eval PROJECT FILE.jsonl [--json]",
  about: "asks the questions of a file and scores what came; counts against no limit and keeps nothing",
  options: { json: { type: "boolean" } },
  async run(call) {
    const [, file] = call.positionals
    if (file === undefined) throw new UsageError("which question file? guichet eval PROJECT FILE.jsonl")
    await using app = await openApp(readConfig(call.environment))
    const project = await named(app, call)
    const questions = await readQuestions(file)
    const { index } = await requireIndex(app.assistant, project)
    const answering = answeringOf(app.assistant, project)
    const replies: [EvalQuestion, EvalReply][] = []
    for (const question of questions)
      replies.push([question, await tryQuestion(answering, index, project.language, question)])
    const scores = scoresOf(replies)
    print(call.options["json"] ? JSON.stringify(scores) : readable(scores))
    return undefined
  },
}

async function readQuestions(file: string): Promise<EvalQuestion[]> {
  try {
    return parseQuestions(await Bun.file(file).text())
  } catch (error) {
    throw new Refusal("invalid_request", "", { reason: `${file}: ${(error as Error).message}` })
  }
}

function readable({ answered, questions, ...scores }: EvalScores): string {
  const lines = Object.entries(scores).map(
    ([name, score]) => `${name.padEnd(14)} ${score === null ? "–" : score.toFixed(3)}`,
  )
  const kinds = Object.entries(answered).map(
    ([kind, share]) => `answered, ${kind}: ${(100 * share).toFixed(1)} %`,
  )
  return [`questions      ${questions}`, ...lines, ...kinds].join("\n")
}
