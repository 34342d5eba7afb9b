import { projectOperation } from "../../accounts/projects/operations.ts"
import type { AnswerDeps } from "../../answering/ask/answer.ts"
import type { Db } from "../../db/connection.ts"
import { idOf } from "../../operations/operation.ts"
import type { StoreDeps } from "../../operations/perform.ts"
import { addChosenAnswer, changeChosenAnswer, removeChosenAnswer } from "./chosen-answer.ts"
import { chosenAnswerChange, newChosenAnswer } from "./record.ts"

export interface ChosenDeps extends StoreDeps {
  assistant: Pick<AnswerDeps, "chosen">
}

/** The next question gets it. Refuses as `addChosenAnswer` does. */
export const addChosen = projectOperation({
  audit: "chosen_answer.added",
  needs: ["answers:write"],
  input: newChosenAnswer,
  async run({ db, clock, assistant }: ChosenDeps, call, project) {
    const chosen = await addChosenAnswer(db, project, call.input, clock.now())
    await assistant.chosen?.prepare(project.id, project.language)
    return { project, chosen }
  },
  // Its phrasings may be a visitor's.
  subject: ({ project, chosen }) => ({ id: chosen.id, name: project.name }),
})

/** Refuses as `changeChosenAnswer` does. */
export const changeChosen = projectOperation({
  audit: "chosen_answer.changed",
  needs: ["answers:write"],
  input: chosenAnswerChange,
  async run({ db, clock, assistant }: ChosenDeps, call, project) {
    const chosen = await changeChosenAnswer(db, project, idOf(call, "answer"), call.input, clock.now())
    await assistant.chosen?.prepare(project.id, project.language)
    return { project, chosen }
  },
  subject: ({ project, chosen }) => ({ id: chosen.id, name: project.name }),
})

/** Refuses `not_found`. */
export const removeChosen = projectOperation({
  audit: "chosen_answer.removed",
  needs: ["answers:write"],
  isOneTransaction: true,
  async run({ db }: { db: Db }, call, project) {
    await removeChosenAnswer(db, project.id, idOf(call, "answer"))
  },
  subject: (_, call, { name }) => ({ id: idOf(call, "answer"), name }),
})
