import { parsedJson } from "../../base/text.ts"
import { questionVector } from "../../index/embedding/embedder.ts"
import type { QuestionInContext, Understanding } from "../ask/retrieve.ts"
import { ModelFailure } from "../llm/failure.ts"
import type { ModelClient } from "../llm/model-client.ts"
import type { JsonSchema, Prompt } from "../llm/provider.ts"
import { aboutFence, newFence } from "./fence.ts"

/** Understands questions with a model. A failure is reported to `onFailure`, and its result is undefined. */
export function modelUnderstanding(
  client: ModelClient,
  embeddingName: string | undefined,
  onFailure: (message: string, failure: ModelFailure) => void,
): Understanding {
  async function orUndefined<Result>(
    message: string,
    work: () => Promise<Result>,
  ): Promise<Result | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ModelFailure)) throw error
      onFailure(message, error)
      return undefined
    }
  }

  return {
    embeddingName,
    standalone: (question, signal) =>
      orUndefined("the follow-up was not made standalone", async () =>
        parseStandalone(await client.writeShort(standalonePrompt(question), signal)),
      ),
    vectorOf: (question, signal) =>
      orUndefined("the question has no vector: words alone found passages", () =>
        client.embedQuery(question, signal).then((vector) => questionVector(vector, undefined)),
      ),
  }
}

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
function standalonePrompt({ question, previous }: QuestionInContext): Prompt {
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
function parseStandalone(text: string): string {
  const value = parsedJson(text)
  if (value === undefined) throw new ModelFailure("not_json")
  const { question } = (value ?? {}) as { question?: unknown }
  if (typeof question !== "string" || question.trim() === "") throw new ModelFailure("wrong_schema")
  return question.replace(/\s+/g, " ").trim().slice(0, maxCharacters).toWellFormed()
}
