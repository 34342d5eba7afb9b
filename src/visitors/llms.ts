import { Elysia } from "elysia"
import { requireAskedProject } from "../assistant/ask/admit.ts"
import type { Assistant } from "../assistant/ask/ask.ts"
import { admitReader } from "../assistant/ask/program-limits.ts"
import { llmsFull, llmsList, publishedVersion } from "../assistant/published/llms-text.ts"
import { detail, Refusal } from "../base/errors.ts"
import { clientReader } from "../http/client.ts"
import { extendReplyTimeout } from "../http/extend-timeout.ts"
import { securityHeaders } from "../http/security.ts"
import { streamOf } from "../http/table.ts"
import { llmsWords } from "../wording/programs/programs.ts"

interface LlmsDeps {
  assistant: Assistant
  config: { trustedProxies: readonly string[]; publicUrl: string }
}

const maxAgeSeconds = 5 * 60

/** `/llms/:project/llms.txt` and `llms-full.txt`: the pages of the index for programs, where the owner wants that. */
export function llmsRoutes({ assistant, config }: LlmsDeps) {
  const clientOf = clientReader(config.trustedProxies)
  const { db } = assistant

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
      await admitReader(assistant, project, clientOf(request))
      extendReplyTimeout(request)
      return new Response(streamOf(chunksOf(texts(db, project, words))), { headers })
    }

  return new Elysia({ name: "llms" })
    .get("/llms/:project/llms.txt", file(llmsList))
    .get("/llms/:project/llms-full.txt", file(llmsFull))
}

/** RFC 9110, 13.1.2, whose comparison is weak: a proxy that compresses marks the tag so. */
function isKnown({ headers }: Request, etag: string): boolean {
  const known = headers.get("if-none-match")?.slice(0, maxTagsLength) ?? ""
  return known.split(",").some((each) => ["*", etag, `W/${etag}`].includes(each.trim()))
}

const maxTagsLength = 1000
/** Texts that are sent together. */
const chunkLength = 64 * 1024

async function* chunksOf(texts: AsyncGenerator<string>): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let waiting = ""
  for await (const text of texts) {
    waiting += text
    if (waiting.length < chunkLength) continue
    yield encoder.encode(waiting)
    waiting = ""
  }
  yield encoder.encode(waiting)
}
