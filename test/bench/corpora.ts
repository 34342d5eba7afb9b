import { existsSync } from "node:fs"
import { mkdir } from "node:fs/promises"
import { join } from "node:path"
import { parseArgs } from "node:util"
import { insertProject, type Language, listProjects, type Project } from "../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { requireIndex } from "../../src/answering/ask/admit.ts"
import { type AnswerDeps, answerDepsFor } from "../../src/answering/ask/answer.ts"
import type { Understanding } from "../../src/answering/ask/retrieve.ts"
import { type App, openApp } from "../../src/app.ts"
import { readConfig } from "../../src/config/config.ts"
import type { PassageIndex } from "../../src/index/lance/lance.ts"
import { repeatedOf } from "../../src/indexing/site-repetition.ts"
import { documentsOf } from "../../src/indexing/stored-document.ts"
import { type AnswerTexts, parseAnswerTexts, plain } from "../../src/owners/evaluation/answer-scores.ts"
import { type EvalQuestion, parseQuestions } from "../../src/owners/evaluation/question-file.ts"
import type { Passage } from "../../src/reading/formats/document.ts"
import { splitDocument } from "../../src/reading/passages/split-document.ts"
import { indexFolder, origin } from "../support/ask.ts"
import { temporaryFolder } from "../support/service.ts"

/** A documentation in the index, with questions that it answers and questions that it cannot answer. */
export interface Corpus {
  name: string
  language: Language
  passages: Passage[]
  questions: EvalQuestion[]
  /** Texts that answer; empty where nobody has written them down. */
  answers: AnswerTexts
  index: PassageIndex
}

/** All of them, in one data folder. */
export interface Corpora extends AsyncDisposable {
  app: App
  corpora: Corpus[]
  /** What answers visitors, except that each question gets its vector, however busy the machine is. */
  deps: AnswerDeps
}

/** What a documentation is made from. */
interface Sources {
  name: string
  docs: string
  /** File of the questions; need not exist. */
  questions: string
  /** File of the texts that answer; need not exist. */
  answers: string
}

const root = join(import.meta.dir, "../..")

/**
 * The corpora of the command line, read and embedded as `guichet index` does. `--shared DIR` holds vue-fr, react-fr,
 * elysia-en, cnil and the questions from outside; the demo documentation and a town's are always two. `--docs NAME-fr=FOLDER`, any
 * number of times, adds a folder of Markdown with the questions of test/bench/questions/NAME-fr.jsonl and the answering
 * texts of answers/NAME-fr.jsonl there, in place of a shared one of that name. `--set NAME`, any number of times, takes these alone. `--data FOLDER` keeps the indexes: vectors take some minutes.
 */
export async function openCorpora(embedding: "local" | "none" = "local"): Promise<Corpora> {
  const { values } = parseArgs({
    options: {
      shared: { type: "string", default: join(root, "../shared") },
      docs: { type: "string", multiple: true, default: [] },
      set: { type: "string", multiple: true },
      data: { type: "string" },
    },
    strict: false,
  })
  const shared = join(String(values.shared), "eval")
  const wanted = values.set as string[] | undefined
  const needsShared = wanted?.every((name) => name === "demo" || name === "town-fr") !== true
  if (needsShared && !existsSync(shared)) {
    process.stderr.write(`no evaluation data in ${shared}: give the folder that holds eval/ with --shared\n`)
    process.exit(2)
  }
  await using resources = new AsyncDisposableStack()
  const data = values.data === undefined ? resources.use(temporaryFolder()).path : String(values.data)
  const settings = {
    GUICHET_DATA_DIR: join(data, "guichet"),
    GUICHET_LOG_LEVEL: "error",
    GUICHET_EMBEDDING: embedding,
  }
  const app = resources.use(await openApp(readConfig(settings)))
  await app.embeddings.local?.warm()
  const sources: Sources[] = [
    ...(needsShared ? await sharedSources(shared, join(data, "cnil")) : []),
    { ...ownSource("demo", join(root, "data/demo")), questions: join(root, "data/eval/demo.jsonl") },
    ownSource("town-fr", join(import.meta.dir, "town")),
    ...(values.docs as string[]).map((pair) => ownSource(...(pair.split("=") as [string, string]))),
  ]
  const byName = new Map(sources.map((each) => [each.name, each]))
  const corpora: Corpus[] = []
  for (const each of [...byName.values()].filter(({ name }) => wanted?.includes(name) ?? true))
    corpora.push(await corpusOf(app, each, shared))
  const deps = answerDepsFor(patient(app.assistant), {
    id: "",
    answers: "extractive",
    answerThreshold: "prudent",
  })
  const kept = resources.move()
  return { app, corpora, deps, [Symbol.asyncDispose]: () => kept.disposeAsync() }
}

const vectorTries = 20

function patient(deps: AnswerDeps): AnswerDeps {
  const understanding = deps.localUnderstanding as Understanding
  return {
    ...deps,
    localUnderstanding: {
      ...understanding,
      async vectorOf(question, signal) {
        for (let tries = 0; tries < vectorTries; tries++) {
          const vector = await understanding.vectorOf(question, signal)
          if (vector) return vector
        }
        throw new Error("the embedded model gives no vectors")
      },
    },
  }
}

function ownSource(name: string, docs: string): Sources {
  const [questions, answers] = ["questions", "questions/answers"].map((folder) =>
    join(import.meta.dir, folder, `${name}.jsonl`),
  ) as [string, string]
  return { name, docs, questions, answers }
}

async function sharedSources(shared: string, cnil: string): Promise<Sources[]> {
  await writePages(join(shared, "cnil/documents.jsonl"), cnil)
  return ["vue-fr", "react-fr", "elysia-en", "cnil"].map((name) => ({
    name,
    docs: name === "cnil" ? cnil : join(shared, name, "docs"),
    questions: join(shared, name, "questions.jsonl"),
    answers: join(shared, name, "answers.jsonl"),
  }))
}

/** Writes a page for each line of a file, `{page, title, text}`. */
async function writePages(file: string, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const line of (await Bun.file(file).text()).trim().split("\n")) {
    const { page, title, text } = JSON.parse(line) as Record<"page" | "title" | "text", string>
    await Bun.write(join(folder, `${page}.md`), `# ${title}\n\n${text}\n`)
  }
}

async function corpusOf(
  app: App,
  { name, docs, questions, answers }: Sources,
  shared: string,
): Promise<Corpus> {
  const language: Language = name.endsWith("-en") ? "en" : "fr"
  const project = await projectOf(app, name, language)
  process.stderr.write(`${name}: reading and embedding\n`)
  // With the addresses of the generator itself, as `guichet index` does unasked: posts of Jekyll have no clean ones.
  await indexFolder(app, project, docs, "auto")
  const { index, generation } = await requireIndex(app.assistant, project)
  const passages: Passage[] = []
  for await (const document of documentsOf(
    app.db,
    project.id,
    generation,
    await repeatedOf(app.db, project.id),
  ))
    passages.push(...splitDocument(document))
  const files = [questions, join(shared, `outside-${language}.jsonl`)]
  const texts = await Promise.all(
    files.filter((file) => existsSync(file)).map((file) => Bun.file(file).text()),
  )
  const answerTexts = existsSync(answers) ? parseAnswerTexts(await Bun.file(answers).text()) : new Map()
  reportUnquotable(name, passages, answerTexts)
  return {
    name,
    language,
    passages,
    questions: texts.flatMap(parseQuestions),
    answers: answerTexts,
    index,
  }
}

/** Names the answering texts that stand in no passage: no quotation could hold them. */
function reportUnquotable(name: string, passages: readonly Passage[], answers: AnswerTexts): void {
  const quotable = passages.map(({ markdown }) => plain(markdown))
  for (const [id, texts] of answers)
    for (const text of texts.filter((wanted) => !quotable.some((held) => held.includes(plain(wanted)))))
      process.stderr.write(`${name}: no passage holds «${text}» (${id})\n`)
}

async function projectOf({ db, clock }: App, name: string, language: Language): Promise<Project> {
  const existing = (await listProjects(db)).find((project) => project.name === name)
  const wanted = { name, language, site: origin, answers: "extractive" as const }
  return existing ?? insertProject(db, await defaultWorkspaceId(db), wanted, clock.now())
}
