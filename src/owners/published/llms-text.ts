import type { Project } from "../../accounts/project.ts"
import { sha256 } from "../../base/hash.ts"
import type { Db } from "../../db/connection.ts"
import { liveGeneration } from "../../indexing/generation.ts"
import { repeatedOf } from "../../indexing/site-repetition.ts"
import { documentsOf } from "../../indexing/stored-document.ts"
import { pageMarkdown } from "../../reading/formats/outline.ts"
import { listDocuments } from "./list-documents.ts"

/** Sentences in the language of the project. */
export interface LlmsWords {
  summary: string
  /** Heading of the list of pages. */
  pages: string
  /** Said where the text ends before the documentation. */
  cut: string
}

/** Programs read no more at once. */
const maxCharacters = 20_000_000
const listedAtOnce = 500

/** Changes with what is published: with a reading, and with the words around it. undefined without an index. */
export async function publishedVersion(db: Db, project: Project, words: LlmsWords) {
  const live = await liveGeneration(db, project.id)
  return live && sha256(JSON.stringify([live.number, project.name, words])).slice(0, 16)
}

/** `llms.txt` (llmstxt.org): the pages with their addresses, read in portions. */
export async function* llmsList(db: Db, project: Project, words: LlmsWords): AsyncGenerator<string> {
  yield `${headLines(project, words)}\n\n## ${words.pages}\n\n`
  let left = maxCharacters
  let cursor: string | undefined
  do {
    const { documents, next } = await listDocuments(db, project.id, { cursor, atMost: listedAtOnce })
    const lines = documents.map(({ url, title }) => `- [${linkText(title)}](${linkTarget(url)})\n`).join("")
    left -= lines.length
    yield lines
    cursor = left > 0 ? next : undefined
    if (next !== undefined && cursor === undefined) yield `\n${words.cut}\n`
  } while (cursor !== undefined)
}

/** `llms-full.txt`: the same pages with their text. */
export async function* llmsFull(db: Db, project: Project, words: LlmsWords): AsyncGenerator<string> {
  yield `${headLines(project, words)}\n`
  const live = await liveGeneration(db, project.id)
  if (!live) return
  let left = maxCharacters
  const repeated = await repeatedOf(db, project.id)
  for await (const document of documentsOf(db, project.id, live.number, repeated)) {
    const page = `\n---\n\n${document.url}\n\n${pageMarkdown(document)}\n`
    left -= page.length
    if (left < 0) {
      yield `\n---\n\n${words.cut}\n`
      return
    }
    yield page
  }
}

function headLines({ name }: Project, { summary }: LlmsWords): string {
  return `# ${name}\n\n> ${summary}`
}

/** A title as the text of a link: brackets would end it. */
function linkText(title: string): string {
  return title.replace(/\s+/g, " ").replace(/[\\[\]]/g, "\\$&")
}

function linkTarget(url: string): string {
  return url.replaceAll("(", "%28").replaceAll(")", "%29")
}
