import { Type } from "@sinclair/typebox"
import type { Project } from "../../accounts/project.ts"
import { projectOperation } from "../../accounts/projects/operations.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import { insertMissing } from "../../db/store.ts"
import { withLock } from "../../db/with-lock.ts"
import { oneOf } from "../../http/record/schemas.ts"
import { idOf } from "../../operations/operation.ts"
import type { StoreDeps } from "../../operations/perform.ts"
import { removeAskedQuestion } from "./asked-questions.ts"
import { listGapMailOperators } from "./gap-mails.ts"
import {
  applyGapMark,
  findGaps,
  type Gap,
  type GapState,
  gapStates,
  type NamedGaps,
  requireGaps,
} from "./gaps.ts"
import { gapChange, gapMails } from "./record.ts"

/** Refuses `not_found`. In many transactions: grouping takes seconds, in which others write. */
export const markGap = projectOperation({
  audit: "gap.marked",
  needs: ["answers:write"],
  input: gapChange,
  async run({ db }: { db: Db }, call, project) {
    const named = { ids: [idOf(call, "gap")], sinceMs: 0 }
    const { gaps } = await markNamed(db, project, named, call.input.state)
    const [gap = gaps[0] as Gap] = await findGaps(db, project, named)
    return gap
  },
  // The gap itself is named by what visitors wrote.
  subject: (_, call, { name }) => ({ id: idOf(call, "gap"), name }),
})

/** Marks several at once, as a list of those asked since a time has them. Refuses `not_found` when it has none. */
export const markGaps = projectOperation({
  audit: "gap.marked",
  needs: ["answers:write"],
  input: Type.Object({
    state: oneOf(gapStates),
    gaps: Type.Array(Type.String()),
    since_ms: Type.Integer({ minimum: 0 }),
  }),
  run({ db }: { db: Db }, call, project) {
    const { state, gaps: ids, since_ms: sinceMs } = call.input
    return markNamed(db, project, { ids, sinceMs }, state)
  },
})

/** The questions of visitors with their answers, as a table. */
export const exportQuestions = projectOperation({
  audit: "questions.exported",
  needs: ["answers:read"],
  run: async (_: { db: Db }, __, project) => project,
})

/** A question of a visitor with its answer. Refuses `not_found`. */
export const removeAnswer = projectOperation({
  audit: "answer.removed",
  needs: ["answers:write"],
  isOneTransaction: true,
  async run({ db }: { db: Db }, call, project) {
    const isRemoved = await removeAskedQuestion(db, project.id, idOf(call, "answer"))
    if (!isRemoved) throw new Refusal("not_found", detail("assistant.answerNotFound"))
  },
  subject: (_, call, { name }) => ({ id: idOf(call, "answer"), name }),
})

/** Those who are not members of the workspace are left out. A new recipient's mails begin from now on. */
export const changeGapMails = projectOperation({
  audit: "gap_mails.changed",
  needs: ["answers:write"],
  isOneTransaction: true,
  input: gapMails,
  async run({ db, clock }: StoreDeps, call, project) {
    const since = clock.now()
    await withLock(db, `gap-mail:${project.id}`, async (transaction) => {
      const members = await transaction
        .selectFrom("member")
        .select("operator_id")
        .where("workspace_id", "=", project.workspaceId)
        .execute()
      const ids = members.map(({ operator_id }) => operator_id)
      const chosen = ids.filter((id) => call.input.operators.includes(id))
      await transaction
        .deleteFrom("gap_mail")
        .where("project_id", "=", project.id)
        .$if(chosen.length > 0, (query) => query.where("operator_id", "not in", chosen))
        .execute()
      if (chosen.length === 0) return
      const rows = chosen.map((operator_id) => ({ project_id: project.id, operator_id, since }))
      await insertMissing(transaction, "gap_mail", rows)
    })
    return { project, operators: await listGapMailOperators(db, project) }
  },
})

/** Resolves to the gaps as they were before. */
async function markNamed(db: Db, project: Project, named: NamedGaps, state: GapState) {
  const gaps = await requireGaps(db, project, named)
  for (const gap of gaps) await applyGapMark(db, project.id, gap, state === "open" ? null : state)
  return { project, gaps }
}
