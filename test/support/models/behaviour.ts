import { analyse } from "../../../src/index/text/analyse.ts"

/** A prompt as it reached the server, read by its fence. */
export interface Received {
  system: string
  user: string
  /** Name and text of what stands between fences. */
  data: { name: string; text: string }[]
  model: string
}

/** What a server sends back to a request to write. */
export interface Reply {
  /** Pieces of the text, each an event of its own. */
  pieces?: string[]
  /** An HTTP error instead. */
  status?: number
  /** Names the error: Google's `reason` or OpenAI's `code`. */
  error?: string
  headers?: Record<string, string>
  /** The provider's own name for how it ended; null: the stream ends without one. */
  finish?: string | null
  /** The prompt itself is blocked. */
  blocked?: string
  /** Never a byte, not even headers. */
  silent?: boolean
  /** After the pieces, nothing more, and no end. */
  stall?: boolean
  /** Bytes of filling in place of an answer. */
  bytes?: number
  /** Sent instead of events. */
  raw?: string
}

/** How a model behaves: honest, obedient or broken. */
export interface Behaviour {
  write(received: Received): Reply | Promise<Reply>
  embed(texts: string[]): number[][] | Reply | Promise<Reply>
}

export function receivedOf(system: string, user: string, model: string): Received {
  const word = /<<<(\w+) and/.exec(system)?.[1] ?? ""
  const fenced = new RegExp(`<<<${word} ([^\\n]+)\\n([\\s\\S]*?)\\n${word} end of \\1>>>`, "g")
  const data =
    word === "" ? [] : [...user.matchAll(fenced)].map(([, name = "", text = ""]) => ({ name, text }))
  return { system, user, data, model }
}

/** Cut where a network may cut. */
export function cut(text: string, length = 7): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${length}}`, "g")) ?? []
}

export function reply(value: unknown): Reply {
  return { pieces: cut(JSON.stringify(value)) }
}

/**
 * Answers with sentences of the first passages that share words with the question; says so when none does.
 */
export const honest: Behaviour = {
  write({ data, system, user }) {
    if (user === "Are you ready?") return reply({ ready: true })
    const text = (name: string) => data.find((part) => part.name === name)?.text ?? ""
    if (system.startsWith("You rewrite")) {
      const earlier = /Visitor: ([^\n]*)\nAnswer: (?![\s\S]*Visitor: )/.exec(
        text("earlier conversation"),
      )?.[1]
      return reply({ question: `${text("last question")} (${earlier})` })
    }
    const asked = new Set(analyse(text("question in full") || text("question"), "fr"))
    const sentences = data
      .filter(({ name }) => name.startsWith("passage "))
      .slice(0, 3)
      .flatMap(({ name, text }) => {
        const said = text
          .split("\n\n")
          .slice(1)
          .join("\n\n")
          .split(/(?<=[.!?])\s+(?=\p{Lu})|\n\n/u)
          .filter((sentence) => /^\p{Lu}[^`|<[*]+\.$/u.test(sentence))
        const best = said
          .map((sentence) => ({
            sentence,
            shared: analyse(sentence, "fr").filter((term) => asked.has(term)).length,
          }))
          .sort((one, other) => other.shared - one.shared)[0]
        return best && best.shared > 0
          ? [{ text: best.sentence, sources: [Number(name.replace("passage ", ""))] }]
          : []
      })
    return reply({ answerable: sentences.length > 0, sentences })
  },
  embed: (texts) => texts.map(bagOfStems),
}

/**
 * Does what it is told, by the question or else by the first passage that tells it anything: `ORDRE(…)ORDRE`
 * holds in base64 what it writes.
 */
export const obedient: Behaviour = {
  ...honest,
  write(received) {
    const order = (text: string) => /ORDRE\(([\w+/=]*)\)ORDRE/.exec(text)?.[1]
    const asked = received.user.slice(received.user.indexOf(" question\n"))
    const told = order(asked) ?? order(received.user)
    return told === undefined
      ? honest.write(received)
      : { pieces: cut(Buffer.from(told, "base64").toString()) }
  },
}

const size = 1024
const longest = 10

/** A vector that depends on the words alone: what shares stems lies near. */
export function bagOfStems(text: string): number[] {
  const vector = new Array<number>(size).fill(0)
  const counts = Map.groupBy(analyse(text, "fr"), (term) => term)
  for (const [term, found] of counts) {
    const hash = Number(Bun.hash.wyhash(term) & 0xffff_ffffn)
    // Long words are the rarer ones.
    const weight = Math.min(term.length, longest) * (1 + Math.log(found.length))
    vector[hash % size] = (vector[hash % size] as number) + (hash & 0x10000 ? weight : -weight)
  }
  // Never without a direction, not even for a text without words.
  vector[0] = (vector[0] as number) + 0.01
  return vector
}
