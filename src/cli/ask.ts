import { type App, openApp } from "../app.ts"
import { requireIndex } from "../assistant/ask/ask.ts"
import { parseAskRequest } from "../assistant/ask/ask-request.ts"
import { type AskReply, conversation, keepAnswer } from "../assistant/ask/kept-answer.ts"
import { answeringOf, outcomeOf } from "../assistant/ask/outcome.ts"
import type { Retrieval } from "../assistant/retrieval/retrieve.ts"
import { UsageError } from "../base/errors.ts"
import { readConfig } from "../config/config.ts"
import { type Call, type Command, print } from "./command.ts"
import { named } from "./project.ts"

export const ask: Command = {
  usage: "ask PROJECT QUESTION [--page PATH] [--previous ID]… [--json]",
  about:
    "answers a question as the site would, counting against no limit; --json adds how the answer was found",
  options: {
    page: { type: "string" },
    previous: { type: "string", multiple: true },
    json: { type: "boolean" },
  },
  async run(call) {
    const asked = request(call)
    await using app = await openApp(readConfig(call.environment))
    const { reply, retrieval } = await answered(app, call, asked)
    if (call.options["json"]) print(JSON.stringify({ ...reply, debug: explained(retrieval) }))
    else print(readable(reply))
    return undefined
  },
}

/**
 * Kept like any other answer, so that `--previous` works; never from the cache, so that it can be explained.
 */
async function answered(
  app: App,
  call: Call,
  request: object,
): Promise<{ reply: AskReply; retrieval: Retrieval }> {
  const { assistant, db, clock } = app
  const project = await named(app, call)
  const asked = parseAskRequest(new TextEncoder().encode(JSON.stringify(request)))
  const { index, generation } = await requireIndex(assistant, project)
  const previous = await conversation(db, project.id, asked.previous, clock.now())
  const { outcome, retrieval } = await outcomeOf(
    answeringOf(assistant, project),
    index,
    { ...asked, previous, language: project.language },
    new AbortController().signal,
  )
  const kept = { ...asked, projectId: project.id, generation, cacheKey: null, outcome }
  const reply = await db.transaction().execute((transaction) => keepAnswer(transaction, kept, clock.now()))
  return { reply, retrieval }
}

function request({ positionals, options }: Call) {
  const [project, question] = positionals
  if (project !== undefined && question === undefined)
    throw new UsageError("which question? guichet ask PROJECT QUESTION")
  return { project, question, page: options["page"], previous: options["previous"] }
}

/** Ranked passages with their scores, and what the decision to answer rested on. */
function explained({ ranked, signals, decision }: Retrieval) {
  const passages = ranked.map(({ passage: { url, title, headings }, score }) => ({
    score,
    url,
    title,
    section: headings.at(-1) ?? null,
  }))
  return { passages, signals, decision }
}

function readable({ id, answer, sources }: AskReply): string {
  const lines = sources.map(
    ({ n, title, section, url }) => `[^${n}] ${title}${section ? ` › ${section}` : ""}\n     ${url}`,
  )
  return [answer, lines.join("\n"), `(${id})`].filter(Boolean).join("\n\n")
}
