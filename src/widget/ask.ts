import { type Failure, isReply, type Reply, readFailure, type Source } from "./reply.ts"
import type { Language, WidgetWords } from "./words.fr.ts"

export interface Question {
  project: string
  question: string
  page?: string
  previous: string[]
}

/** One part of an answer that is still being written. */
export interface Sentence {
  text: string
  sources: Source[]
}

/** The service ends every answer well before this timeout, but a network may not. */
const timeoutMs = 60_000

/** Calls `onSentence` with each part that comes before the whole answer. Resolves, never throws. */
export async function ask(
  service: string,
  question: Question,
  says: WidgetWords,
  language: Language,
  onSentence: (sentence: Sentence) => void,
): Promise<Reply | Failure> {
  let response: Response
  let value: unknown
  try {
    response = await fetch(`${service}api/v1/ask`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        accept: "text/event-stream;marks=1, application/json",
        "accept-language": language,
      },
      body: JSON.stringify(question),
      signal: AbortSignal.timeout?.(timeoutMs),
    })
  } catch {
    return { code: "offline", sentence: says.offline }
  }
  try {
    value = isStream(response) ? await readStream(response, onSentence) : await response.json()
  } catch {
    // A reply that is cut off or is no JSON becomes `unreadable` below.
  }
  if (isReply(value)) return value
  return readFailure(value) ?? { code: "unreadable", sentence: says.unreadable }
}

function isStream({ headers }: Response): boolean {
  return /^text\/event-stream/.test(headers.get("content-type") ?? "")
}

/** Resolves to the data of the last event: the whole ask response, or the error object. */
async function readStream(response: Response, onSentence: (sentence: Sentence) => void): Promise<unknown> {
  let courtesy: true | undefined
  for await (const { event, data } of readEvents(response.body as ReadableStream<Uint8Array>)) {
    if (event === "answer" || event === "error") return { ...JSON.parse(data), courtesy }
    if (event === "courtesy") courtesy = true
    if (event === "sentence") onSentence(JSON.parse(data))
  }
  return undefined
}

/** Lines end in LF or CRLF, and the data are JSON in one line (`text/event-stream`, HTML standard). */
interface StreamEvent {
  event: string
  data: string
}

/** Yields the events of a body as they come. Leaves out comments, ids and a last event that was cut off. */
async function* readEvents(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  const reader = body
    .pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>)
    .getReader()
  let text = ""
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    const blocks = (text + value.replaceAll("\r", "")).split("\n\n")
    text = blocks.pop() as string
    for (const block of blocks) yield parseEvent(block)
  }
}

function parseEvent(block: string): StreamEvent {
  const [, event = ""] = /^event: ?(.*)/m.exec(block) ?? []
  const [, data = ""] = /^data: ?(.*)/m.exec(block) ?? []
  return { event, data }
}
