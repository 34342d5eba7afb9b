import { existsSync } from "node:fs"
import { join } from "node:path"
import { parseArgs } from "node:util"
import type { Language } from "../../src/accounts/project.ts"
import type { Passage } from "../../src/assistant/documents/document.ts"
import { readMarkdown } from "../../src/assistant/documents/markdown/read-markdown.ts"
import { splitDocument } from "../../src/assistant/documents/passages/split-document.ts"
import { type EvalQuestion, parseQuestions } from "../../src/assistant/evaluation/question-file.ts"
import { buildIndex, openIndex, type PassageIndex } from "../../src/assistant/index/lance.ts"
import { type TemporaryFolder, temporaryFolder } from "../support/service.ts"

/** A documentation, with questions that it answers and questions that it cannot answer. */
export interface Corpus {
  name: string
  language: Language
  passages: Passage[]
  questions: EvalQuestion[]
}

/** A corpus with its index, in a temporary folder that disposing removes. */
export interface IndexedCorpus extends Corpus, Disposable {
  index: PassageIndex
}

const root = join(import.meta.dir, "../..")

/**
 * The corpora of the command line. The demo documentation is always one. `--shared DIR` holds vue-fr, cnil and
 * the questions from outside. `--docs NAME-fr=FOLDER`, any number of times, adds a folder of Markdown with the
 * questions of test/bench/questions/NAME-fr.jsonl.
 */
export async function corporaOfArguments(): Promise<Corpus[]> {
  const { values } = parseArgs({
    options: {
      shared: { type: "string", default: join(import.meta.dir, "../../../shared") },
      docs: { type: "string", multiple: true, default: [] },
    },
    strict: false,
  })
  const shared = join(String(values.shared), "eval")
  if (!existsSync(shared)) {
    process.stderr.write(`no evaluation data in ${shared}: give the folder that holds eval/ with --shared\n`)
    process.exit(2)
  }
  return [
    await corpus("vue-fr", await folderPassages(join(shared, "vue-fr/docs")), join(shared, "vue-fr"), shared),
    await corpus(
      "cnil",
      await linePassages(join(shared, "cnil/documents.jsonl")),
      join(shared, "cnil"),
      shared,
    ),
    await corpus("demo", await folderPassages(join(root, "data/demo")), join(root, "data/eval/demo"), shared),
    ...(await Promise.all(
      (values.docs as string[]).map(async (pair) => {
        const [name, folder] = pair.split("=") as [string, string]
        return corpus(name, await folderPassages(folder), join(import.meta.dir, "questions", name), shared)
      }),
    )),
  ]
}

export async function indexed(corpus: Corpus): Promise<IndexedCorpus> {
  const folder: TemporaryFolder = temporaryFolder()
  await buildIndex(folder.path, "corpus_1", corpus.language, corpus.passages)
  const index = (await openIndex(folder.path, "corpus_1")) as PassageIndex
  return {
    ...corpus,
    index,
    [Symbol.dispose]() {
      index[Symbol.dispose]()
      folder[Symbol.dispose]()
    },
  }
}

async function corpus(name: string, passages: Passage[], own: string, shared: string): Promise<Corpus> {
  const language: Language = name.endsWith("-en") ? "en" : "fr"
  const files = [
    existsSync(own) ? join(own, "questions.jsonl") : `${own}.jsonl`,
    join(shared, `outside-${language}.jsonl`),
  ]
  const texts = await Promise.all(files.map((file) => Bun.file(file).text()))
  return { name, language, passages, questions: texts.flatMap(parseQuestions) }
}

async function folderPassages(folder: string): Promise<Passage[]> {
  const files = [...new Bun.Glob("**/*.{md,mdx}").scanSync(folder)].sort()
  const read = files.map(async (file) => {
    const path = file.replace(/\.mdx?$/, "")
    const document = readMarkdown(await Bun.file(join(folder, file)).text(), {
      path,
      url: `https://docs.exemple.fr/${path}`,
    })
    return "leftOut" in document ? [] : splitDocument(document)
  })
  return (await Promise.all(read)).flat()
}

/** Reads a file with one JSON object a line, each a document of one section: `{page, title, text}`. */
async function linePassages(file: string): Promise<Passage[]> {
  const lines = (await Bun.file(file).text()).trim().split("\n")
  return lines.flatMap((line) => {
    const { page, title, text } = JSON.parse(line) as Record<"page" | "title" | "text", string>
    const url = `https://docs.exemple.fr/${page}`
    return splitDocument({
      path: page,
      url,
      title,
      sections: [{ headings: [], anchor: null, markdown: text }],
    })
  })
}
