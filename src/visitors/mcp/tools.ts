import type { CallToolResult, Tool } from "@modelcontextprotocol/server"
import type { Project } from "../../accounts/project.ts"
import { admitTo } from "../../answering/ask/admit.ts"
import { type Assistant, answerAdmitted } from "../../answering/ask/ask.ts"
import { askRequestIn, maxPrevious } from "../../answering/ask/ask-request.ts"
import type { Source } from "../../answering/ask/citations.ts"
import { admitProgramAsk } from "../../answering/ask/program-limits.ts"
import { detail, Refusal } from "../../base/errors.ts"
import { searchPassages } from "../../owners/published/search-passages.ts"
import { programNames, programWords } from "../../wording/programs/programs.ts"
import type { AskRecord } from "../ask-record.ts"

/** One request of a program to one project. */
export interface ProgramCall {
  assistant: Assistant
  project: Project
  address: string
  signal: AbortSignal
  record(): AskRecord
  /** The refusal for any error. A defect is logged without its message, which may quote the question. */
  refusalOf(error: unknown): Refusal
}

interface ProgramTool {
  described: Tool
  run(given: Record<string, unknown>): Promise<CallToolResult>
}

const readsOnly = { readOnlyHint: true, openWorldHint: false } as const

/** The question of a visitor who has a program ask it: answered, kept, counted and logged as any other. */
export function ask({ assistant, project, address, signal, record: begin }: ProgramCall): ProgramTool {
  const words = programWords(project)
  return {
    described: {
      name: "ask",
      title: words.askTitle,
      description: words.ask(programNames(project)),
      annotations: readsOnly,
      inputSchema: {
        type: "object",
        properties: {
          question: { type: "string", minLength: 2, maxLength: 1000, description: words.question },
          previous: {
            type: "array",
            items: { type: "string" },
            maxItems: maxPrevious,
            description: words.previous,
          },
          ...editionInput(project, words),
        },
        required: ["question"],
      },
    },
    async run({ question, previous, edition }) {
      const record = begin()
      record.note({ project: project.id, via: "mcp" })
      try {
        const parsedRequest = askRequestIn({ project: project.id, question, previous })
        await admitProgramAsk(assistant, project)
        const admitted = await admitTo(
          assistant,
          project,
          parsedRequest,
          { address, via: "mcp", signal },
          { edition: editionIn(edition) },
        )
        const answer = () => answerAdmitted(assistant, admitted, signal)
        const result = await record.within(answer)
        const reply = record.answered(result)
        const related = reply.status === "no_answer" ? result.related : []
        const sources = reply.sources.map((source) => `[^${source.n}]: ${citedPlace(source)}`)
        const offered = related.map((page) =>
          [`## ${citedPlace(page)}`, page.excerpt ?? ""].join("\n\n").trim(),
        )
        if (offered.length > 0) offered.unshift(words.perhaps)
        const parts = [reply.answer, sources.join("\n"), ...offered, words.answerId({ id: reply.id })]
        return {
          content: [{ type: "text", text: parts.filter(Boolean).join("\n\n") }],
          structuredContent: { ...reply, ...(related.length > 0 && { related }) },
        }
      } catch (error) {
        throw record.refused(error)
      }
    },
  }
}

const searched = { characters: { min: 2, max: 200 }, passages: { usual: 5, max: 10 } }

/** Passages for a program that reads them itself. Nothing is kept or logged. */
export function search({ assistant, project, signal }: ProgramCall): ProgramTool {
  const words = programWords(project)
  const { characters, passages } = searched
  return {
    described: {
      name: "search",
      title: words.searchTitle,
      description: words.search(programNames(project)),
      annotations: readsOnly,
      inputSchema: {
        type: "object",
        properties: {
          q: { type: "string", minLength: characters.min, maxLength: characters.max, description: words.q },
          limit: { type: "integer", minimum: 1, maximum: passages.max, description: words.limit },
          ...editionInput(project, words),
        },
        required: ["q"],
      },
    },
    async run({ q, limit = passages.usual, edition }) {
      const text = typeof q === "string" ? q.trim().toWellFormed() : ""
      const isText = text.length >= characters.min && text.length <= characters.max
      if (!isText || !Number.isInteger(limit) || (limit as number) < 1 || (limit as number) > passages.max)
        throw new Refusal("invalid_request", detail("assistant.searchText"))
      const wanted = { text, limit: limit as number, edition: editionIn(edition) }
      const items = await searchPassages(assistant, project, wanted, signal)
      const excerpts = items.map((item) => `## ${citedPlace(item)}\n\n${item.excerpt}`)
      return {
        content: [{ type: "text", text: excerpts.join("\n\n") || words.nothing }],
        structuredContent: { items },
      }
    },
  }
}

/** Offered where there are several. */
function editionInput({ editions }: Project, words: ReturnType<typeof programWords>) {
  if (editions.length === 0) return {}
  const labels = editions.map(({ name, label }) => `${name} (${label})`).join(", ")
  const description = words.edition({ labels })
  return { edition: { type: "string", enum: editions.map(({ name }) => name), description } }
}

/** Anything but a name is refused as one that no edition has. */
function editionIn(given: unknown): string | undefined {
  return given === undefined || typeof given === "string" ? given : JSON.stringify(given)
}

function citedPlace({ title, section, url }: Pick<Source, "title" | "section" | "url">): string {
  return `${section ? `${title} › ${section}` : title} — ${url}`
}
