import { join } from "node:path"
import type { Overrides } from "../../src/app.ts"
import { buildIndex, openIndex, type PassageIndex } from "../../src/assistant/lance.ts"
import { readMarkdown } from "../../src/assistant/markdown.ts"
import { splitDocument } from "../../src/assistant/passages.ts"
import { addProject, type NewProject, type Project } from "../../src/workspaces/project.ts"
import { defaultWorkspaceId } from "../../src/workspaces/workspace.ts"
import { type MovableClock, movableClock } from "./clock.ts"
import { type Service, startService, temporaryFolder } from "./service.ts"

/** A service with one project, whose index holds Guichet's own documentation, asked over a real socket. */
export interface Site extends AsyncDisposable {
  service: Service
  clock: MovableClock
  project: Project
  /** Asks as a page of the site does. */
  ask(fields?: Record<string, unknown>, headers?: Record<string, string>): Promise<Reply>
  /** Sends exactly this. */
  send(init: RequestInit, path?: string): Promise<Reply>
}

export interface Reply {
  status: number
  headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: what came over HTTP has whatever shape the test asserts
  body: any
}

export const origin = "https://docs.exemple.fr"
export const answerable = "Comment vérifier la signature d’un webhook ?"
export const foreign = "Quelle est la recette de la tarte aux pommes ?"

export async function startSite(
  environment: Record<string, string> = {},
  wanted: Partial<NewProject> = {},
  overrides: Overrides = {},
  existing?: Project,
): Promise<Site> {
  const clock = movableClock()
  const live = { index: await demoIndex, generation: 1 }
  const service = await startService(environment, {
    clock,
    assistant: { liveIndex: async () => live, ...overrides.assistant },
  })
  const { db } = service.app
  const project =
    existing ??
    (await addProject(
      db,
      await defaultWorkspaceId(db),
      { name: "Guide", site: origin, ...wanted },
      clock.now(),
    ))

  async function send(init: RequestInit, path = "/api/v1/ask"): Promise<Reply> {
    const response = await fetch(`${service.url}${path}`, { method: "POST", ...init })
    const text = await response.text()
    const json = response.headers.get("content-type")?.includes("json") ?? false
    return { status: response.status, headers: response.headers, body: json ? JSON.parse(text) : text }
  }

  return {
    service,
    clock,
    project,
    send,
    ask: (fields = {}, headers = {}) =>
      send({
        headers: { "content-type": "application/json", origin, ...headers },
        body: JSON.stringify({ project: project.id, question: answerable, ...fields }),
      }),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

/** Built once for all tests of a process: nothing writes to it. */
const demoIndex = buildDemoIndex()

async function buildDemoIndex(): Promise<PassageIndex> {
  const folder = temporaryFolder()
  process.once("exit", () => folder[Symbol.dispose]())
  const demo = join(import.meta.dir, "../../data/demo")
  const passages = []
  for (const file of new Bun.Glob("*.md").scanSync(demo)) {
    const path = file.replace(/\.md$/, "")
    const text = await Bun.file(join(demo, file)).text()
    const read = readMarkdown(text, { path, url: `${origin}/${path}`, anchors: "github" } as never)
    if ("sections" in read) passages.push(...splitDocument(read))
  }
  await buildIndex(folder.path, "demo_1", "fr", passages)
  return (await openIndex(folder.path, "demo_1")) as PassageIndex
}
