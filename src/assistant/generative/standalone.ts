import type { QuestionInContext } from "../ask/retrieve.ts"
import { ModelFailure } from "../llm/failure.ts"
import type { JsonSchema, Prompt } from "../llm/provider.ts"
import { aboutFence, newFence } from "./fence.ts"

const schema: JsonSchema = {
  type: "object",
  properties: {
    question: { type: "string", description: "the last question, complete in itself" },
  },
}
/** The limit of a question (specification, part 8). */
const maxCharacters = 1000
/** Quoted of each earlier answer: enough to resolve a pronoun. */
const quotedCharacters = 600

/** Prompt that rewrites the last question of a conversation so that it needs no conversation. */
export function standalonePrompt({ question, previous }: QuestionInContext): Prompt {
  const fence = newFence()
  const turns = previous.map(
    (turn) => `Visitor: ${turn.question}\nAnswer: ${turn.answer.slice(0, quotedCharacters)}`,
  )
  return {
    schema,
    system: `You rewrite the last question of a conversation so that it can be understood alone: put in what its pronouns and ellipses stand for, change nothing else, keep its language, do not answer it.
${aboutFence(fence)}`,
    user: [
      fence.around("earlier conversation", turns.join("\n\n")),
      fence.around("last question", question),
    ].join("\n\n"),
  }
}

/** Parses the reply to `standalonePrompt`. Throws ModelFailure `not_json` or `wrong_schema`. */
export function parseStandalone(text: string): string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new ModelFailure("not_json")
  }
  const { question } = (value ?? {}) as { question?: unknown }
  if (typeof question !== "string" || question.trim() === "") throw new ModelFailure("wrong_schema")
  return question.replace(/\s+/g, " ").trim().slice(0, maxCharacters).toWellFormed()
}
