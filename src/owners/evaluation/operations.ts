import { Type } from "@sinclair/typebox"
import { projectOperation } from "../../accounts/projects/operations.ts"
import type { Assistant } from "../../answering/ask/ask.ts"
import type { Log } from "../../base/log.ts"
import type { Db } from "../../db/connection.ts"
import { fieldsOf } from "../../http/record/fields.ts"
import { idOf } from "../../operations/operation.ts"
import type { StoreDeps } from "../../operations/perform.ts"
import { listGaps, requireGaps } from "../gaps/gaps.ts"
import { importedQuestions } from "./import-questions.ts"
import { addSetQuestions, removeSetQuestion, type SetQuestion } from "./question-set.ts"
import { evaluationRunChange, newEvaluationQuestion, newTrial } from "./record.ts"
import { retryGaps } from "./retry-gaps.ts"
import { acceptSetRun, requireSetRun, startSetRun } from "./set-run.ts"
import { tryOut } from "./trial.ts"

export interface EvaluationDeps extends StoreDeps {
  assistant: Assistant
  log: Log
}

/** Refuses as `addSetQuestions` does. */
export const addQuestion = projectOperation({
  audit: "evaluation.changed",
  needs: ["answers:write"],
  isOneTransaction: true,
  input: newEvaluationQuestion,
  async run({ db, clock }: StoreDeps, call, project) {
    const [question] = await addSetQuestions(db, project.id, [call.input], clock.now())
    return question as SetQuestion
  },
  // A question may be a visitor's.
  subject: ({ id }, _, { name }) => ({ id, name }),
})

/** Adds the questions of a table, all or none. Refuses as `importedQuestions` and `addSetQuestions` do. */
export const importQuestions = projectOperation({
  audit: "evaluation.changed",
  needs: ["answers:write"],
  isOneTransaction: true,
  input: Type.Object({ rows: Type.String() }),
  async run({ db, clock }: StoreDeps, call, project) {
    const typed = importedQuestions(call.input.rows)
    const questions = typed.map((each) => fieldsOf({ ...each }, newEvaluationQuestion))
    await addSetQuestions(db, project.id, questions, clock.now())
  },
})

/** Refuses `not_found`. */
export const removeQuestion = projectOperation({
  audit: "evaluation.changed",
  needs: ["answers:write"],
  isOneTransaction: true,
  async run({ db }: { db: Db }, call, project) {
    await removeSetQuestion(db, project.id, idOf(call, "question"))
  },
  subject: (_, call, { name }) => ({ id: idOf(call, "question"), name }),
})

/** It goes on after the reply. Refuses as `startSetRun` does. */
export const startRun = projectOperation({
  audit: "evaluation.run",
  needs: ["answers:write"],
  async run({ assistant, log }: Pick<EvaluationDeps, "assistant" | "log">, _, project) {
    const { id, done } = await startSetRun(assistant, project)
    done.catch((error) => log.error("evaluation failed", { project: project.id, error }))
    return { id }
  },
})

/** The owner agrees with what was lost, or does so no longer. Refuses as `acceptSetRun` does. */
export const acceptRun = projectOperation({
  audit: "evaluation.changed",
  needs: ["answers:write"],
  isOneTransaction: true,
  input: evaluationRunChange,
  async run({ db }: { db: Db }, call, project) {
    const id = idOf(call, "run")
    await acceptSetRun(db, project.id, id, call.input.accepted)
    return requireSetRun(db, project.id, id)
  },
  subject: ({ id }, _, { name }) => ({ id, name }),
})

/** A question is answered as a visitor's would be. Refuses as `tryOut` does. */
export const tryQuestion = projectOperation({
  audit: "question.tried",
  needs: ["answers:write"],
  input: newTrial,
  isLong: true,
  async run({ assistant }: Pick<EvaluationDeps, "assistant">, call, project) {
    const { question, ...place } = call.input
    return { project, ...(await tryOut(assistant, project, question, place, call.caller.signal)) }
  },
})

/** Tries the gaps of a period again: those named, or those open. Refuses as `retryGaps` does. */
export const tryGaps = projectOperation({
  audit: "question.tried",
  needs: ["answers:write"],
  input: Type.Object({
    gaps: Type.Optional(Type.Array(Type.String())),
    since_ms: Type.Integer({ minimum: 0 }),
  }),
  isLong: true,
  async run({ db, assistant }: Pick<EvaluationDeps, "db" | "assistant">, call, project) {
    const { gaps: ids, since_ms: sinceMs } = call.input
    const gaps = ids
      ? await requireGaps(db, project, { ids, sinceMs })
      : (await listGaps(db, project, sinceMs)).filter(({ state }) => state === "open")
    return { project, retried: await retryGaps(assistant, project, gaps, call.caller.signal) }
  },
})
