import { insertProject } from "../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { purgeAnswers } from "../../src/answering/ask/store-answer.ts"
import { dayMs } from "../../src/base/clock.ts"
import { newId, randomText } from "../../src/base/ids.ts"
import { eraseFormResponses } from "../../src/forms/responses/erase.ts"
import { markAllRead } from "../../src/forms/responses/unread.ts"
import { purgeLog } from "../../src/webhooks/messages/purge.ts"
import { manyPosts } from "../support/many-posts.ts"
import { longestTurnMs } from "../support/processor.ts"
import { aService } from "../support/service-builder.ts"
import { atMost, type Verdict } from "../support/verdict.ts"

/** The longest that stored work may keep the event loop from everybody else, in time of the processor. */
const markMs = 100
const alphabet = "abcdefghijklmnopqrstuvwxyz0123456789"
const posts = 300
/** Half of them are purged, the others go with their project. */
const answers = 120_000

/** What strangers stored within the limits is read, erased, purged and removed while the event loop is watched. */
export async function storedWork(): Promise<Verdict[]> {
  await using site = await aService().withSettings(manyPosts).withForms().started()
  const { app } = site.service
  const { db, clock } = app
  const nowMs = clock.now()
  const verdicts: Verdict[] = []
  const watched = async (name: string, work: () => Promise<unknown>) =>
    void verdicts.push(atMost(name, markMs, await longestTurnMs(work), " ms CPU"))

  const form = await site.form()
  for (let number = 0; number < posts; number++) await form.json({ nom: "x", message: randomWords(10_000) })
  const project = await insertProject(
    db,
    await defaultWorkspaceId(db),
    { name: "Grand", site: "https://grand.exemple.fr" },
    nowMs,
  )
  await fillAnswers(project.id)

  await watched("search of random words without a hit", () => form.responses("search=zzzzzzzz"))
  await watched("all marked as read", () =>
    markAllRead(db, { projectId: site.projectId, formId: form.id }, newId("resp", nowMs + dayMs), nowMs),
  )
  await watched(`${posts} responses of 10,000 characters erased`, () => eraseFormResponses(app, form.id))
  await watched("their messages purged", () => purgeLog(db, nowMs + 40 * dayMs))
  await watched(`${answers / 2} questions purged`, () => purgeAnswers(db, 30, nowMs))
  await watched(`a project with ${answers / 2} questions removed`, () => app.removeProject(project.id))
  await readLargePages()
  return verdicts

  /** `llms-full.txt` of what a tenant may have read, by several readers. */
  async function readLargePages(): Promise<void> {
    await using published = await aService().withIndexedProject({ llms_enabled: true }).started()
    const { db } = published.service.app
    const markdown = "Le guichet ouvre à neuf heures et ferme à dix-sept heures.\n\n".repeat(19_000)
    const sections = JSON.stringify(
      ["Un", "Deux", "Trois", "Quatre"].map((heading) => ({ headings: [heading], anchor: null, markdown })),
    )
    await db.updateTable("document").set({ sections, html: '{"doubtful":[]}' }).execute()
    await db.updateTable("feed").set({ repeated: '{"blocks":["0123456789abcdef"],"titles":[]}' }).execute()
    const address = `${published.service.url}/llms/${published.project.id}/llms-full.txt`
    const read = async () => (await fetch(address)).body?.pipeTo(new WritableStream())
    await watched("llms-full.txt of pages of 4.6 MB, by 4 readers", () =>
      Promise.all(Array.from({ length: 4 }, read)),
    )
  }

  async function fillAnswers(projectId: string): Promise<void> {
    for (let from = 0; from < answers; from += 500) {
      const rows = Array.from({ length: 500 }, (_, index) => {
        const isOld = from + index < answers / 2
        const atMs = nowMs - (isOld ? 40 * dayMs : 0)
        return {
          id: newId("ans", atMs),
          project_id: projectId,
          question: "Comment exporter mes réponses ?",
          status: "answered" as const,
          answer: "Ouvrez la page des réponses. ".repeat(40),
          sources: "[]",
          generation: 1,
          created_at: atMs,
        }
      })
      await db
        .insertInto("answer")
        .values(rows as never)
        .execute()
    }
  }
}

function randomWords(length: number): string {
  return Array.from({ length: length / 5 }, () => randomText(4, alphabet))
    .join(" ")
    .slice(0, length)
}
