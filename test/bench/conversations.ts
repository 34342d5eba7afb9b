/**
 * How often a right page is cited in conversations. A change of subject: the same question alone, and as second and
 * fourth one after questions on other pages. A follow-up: as it was asked, and written out in full by hand
 * (`questions/follow-ups.jsonl`).
 *
 *   bun test/bench/conversations.ts --shared ../shared [--set NAME]… [--data FOLDER]
 */
import { join } from "node:path"
import { undivided } from "../../src/assistant/editions/edition-index.ts"
import { evaluateQuestion } from "../../src/assistant/evaluation/evaluate.ts"
import type { EvalQuestion } from "../../src/assistant/evaluation/question-file.ts"
import { citesRightPage } from "../../src/assistant/evaluation/scores.ts"
import { type Corpus, openCorpora } from "./corpora.ts"
import { say } from "./figures.ts"

/** Whether a right page was cited, by question id. */
type Cited = Map<string, boolean>

const writtenOut = await readWrittenOut()
await using all = await openCorpora()
const rows: Record<string, string>[] = []
const lost: string[] = []
for (const corpus of all.corpora) {
  const questions = corpus.questions.filter(
    ({ answerable, previous }) => answerable && previous === undefined,
  )
  const after = (count: number) =>
    questions.map((question, at) => ({ ...question, previous: unrelated(questions, at, count) }))
  const alone = await cited(corpus, questions)
  const second = await cited(corpus, after(1))
  const fourth = await cited(corpus, after(3))
  const followUps = corpus.questions.filter(({ previous }) => previous !== undefined)
  const asAsked = await cited(corpus, followUps)
  const inFull = await cited(corpus, followUps.map(written))
  rows.push({
    documentation: corpus.name,
    alone: shareOf(alone),
    "as second": shareOf(second),
    "as fourth": shareOf(fourth),
    "follow-ups": shareOf(asAsked),
    "… written out": shareOf(inFull),
  })
  tellLost("as second", corpus, alone, second)
  tellLost("as fourth", corpus, alone, fourth)
  tellLost("as follow-up", corpus, inFull, asAsked)
}
say("Questions whose answer cites a right page")
say(Bun.inspect.table(rows))
for (const line of lost) say(line)

async function cited({ index, language }: Corpus, questions: readonly EvalQuestion[]): Promise<Cited> {
  const found: Cited = new Map()
  for (const question of questions)
    found.set(
      question.id,
      citesRightPage(question, await evaluateQuestion(all.deps, undivided(index), language, question)),
    )
  return found
}

/** Questions on other pages, evenly spread over the set. */
function unrelated(questions: readonly EvalQuestion[], at: number, count: number): string[] {
  const { pages } = questions[at] as EvalQuestion
  const others = questions.map((_, ahead) => questions[(at + ahead) % questions.length] as EvalQuestion)
  const foreign = others.filter((other) => !other.pages.some((page) => pages.includes(page)))
  return Array.from({ length: count }, (_, nth) => {
    const place = Math.floor(((nth + 1) * foreign.length) / (count + 1))
    return (foreign[place] as EvalQuestion).question
  })
}

function written({ previous: _, ...question }: EvalQuestion): EvalQuestion {
  const inFull = writtenOut.get(question.id)
  if (inFull === undefined) throw new Error(`follow-ups.jsonl does not write out ${question.id}`)
  return { ...question, question: inFull }
}

async function readWrittenOut(): Promise<Map<string, string>> {
  const lines = (await Bun.file(join(import.meta.dir, "questions/follow-ups.jsonl")).text())
    .trim()
    .split("\n")
  return new Map(
    lines.map((line) => {
      const { id, question } = JSON.parse(line) as { id: string; question: string }
      return [id, question]
    }),
  )
}

function tellLost(place: string, { name, questions }: Corpus, before: Cited, after: Cited): void {
  for (const { id, question } of questions)
    if (before.get(id) !== after.get(id) && before.has(id))
      lost.push(`${name} ${id} ${place} ${after.get(id) ? "gained" : "lost"}: ${question}`)
}

function shareOf(cited: Cited): string {
  return cited.size === 0 ? "–" : `${[...cited.values()].filter(Boolean).length} of ${cited.size}`
}
