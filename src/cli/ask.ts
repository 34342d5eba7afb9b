import { requireIndex } from "../answering/ask/admit.ts"
import { type AnsweredQuestion, answerDepsFor } from "../answering/ask/answer.ts"
import { parseAskRequest } from "../answering/ask/ask-request.ts"
import { answerAsVisitor } from "../answering/ask/chosen.ts"
import { conversationId, loadConversation } from "../answering/ask/earlier-answers.ts"
import type { RelatedPage } from "../answering/ask/next-pages.ts"
import { type AskReply, storeAnswer } from "../answering/ask/store-answer.ts"
import { askedEdition } from "../answering/editions/edition-index.ts"
import type { DecidedRetrieval } from "../answering/retrieval/decide-whether-answered.ts"
import type { App } from "../app.ts"
import { defineDataCommand } from "./kit/open.ts"
import { aboutProject, requireProject } from "./project.ts"

export const ask = defineDataCommand({
  about: "answers a question as the site would, which counts in no figure or limit",
  args: { project: aboutProject, question: "question to answer, in quotes" },
  options: {
    page: { value: "PATH", about: "path of the page that the question is asked on" },
    edition: { value: "NAME", about: "edition that is asked, in place of that of the page" },
    previous: {
      value: "ID",
      repeatable: true,
      about: "identifier of an earlier answer of the same conversation",
    },
    json: { about: "prints the response as one JSON object, with how the answer was found under debug" },
  },
  async run({ app, args, options }) {
    const { reply, related, retrieval, chosen } = await askAndKeep(app, {
      ...args,
      page: options.page,
      edition: options.edition,
      previous: options.previous,
    })
    return { json: { ...reply, debug: debugJson(retrieval, chosen) }, text: readable(reply, related) }
  },
})

/** For `--previous`, and as no question of a visitor. Never from the cache, so that it can be explained. */
async function askAndKeep(
  app: App,
  request: {
    project: string
    question: string
    page: string | undefined
    edition: string | undefined
    previous: string[] | undefined
  },
): Promise<Omit<AnsweredQuestion, "result" | "isFallback"> & { reply: AskReply; related: RelatedPage[] }> {
  const { assistant, db, clock } = app
  const project = await requireProject(app, request.project)
  const askRequest = parseAskRequest(new TextEncoder().encode(JSON.stringify(request)))
  const live = await requireIndex(assistant, project)
  await app.embeddings.local?.warm()
  const place = { page: askRequest.page, edition: request.edition }
  const edition = (await askedEdition(live.index, project, place)).edition?.name
  const previous = await loadConversation(db, project.id, askRequest.previous, clock.now(), edition)
  const conversation = await conversationId(db, project.id, askRequest.previous, clock.now())
  const { result, retrieval, chosen } = await answerAsVisitor(
    answerDepsFor(assistant, project),
    project,
    live,
    place,
    { ...askRequest, previous, language: project.language },
    new AbortController().signal,
  )
  const toStore = {
    ...askRequest,
    projectId: project.id,
    generation: live.generation,
    cacheKey: null,
    conversation,
    isTrial: true,
    edition,
    result,
  }
  const reply = await db
    .transaction()
    .execute((transaction) => storeAnswer(transaction, toStore, clock.now()))
  return { reply, related: result.related ?? [], retrieval, ...(chosen && { chosen }) }
}

/** Ranked passages with their scores, and the signals behind the decision to answer; or the owner's own answer. */
function debugJson(
  { ranked, signals, quoteSignals, decision }: DecidedRetrieval,
  chosen: AnsweredQuestion["chosen"],
) {
  const passages = ranked.map(({ passage: { url, title, headings }, score, words, meaning }) => ({
    score,
    words,
    meaning: meaning ?? null,
    url,
    title,
    section: headings.at(-1) ?? null,
  }))
  const own = chosen && { chosen: { id: chosen.id, question: chosen.question, likeness: chosen.likeness } }
  return { passages, signals: quoteSignals ?? signals, decision, ...own }
}

function readable({ id, answer, sources }: AskReply, related: RelatedPage[]): string {
  const cited = sources.map((source) => pageLines(`[^${source.n}]`, source))
  const pages = related.map((page) => pageLines("-", page))
  const [first] = related
  if (sources.length === 0 && first?.excerpt) pages.splice(1, 0, `Perhaps here:\n${first.excerpt}`)
  if (pages.length > 0) pages.unshift(sources.length > 0 ? "Other passages:" : "These pages may help:")
  return [answer, cited.join("\n"), pages.join("\n"), `(${id})`].filter(Boolean).join("\n\n")
}

function pageLines(mark: string, { title, section, url }: RelatedPage): string {
  return `${mark} ${title}${section ? ` › ${section}` : ""}\n     ${url}`
}
