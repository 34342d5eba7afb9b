import { setImmediate as yieldToEventLoop } from "node:timers/promises"
import { requireAskedProject } from "../answering/ask/admit.ts"
import { admitReader } from "../answering/ask/program-limits.ts"
import { openSemaphore } from "../base/async.ts"
import { detail, Refusal } from "../base/errors.ts"
import { clientReader } from "../http/client.ts"
import { extendReplyTimeout } from "../http/extend-timeout.ts"
import { securityHeaders } from "../http/security.ts"
import { byteStream } from "../http/table.ts"
import { llmsFull, llmsList, publishedVersion } from "../owners/published/llms-text.ts"
import { llmsWords } from "../wording/programs/programs.ts"
import type { AskDeps } from "./ask-record.ts"

const maxAgeSeconds = 5 * 60

/** `/llms/:project/llms.txt` and `llms-full.txt`: the pages of the index for programs, where the owner wants that. */
export function llmsHandlers({ assistant, config }: Pick<AskDeps, "assistant" | "config">) {
  const clientAddress = clientReader(config.trustedProxies)
  const { db } = assistant
  const admit = openReadings()

  const file = (texts: typeof llmsList) =>
    async function reply({ request, params }: { request: Request; params: { project: string } }) {
      const project = await requireAskedProject(assistant, params.project)
      if (!project.llmsEnabled) throw new Refusal("not_found", detail("assistant.programsOff"))
      const words = llmsWords(project, `${config.publicUrl}/llms/${project.id}`)
      const version = await publishedVersion(db, project, words)
      if (version === undefined) throw new Refusal("not_indexed", detail("assistant.notIndexed"))
      const etag = `"${version}"`
      const headers = {
        ...securityHeaders,
        "content-type": "text/plain; charset=utf-8",
        "cache-control": `public, max-age=${maxAgeSeconds}`,
        etag,
        // Search engines are to show the pages themselves.
        "x-robots-tag": "noindex",
      }
      if (isKnown(request, etag)) return new Response(null, { status: 304, headers })
      await admitReader(assistant, project, clientAddress(request))
      extendReplyTimeout(request)
      return new Response(byteStream(admit(encodedChunks(texts(db, project, words)))), { headers })
    }

  return {
    list: file(llmsList),
    full: file(llmsFull),
  }
}

/** RFC 9110, 13.1.2, whose comparison is weak: a proxy that compresses marks the tag so. */
function isKnown({ headers }: Request, etag: string): boolean {
  const etags = headers.get("if-none-match")?.slice(0, maxTagsLength) ?? ""
  return etags.split(",").some((each) => ["*", etag, `W/${etag}`].includes(each.trim()))
}

const maxTagsLength = 1000
/** A reply under way holds a page, which may be some megabytes long. */
export const mostReplies = 16

/**
 * Replies share the memory of `mostReplies`: one more ends the one that was not read for longest, as a broken one. They
 * take turns, so that a hundred of them hold the event loop no longer than one.
 */
function openReadings() {
  const underWay = new Map<object, AsyncGenerator>()
  const line = openSemaphore(1)
  return async function* (chunks: AsyncGenerator<Uint8Array>): AsyncGenerator<Uint8Array> {
    const own = {}
    try {
      for (;;) {
        const release = await line.acquire()
        const { done, value } = await chunks.next().finally(release)
        if (done) break
        // Moves to the end: the first entry is the reply that was read longest ago.
        underWay.delete(own)
        underWay.set(own, chunks)
        const [idlest] = underWay.size > mostReplies ? underWay : []
        if (idlest) {
          underWay.delete(idlest[0])
          void idlest[1].return(undefined).catch(() => {})
        }
        yield value
      }
      if (!underWay.has(own)) throw new Error("others were waiting, and this reply was not read")
    } finally {
      underWay.delete(own)
      await chunks.return(undefined)
    }
  }
}

/** Texts are sent together up to here, and longer ones in parts, so that no more is read once a reader stops. */
const chunkBytes = 64 * 1024

async function* encodedChunks(texts: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let waiting = ""
  for await (const text of texts) {
    waiting += text
    if (waiting.length < chunkBytes) continue
    await yieldToEventLoop()
    const bytes = encoder.encode(waiting)
    waiting = ""
    // Copies, which keep no page in memory.
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.slice(at, at + chunkBytes)
  }
  yield encoder.encode(waiting)
}
