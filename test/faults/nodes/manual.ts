import { readdirSync, readFileSync, readlinkSync } from "node:fs"
import { join } from "node:path"
import type { Server } from "bun"
import { demo } from "../../support/ask.ts"
import { processesOf } from "../../support/processes.ts"
import { html, sitemap } from "../../support/site.ts"

/** The requests of one indexing process. */
export interface Reader {
  pid: number
  fromMs: number
  toMs: number
}

/** The documentation that is read again and again: each edition changes a page. */
export interface Manual extends AsyncDisposable {
  sitemap: string
  origin: string
  /** Whose word only its own edition holds. */
  edition: number
  readers: readonly Reader[]
  /** The project whose indexing processes read it. */
  readFor(projectId: string): void
}

/** Slow enough that two readings at once would meet. */
const pageMs = 60

export function startManual(): Manual {
  const pages = readdirSync(demo)
    .filter((file) => file.endsWith(".md"))
    .map((file) => `/${file.slice(0, -3)}`)
  const readers: Reader[] = []
  const pidOf = new Map<number, number>()
  let projectId = ""

  function note(port: number | undefined): void {
    if (port === undefined) return
    const pid = pidOf.get(port) ?? ownerOf(port, processesOf("index", projectId))
    pidOf.set(port, pid)
    const nowMs = Date.now()
    const reader = readers.findLast((each) => each.pid === pid)
    if (reader) reader.toMs = nowMs
    else readers.push({ pid, fromMs: nowMs, toMs: nowMs })
  }

  const server: Server<undefined> = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    async fetch(request, server) {
      note(server.requestIP(request)?.port)
      const { pathname } = new URL(request.url)
      if (pathname === "/sitemap.xml")
        return sitemap(...[...pages, "/edition"].map((path) => `${manual.origin}${path}`))
      await Bun.sleep(pageMs)
      if (pathname === "/edition") return html(pageOf("Édition", `<p>${wordOf(manual.edition)}</p>`))
      if (!pages.includes(pathname)) return new Response("", { status: 404 })
      const text = readFileSync(join(demo, `${pathname.slice(1)}.md`), "utf8").replace(
        /^---\n[\s\S]*?\n---\n/,
        "",
      )
      return html(pageOf(/^# (.+)$/m.exec(text)?.[1] ?? "", Bun.markdown.html(text, { tables: true })))
    },
  })
  const origin = `http://127.0.0.1:${server.port}`
  const manual = {
    sitemap: `${origin}/sitemap.xml`,
    origin,
    edition: 1,
    readers,
    readFor(id: string) {
      projectId = id
    },
    [Symbol.asyncDispose]: () => server.stop(true),
  }
  return manual
}

/** The sentence that answers which edition it is. */
export function wordOf(edition: number): string {
  return `Le mot de passe de l’édition du manuel est abricot${edition}.`
}

export const editionQuestion = "Quel est le mot de passe de l’édition du manuel ?"

function pageOf(title: string, body: string): string {
  return `<!doctype html><html lang="fr"><head><meta charset="utf-8"><title>${title}</title></head><body><main><h1>${title}</h1>${body}</main></body></html>`
}

/** Which of the processes has the socket of this loopback port; 0: none any more. */
function ownerOf(port: number, pids: readonly number[]): number {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, "0")}`
  const line = readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .find((each) => each.trim().split(/\s+/)[1] === local)
  const socket = `socket:[${line?.trim().split(/\s+/)[9]}]`
  return pids.find((pid) => socketsOf(pid).includes(socket)) ?? 0
}

function socketsOf(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/fd`).map((fd) => {
      try {
        return readlinkSync(`/proc/${pid}/fd/${fd}`)
      } catch {
        return ""
      }
    })
  } catch {
    return []
  }
}
