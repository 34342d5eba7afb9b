import { expect, test } from "bun:test"
import { insertProject } from "../../../src/accounts/project.ts"
import { defaultWorkspaceId } from "../../../src/accounts/workspace.ts"
import { foldedQuestion } from "../../../src/answering/ask/store-answer.ts"
import { newId } from "../../../src/base/ids.ts"
import { commandCaller } from "../../../src/cli/kit/open.ts"
import { perform } from "../../../src/operations/perform.ts"
import { markGap } from "../../../src/owners/gaps/operations.ts"
import { aService } from "../../support/service-builder.ts"

test("others write while the questions of a gap that is marked are grouped", async () => {
  await using service = await aService().started()
  const { app } = service
  const { db, clock } = app
  const workspaceId = await defaultWorkspaceId(db)
  const wanted = { name: "Docs", site: "https://docs.exemple.fr" }
  const { id: project } = await insertProject(db, workspaceId, wanted, clock.now())
  const rows = Array.from({ length: 200 }, (_, row) => {
    const question = Array.from({ length: 100 }, (_, at) => `mot${(row + 1) * (at + 7) ** 3}`).join(" ")
    const made = { project_id: project, answer: "", sources: "[]", generation: 1, created_at: clock.now() }
    const status = "no_answer" as const
    return {
      ...made,
      id: newId("ans", clock.now()),
      question,
      folded: foldedQuestion(question),
      status,
      page: "/",
    }
  })
  await db.insertInto("answer").values(rows).execute()
  const gap = rows[0]?.id as string
  const ended: string[] = []
  const marked = perform(
    markGap,
    app,
    commandCaller("gap", workspaceId),
    { project, gap },
    { state: "treated" },
  )
  const ends = marked.then(() => ended.push("marked"))
  // By then it has begun.
  for (let tick = 0; tick < 20; tick++) await new Promise(setImmediate)
  await db.updateTable("workspace").set({ name: "Other" }).where("id", "=", workspaceId).execute()
  ended.push("written")
  await ends
  expect(ended).toEqual(["written", "marked"])
  const { gap: mark } = await db
    .selectFrom("answer")
    .select("gap")
    .where("id", "=", gap)
    .executeTakeFirstOrThrow()
  expect(mark).toBe("treated")
})
