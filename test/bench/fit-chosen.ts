import { existsSync, readdirSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Language } from "../../src/accounts/project.ts"
import {
  type ComparedQuestion,
  comparedQuestion,
  hasSameWords,
  likeness,
  minCosine,
  minShared,
  sharedWords,
} from "../../src/answering/chosen/same-question.ts"
import { cosine } from "../../src/index/embedding/embedder.ts"
import { openE5 } from "../../src/index/embedding/local/e5.ts"

/**
 * Compares every two questions of each evaluation set as a visitor's question is compared with that of a chosen answer,
 * and prints how many pairs that ask for the same are recognised, and how many of other questions are taken for it, for
 * each pair of limits. Questions that ask for the same: those of one entry of the CNIL's set, and those of
 * test/bench/questions/phrasings.jsonl with their original. Two questions of the same section are left out: they may
 * ask for the same. Ends with what the limits in force come to, by kind of the question that is asked.
 *
 *   bun test/bench/fit-chosen.ts --shared ../shared
 */
interface SetQuestion {
  set: string
  language: Language
  id: string
  text: string
  kind: string
  /** Questions of one group ask for the same. */
  group: string
  /** Pages and sections that answer. */
  place: string
  compared: ComparedQuestion
}

interface Pair {
  one: SetQuestion
  other: SetQuestion
  isSame: boolean
  cosine: number
  shared: number
  mayMatch: boolean
}

const root = join(import.meta.dir, "../..")
const { values } = parseArgs({
  options: { shared: { type: "string", default: join(root, "../shared") } },
  strict: false,
})
const shared = join(String(values.shared), "eval")
if (!existsSync(shared)) {
  process.stderr.write(`no evaluation data in ${shared}: give the folder that holds eval/ with --shared\n`)
  process.exit(2)
}

const e5 = await openE5(tmpdir())
const questions = await allQuestions()
const pairs = pairsOf(questions)
const same = pairs.filter(({ isSame }) => isSame)
const others = pairs.filter(({ isSame }) => !isSame)
print(
  `${questions.length} questions, ${same.length} pairs that ask for the same, ${others.length} that do not`,
)
print("cosine shared recognised mistaken pairs")
for (const least of [0, 0.3, 0.4, 0.5])
  for (const near of [0.92, 0.93, 0.94, 0.95, 0.96]) {
    const matches = (pair: Pair) =>
      hasSameWords(pair.one.compared, pair.other.compared) ||
      (pair.mayMatch && pair.cosine >= near && pair.shared >= least)
    const recognised = same.filter(matches).length / same.length
    const mistaken = others.filter(matches).length
    print(`${near.toFixed(2)}   ${least.toFixed(1)}    ${percent(recognised)}      ${mistaken}`)
  }
print(`\nin force: cosine ${minCosine}, shared words ${minShared}`)
print(`recognised: ${percent(same.filter(isMatch).length / same.length)} of pairs that ask for the same`)
print("answered by a chosen answer of another question, if every question of its set had one:")
for (const [kind, asked] of Map.groupBy(questions, kindOf)) {
  const wrong = asked.filter((question) =>
    others.some((pair) => isMatch(pair) && (pair.one === question || pair.other === question)),
  )
  print(`  ${kind.padEnd(12)} ${wrong.length} of ${asked.length} (${percent(wrong.length / asked.length)})`)
}
const mistaken = others.filter(isMatch)
print(`precision over all matching pairs: ${percent(1 - mistaken.length / pairs.filter(isMatch).length)}`)
for (const { one, other, cosine } of mistaken.sort((a, b) => b.cosine - a.cosine))
  print(`  ${cosine.toFixed(3)} ${one.set}: ${one.text} | ${other.text}`)
process.exit(0)

function isMatch({ one, other }: Pair): boolean {
  return likeness(one.compared, other.compared) > 0
}

/** What the near-topic sets are made of has its own line. */
function kindOf({ kind }: SetQuestion): string {
  return ["neartopic", "absentfact", "outside", "offtopic", "adversarial"].includes(kind)
    ? kind
    : "answerable"
}

function pairsOf(all: readonly SetQuestion[]): Pair[] {
  return all.flatMap((one, at) =>
    all.slice(0, at).flatMap((other): Pair[] => {
      const isOfOneSet = one.set === other.set
      const isOutside = (one.set === "outside") !== (other.set === "outside")
      if (one.language !== other.language || !(isOfOneSet || isOutside)) return []
      const isSame = isOfOneSet && one.group === other.group
      if (!isSame && one.place !== "" && one.place === other.place) return []
      const [a, b] = [one.compared, other.compared]
      return [
        {
          one,
          other,
          isSame,
          cosine: cosine(a.vector as Float32Array, b.vector as Float32Array),
          shared: sharedWords(a, b),
          mayMatch: a.numbers === b.numbers,
        },
      ]
    }),
  )
}

async function allQuestions(): Promise<SetQuestion[]> {
  const own = join(import.meta.dir, "questions")
  const sets: [name: string, file: string][] = [
    ...["vue-fr", "react-fr", "elysia-en", "cnil"].map(
      (name) => [name, join(shared, name, "questions.jsonl")] as [string, string],
    ),
    ["demo", join(root, "data/eval/demo.jsonl")],
    ...readdirSync(own)
      .filter((name) => /^(?!react|vue-fr).*-(fr|en)\.jsonl$/.test(name))
      .map((name) => [name.replace(".jsonl", ""), join(own, name)] as [string, string]),
    ["outside", join(shared, "outside-fr.jsonl")],
    ["outside", join(shared, "outside-en.jsonl")],
  ]
  const found: SetQuestion[] = []
  for (const [set, file] of sets)
    for (const line of await linesOf(file)) {
      const {
        id,
        question,
        kind,
        previous,
        pages = [],
        sections = [],
      } = line as Record<string, string & string[]>
      if (previous !== undefined || question === undefined) continue
      const language = file.includes("-en") ? "en" : "fr"
      const group = set === "cnil" ? String(id).replace(/-\d+$/, "") : String(id)
      const place = [...pages, ...sections].join(" ")
      found.push(
        questionOf({ set, language, id: String(id), text: question, kind: String(kind), group, place }),
      )
    }
  for (const line of await linesOf(join(own, "phrasings.jsonl"))) {
    const { set, id, texts } = line as { set: string; id: string; texts: string[] }
    const original = found.find((each) => each.set === set && each.id === id)
    if (!original) throw new Error(`phrasings.jsonl names ${id} of ${set}, which is not there`)
    for (const [at, text] of texts.entries())
      found.push(questionOf({ ...original, id: `${id}+${at}`, text, kind: "phrasing" }))
  }
  return found
}

function questionOf(question: Omit<SetQuestion, "compared">): SetQuestion {
  const vector = e5.question(question.text)
  return { ...question, compared: comparedQuestion(question.text, question.language, vector) }
}

async function linesOf(file: string): Promise<object[]> {
  return (await Bun.file(file).text())
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line))
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
