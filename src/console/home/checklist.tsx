/** @jsxImportSource preact */
import type { Project } from "../../accounts/project.ts"
import { findWidgetSettings } from "../../accounts/widget/settings.ts"
import { hasQuestions } from "../../assistant/insights/daily-questions.ts"
import type { Db } from "../../db/connection.ts"
import { listForms } from "../../forms/definition/form.ts"
import { lastDeliveredOf } from "../../webhooks/endpoints/hour-sums.ts"
import { messages } from "../messages/home.fr.ts"

type StepName = keyof typeof messages.step

interface Step {
  name: StepName
  isDone: boolean
  href: string
}

/** The way from a new project to its first delivery. Each step is ticked by what has happened. */
export async function stepsOf(
  db: Db,
  { id, workspaceId, indexedAt }: Project,
  endpointIds: readonly string[],
): Promise<Step[]> {
  const [widget, isAsked, forms, delivered] = await Promise.all([
    findWidgetSettings(db, id),
    hasQuestions(db, id),
    listForms(db, workspaceId, { projectId: id, atMost: 1 }),
    lastDeliveredOf(db, endpointIds),
  ])
  const path = `/console/projects/${id}`
  return [
    { name: "documentation", isDone: indexedAt !== null, href: `${path}/indexing` },
    { name: "question", isDone: isAsked, href: `${path}/trials` },
    { name: "widget", isDone: widget.seenAt !== null, href: `${path}/appearance` },
    { name: "form", isDone: forms.length > 0, href: `${path}/forms` },
    { name: "delivery", isDone: delivered.size > 0, href: "/console/webhooks" },
  ]
}

/** Disappears once every step is done. */
export function Checklist({ steps }: { steps: readonly Step[] }) {
  const done = steps.filter(({ isDone }) => isDone).length
  if (done === steps.length) return null
  return (
    <section aria-labelledby="start">
      <h2 id="start">
        {messages.start} <small>{messages.stepsDone(done, steps.length)}</small>
      </h2>
      <ol class="checklist">
        {steps.map(({ name, isDone, href }) => (
          <li key={name} class={isDone ? "checked" : undefined}>
            <div>
              {isDone ? messages.step[name] : <a href={href}>{messages.step[name]}</a>}{" "}
              <span class="sr">({isDone ? messages.done : messages.toDo})</span>
              {!isDone && <div class="hint">{messages.stepHint[name]}</div>}
            </div>
          </li>
        ))}
      </ol>
    </section>
  )
}
