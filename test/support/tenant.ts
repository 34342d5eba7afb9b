import type { Static } from "@sinclair/typebox"
import { createToken } from "../../src/accounts/token.ts"
import { insertWorkspace } from "../../src/accounts/workspace.ts"
import type { App } from "../../src/app.ts"
import { readerArgument } from "../../src/host/child-process.ts"
import type { indexRunRecord } from "../../src/indexing/record.ts"
import { engine } from "./postgres.ts"
import { eventually, parentOf, processesOf } from "./processes.ts"
import { type Answer, page, type Site, sitemap, startSite } from "./site.ts"

/** The words of the process that reads: on SQLite its parent writes for it. */
const command = engine === "sqlite" ? [readerArgument, "index"] : ["index"]

type IndexRun = Static<typeof indexRunRecord>

/** A workspace with one project, whose documentation is a site of a few pages with a sitemap. */
export interface Tenant extends AsyncDisposable {
  projectId: string
  site: Site
  /** Asks for a reading, and does not wait for it. */
  read(): Promise<void>
  /** The last run; undefined before the first, and while one waits for its turn. */
  run(): Promise<IndexRun | undefined>
  /** Its last run, once that has ended. */
  ended(withinMs?: number): Promise<IndexRun>
  /** The process that reads for it, once there is one. */
  reader(): Promise<number>
  remove(): Promise<void>
}

export interface TenantSite {
  pages: number
  /** Of robots.txt, in seconds. */
  crawlDelay?: number
  /** Answers some of the requests in another way. */
  answer?: (url: URL) => Answer | undefined
}

/** In the database of `app`, by the API of the service at `url`, which may be another process. */
export async function openTenant(
  { db, clock }: Pick<App, "db" | "clock">,
  url: string,
  { pages, crawlDelay, answer }: TenantSite,
): Promise<Tenant> {
  const site = startSite((url) => {
    const own = answer?.(url)
    if (own !== undefined) return own
    if (url.pathname === "/robots.txt")
      return new Response(crawlDelay === undefined ? "" : `User-agent: *\nCrawl-delay: ${crawlDelay}`)
    if (url.pathname === "/sitemap.xml")
      return sitemap(...Array.from({ length: pages }, (_, n) => `${url.origin}/page-${n}`))
    return url.pathname.startsWith("/page-") ? page(url.pathname.slice(1)) : undefined
  })
  const workspaceId = await insertWorkspace(db, "Client", clock.now())
  const { text: token } = await createToken(db, workspaceId, "test", clock.now())

  // biome-ignore lint/suspicious/noExplicitAny: what came over HTTP has whatever shape the test asserts
  async function call(method: string, path: string, body?: object): Promise<any> {
    const response = await fetch(`${url}/api/v1/projects${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${text}`)
    return text && JSON.parse(text)
  }

  const { id } = await call("POST", "", { name: "Guide", site: site.url })
  await call("POST", `/${id}/feeds`, { kind: "sitemap", address: `${site.url}/sitemap.xml` })

  async function run(): Promise<IndexRun | undefined> {
    const [last] = (await call("GET", `/${id}/index-runs`)).items
    return last?.state === "waiting" ? undefined : last
  }

  return {
    projectId: id,
    site,
    read: () => call("POST", `/${id}/index-runs`, {}),
    run,
    ended: (withinMs) =>
      eventually(async () => {
        const last = await run()
        return last?.state === "ended" && last
      }, withinMs),
    // A process that it is about to start has its name for a moment.
    reader: () =>
      eventually(() => processesOf(...command, id).find((pid, _, all) => !all.includes(parentOf(pid)))),
    remove: () => call("DELETE", `/${id}`),
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  }
}
