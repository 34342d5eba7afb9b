/**
 * The longest turn of the event loop while lists, searches, counts and exports read 60,000 of the worst questions:
 * `bun test/faults/stored-questions.ts`. Reads the CPU time of the process; fails beyond 100 ms.
 */
import { insertProject } from "../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { foldedQuestion } from "../../src/answering/ask/store-answer.ts"
import { newId } from "../../src/base/ids.ts"
import { apiOf } from "../support/api.ts"
import { signedIn } from "../support/operator.ts"
import { aService } from "../support/service-builder.ts"

const kept = 60_000
const markMs = 100
/** The first two are looked for in every position of each question, and the last one is in none. */
const sought = encodeURIComponent(`${"a".repeat(80)} ${"a".repeat(79)} ${"a".repeat(30)}b`)

await using service = await aService().started()
const { db, clock } = service.app
const wanted = { name: "Docs", site: "https://docs.exemple.fr" }
const { id } = await insertProject(db, await defaultWorkspaceId(db), wanted, clock.now())
const letters = "abcdefghijklmnopqrstuvwxyz"
const word = () => Array.from({ length: 6 }, () => letters[Math.floor(Math.random() * 26)]).join("")
for (let at = 0; at < kept; at += 500) {
  const rows = Array.from({ length: 500 }, () => {
    const question = at < kept - 4000 ? "a".repeat(1000) : Array.from({ length: 140 }, word).join(" ")
    const folded = foldedQuestion(question)
    const status = "no_answer" as const
    const made = { project_id: id, answer: "", sources: "[]", generation: 1, created_at: clock.now() }
    return { ...made, id: newId("ans", clock.now()), question, folded, status, page: `/${word()}` }
  })
  await db.insertInto("answer").values(rows).execute()
}
const client = await signedIn(service)
const api = await apiOf(service)

async function longestTurn(work: () => Promise<unknown>): Promise<{ longest: number; total: number }> {
  let longest = 0
  let isOver = false
  const begin = process.cpuUsage()
  let last = begin
  const look = () => {
    const { user, system } = process.cpuUsage(last)
    longest = Math.max(longest, (user + system) / 1000)
    last = process.cpuUsage()
    if (!isOver) setImmediate(look)
  }
  setImmediate(look)
  await work()
  isOver = true
  const { user, system } = process.cpuUsage(begin)
  return { longest, total: (user + system) / 1000 }
}

/** The page itself: a refusal would be quick. */
async function shown(path: string): Promise<void> {
  const { status } = await client.get(path)
  if (status !== 200) throw new Error(`${path}: ${status}`)
}

const page = `/console/projects/${id}/questions`
const works: Record<string, () => Promise<unknown>> = {
  "console page": () => shown(page),
  "console search": () => shown(`${page}?q=${sought}`),
  "console export": () => shown(`${page}/questions.csv?q=${sought}`),
  "console empty filter": () => shown(`${page}?show=useful`),
  "console page of a page": () => shown(`${page}?page=/nowhere`),
  "console gaps": () => shown(`${page}/gaps`),
  "console home": () => shown("/console"),
  "API gaps, first": () => api.get(`/api/v1/projects/${id}/gaps`),
  "API gaps, again": () => api.get(`/api/v1/projects/${id}/gaps`),
  "API list": () => api.get(`/api/v1/projects/${id}/answers?status=answered`),
  "API statistics": () => api.get(`/api/v1/projects/${id}/answer-statistics`),
  "ten searches at once": () => Promise.all(Array.from({ length: 10 }, () => shown(`${page}?q=${sought}`))),
}
let isWithin = true
for (const [name, work] of Object.entries(works)) {
  const { longest, total } = await longestTurn(work)
  if (longest > markMs) isWithin = false
  process.stdout.write(`${name}: longest turn ${longest.toFixed(0)} ms, ${total.toFixed(0)} ms in all\n`)
}
process.exitCode = isWithin ? 0 : 1
