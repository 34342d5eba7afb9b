import { requireIndex } from "../answering/ask/admit.ts"
import { answerDepsFor } from "../answering/ask/answer.ts"
import { askedEdition } from "../answering/editions/edition-index.ts"
import { Refusal } from "../base/errors.ts"
import { type AnswerScores, parseAnswerTexts, scoreAnswers } from "../owners/evaluation/answer-scores.ts"
import { evaluateQuestion } from "../owners/evaluation/evaluate.ts"
import { type EvalQuestion, parseQuestions } from "../owners/evaluation/question-file.ts"
import { type EvalReply, type EvalScores, scoreReplies } from "../owners/evaluation/scores.ts"
import { defineDataCommand } from "./kit/open.ts"
import { readText } from "./kit/read-file.ts"
import { aboutProject, requireProject } from "./project.ts"

const maxFileBytes = 64 * 1024 * 1024

export const evaluate = defineDataCommand({
  about: "asks the questions of a file and scores the answers",
  details: "Counts against no limit and keeps nothing.",
  args: { project: aboutProject, file: "question file (.jsonl), with one JSON object a line" },
  options: {
    answers: {
      value: "FILE",
      about: 'file (.jsonl) of the texts that answer, {"id","texts"} a line: scores what replies hold',
    },
  },
  async run({ app, args, options }) {
    const project = await requireProject(app, args.project)
    const questions = await readJsonLines(args.file, parseQuestions)
    const texts =
      options.answers === undefined ? undefined : await readJsonLines(options.answers, parseAnswerTexts)
    await app.embeddings.local?.warm()
    const { index } = await requireIndex(app.assistant, project)
    const replies: [EvalQuestion, EvalReply][] = []
    for (const question of questions) {
      const deps = answerDepsFor(app.assistant, project)
      replies.push([
        question,
        await evaluateQuestion(
          deps,
          await askedEdition(index, project, { page: question.page }),
          project.language,
          question,
        ),
      ])
    }
    const scores = scoreReplies(replies)
    const answerScores = texts && scoreAnswers(replies, texts)
    return {
      json: { ...scores, ...answerScores },
      text: [readable(scores), ...(answerScores ? [readableAnswers(answerScores)] : [])],
    }
  },
})

async function readJsonLines<Content>(file: string, parse: (text: string) => Content): Promise<Content> {
  const text = await readText(file, maxFileBytes)
  try {
    return parse(text)
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

function readableAnswers({ words, refused, ...shares }: AnswerScores): string {
  const lines = Object.entries(shares).map(
    ([name, score]) => `${name.padEnd(14)} ${score === null ? "–" : score.toFixed(3)}`,
  )
  const lengths = words ? `${words.median} (median), ${words.p90} (90th percentile)` : "–"
  return [...lines, `refused        ${refused}`, `words          ${lengths}`].join("\n")
}
