/**
 * How often a right page is cited in conversations. A change of subject: the same question alone, and as second and
 * fourth one after questions on other pages. A follow-up: as it was asked, and written out in full by hand
 * (`questions/follow-ups.jsonl`). And of three sets written for it (`questions/conversations`), of which the second was
 * asked only once the rule was decided, and the third is of sites left out: how many unrelated questions are answered
 * in a conversation, and how many true follow-ups get a text that answers.
 *
 *   bun test/bench/conversations.ts --shared ../shared [--set NAME]… [--data FOLDER] [--only pages,turns]
 */
import { join } from "node:path"
import { parseArgs } from "node:util"
import { undivided } from "../../src/answering/editions/edition-index.ts"
import { holdsText } from "../../src/owners/evaluation/answer-scores.ts"
import { evaluateQuestion } from "../../src/owners/evaluation/evaluate.ts"
import { type EvalQuestion, parseLines } from "../../src/owners/evaluation/question-file.ts"
import { citesRightPage } from "../../src/owners/evaluation/scores.ts"
import { type Corpus, openCorpora } from "./corpora.ts"
import { say } from "./figures.ts"

/** Whether a right page was cited, by question id. */
type Cited = Map<string, boolean>

/** The second question of a conversation. */
interface Turn {
  /** Name of the documentation. */
  set: string
  previous: string
  question: string
  /** Any of them answers a true follow-up; an unrelated question has none. */
  texts?: string[]
}

const { values } = parseArgs({ options: { only: { type: "string" } }, strict: false })
const parts = new Set(String(values.only ?? "pages,turns").split(","))
await using all = await openCorpora()
const lost: string[] = []
if (parts.has("pages")) {
  const writtenOut = await readWrittenOut()
  const rows = []
  for (const corpus of all.corpora) rows.push(await pagesRow(corpus, writtenOut))
  say(`Questions whose answer cites a right page\n${Bun.inspect.table(rows)}`)
}
if (parts.has("turns"))
  for (const name of ["first", "second", "third"]) {
    const turns = await readTurns(name)
    const rows = []
    for (const corpus of all.corpora) rows.push(await turnsRow(corpus, turns))
    say(`The ${name} set of conversations\n${Bun.inspect.table(rows)}`)
  }
for (const line of lost) say(line)

async function pagesRow(
  corpus: Corpus,
  writtenOut: ReadonlyMap<string, string>,
): Promise<Record<string, string>> {
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
  const inFull = await cited(
    corpus,
    followUps.map((question) => written(question, writtenOut)),
  )
  tellLost("as second", corpus, alone, second)
  tellLost("as fourth", corpus, alone, fourth)
  tellLost("as follow-up", corpus, inFull, asAsked)
  return {
    documentation: corpus.name,
    alone: shareOf(alone),
    "as second": shareOf(second),
    "as fourth": shareOf(fourth),
    "follow-ups": shareOf(asAsked),
    "… written out": shareOf(inFull),
  }
}

/** An unrelated question that is answered alone as well is no matter of its conversation, and told apart. */
async function turnsRow(corpus: Corpus, turns: readonly Turn[]): Promise<Record<string, string>> {
  const { name, language, index } = corpus
  const own = turns.filter(({ set }) => set === name)
  const reply = (question: string, previous?: string) => {
    const asked = { id: "", kind: "", answerable: true, pages: [], question, ...(previous && { previous }) }
    return evaluateQuestion(all.deps, undivided(index), language, asked)
  }
  const [unrelated, followUps] = [own.filter(({ texts }) => !texts), own.filter(({ texts }) => texts)]
  let [answered, alone, right] = [0, 0, 0]
  for (const { question, previous } of unrelated) {
    if (!(await reply(question, previous)).answered) continue
    answered++
    const isAlone = (await reply(question)).answered
    if (isAlone) alone++
    lost.push(`${name} unrelated, answered${isAlone ? " alone too" : ""}: ${previous} → ${question}`)
  }
  for (const { question, previous, texts = [] } of followUps) {
    const { answered, text } = await reply(question, previous)
    if (answered && holdsText(text, texts)) right++
    else
      lost.push(`${name} follow-up ${answered ? "answered wrongly" : "refused"}: ${previous} → ${question}`)
  }
  return {
    documentation: name,
    "unrelated, answered": `${answered} of ${unrelated.length}`,
    "… alone too": String(alone),
    "follow-ups answered rightly": `${right} of ${followUps.length}`,
  }
}

async function readTurns(name: string): Promise<Turn[]> {
  const text = await Bun.file(join(import.meta.dir, `questions/conversations/${name}.jsonl`)).text()
  return parseLines<Turn>(
    text,
    '{"set","previous","question","texts"?}',
    ({ set, previous, question, texts }) =>
      set && previous && question ? { set, previous, question, ...(texts && { texts }) } : undefined,
  )
}

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

function written(
  { previous: _, ...question }: EvalQuestion,
  writtenOut: ReadonlyMap<string, string>,
): EvalQuestion {
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
