import { Type } from "@sinclair/typebox"
import { projectOf, subjectOf } from "../../accounts/projects/operations.ts"
import type { Clock } from "../../base/clock.ts"
import type { Log } from "../../base/log.ts"
import type { Db } from "../../db/connection.ts"
import { fieldsOf } from "../../http/record/fields.ts"
import { idOf, operation } from "../../operations/operation.ts"
import type { Assistant } from "../ask/ask.ts"
import { listGaps, requireGaps } from "../insights/gaps.ts"
import { importedQuestions } from "./import-questions.ts"
import { addSetQuestions, removeSetQuestion, type SetQuestion } from "./question-set.ts"
import { evaluationRunChange, newEvaluationQuestion, newTrial } from "./record.ts"
import { retryGaps } from "./retry-gaps.ts"
import { acceptSetRun, requireSetRun, startSetRun } from "./set-run.ts"
import { tryOut } from "./trial.ts"

export interface EvaluationDeps {
  db: Db
  clock: Clock
  assistant: Assistant
  log: Log
}

/** Refuses as `addSetQuestions` does. */
export const addQuestion = operation({
  audit: "evaluation.changed",
  needs: ["answers:write"],
  input: newEvaluationQuestion,
  async run({ db, clock }: Pick<EvaluationDeps, "db" | "clock">, call) {
    const project = await projectOf({ db }, call)
    const [question] = await addSetQuestions(db, project.id, [call.input], clock.now())
    return { project, question: question as SetQuestion }
  },
  // A question may be a visitor's.
  subject: ({ project, question }) => ({ id: question.id, name: project.name }),
})

/** Adds the questions of a table, all or none. Refuses as `importedQuestions` and `addSetQuestions` do. */
export const importQuestions = operation({
  audit: "evaluation.changed",
  needs: ["answers:write"],
  input: Type.Object({ rows: Type.String() }),
  async run({ db, clock }: Pick<EvaluationDeps, "db" | "clock">, call) {
    const project = await projectOf({ db }, call)
    const typed = importedQuestions(call.input.rows)
    const questions = typed.map((each) => fieldsOf({ ...each }, newEvaluationQuestion))
    await addSetQuestions(db, project.id, questions, clock.now())
    return project
  },
  subject: subjectOf,
})

/** Refuses `not_found`. */
export const removeQuestion = operation({
  audit: "evaluation.changed",
  needs: ["answers:write"],
  async run({ db }: { db: Db }, call) {
    const project = await projectOf({ db }, call)
    await removeSetQuestion(db, project.id, idOf(call, "question"))
    return project
  },
  subject: ({ name }, call) => ({ id: idOf(call, "question"), name }),
})

/** It goes on after the reply. Refuses as `startSetRun` does. */
export const startRun = operation({
  audit: "evaluation.run",
  needs: ["answers:write"],
  async run({ db, assistant, log }: Pick<EvaluationDeps, "db" | "assistant" | "log">, call) {
    const project = await projectOf({ db }, call)
    const { id, done } = await startSetRun(assistant, project)
    done.catch((error) => log.error("evaluation failed", { project: project.id, error }))
    return { project, id }
  },
  subject: ({ project }) => subjectOf(project),
})

/** The owner agrees with what was lost, or does so no longer. Refuses as `acceptSetRun` does. */
export const acceptRun = operation({
  audit: "evaluation.changed",
  needs: ["answers:write"],
  input: evaluationRunChange,
  async run({ db }: { db: Db }, call) {
    const project = await projectOf({ db }, call)
    const id = idOf(call, "run")
    await acceptSetRun(db, project.id, id, call.input.accepted)
    return { project, run: await requireSetRun(db, project.id, id) }
  },
  subject: ({ project, run }) => ({ id: run.id, name: project.name }),
})

/** A question is answered as a visitor's would be. Refuses as `tryOut` does. */
export const tryQuestion = operation({
  audit: "question.tried",
  needs: ["answers:write"],
  input: newTrial,
  isLong: true,
  async run({ db, assistant }: Pick<EvaluationDeps, "db" | "assistant">, call) {
    const project = await projectOf({ db }, call)
    return { project, ...(await tryOut(assistant, project, call.input.question, call.caller.signal)) }
  },
  subject: ({ project }) => subjectOf(project),
})

/** Tries the gaps of a period again: those named, or those open. Refuses as `retryGaps` does. */
export const tryGaps = operation({
  audit: "question.tried",
  needs: ["answers:write"],
  input: Type.Object({
    gaps: Type.Optional(Type.Array(Type.String())),
    since_ms: Type.Integer({ minimum: 0 }),
  }),
  isLong: true,
  async run({ db, assistant }: Pick<EvaluationDeps, "db" | "assistant">, call) {
    const project = await projectOf({ db }, call)
    const { gaps: ids, since_ms: sinceMs } = call.input
    const gaps = ids
      ? await requireGaps(db, project, { ids, sinceMs })
      : (await listGaps(db, project, sinceMs)).filter(({ state }) => state === "open")
    return { project, retried: await retryGaps(assistant, project, gaps, call.caller.signal) }
  },
  subject: ({ project }) => subjectOf(project),
})
