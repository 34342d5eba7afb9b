import type { Project } from "../../accounts/project.ts"
import { findWidgetSettings } from "../../accounts/widget/settings.ts"
import { dayMs } from "../../base/clock.ts"
import { idsOf } from "../../base/ids.ts"
import { hasQuestions } from "../../owners/gaps/daily-questions.ts"
import { lastDeliveries } from "../../webhooks/endpoints/hour-sums.ts"
import type { ConsoleDeps } from "../kit/console-deps.ts"
import type { PageContext } from "../kit/page-context.ts"
import { endpointPage } from "../webhooks/heads.tsx"
import { loadProjectParts, type ProjectParts, reachedEndpoints } from "./project-parts.ts"
import type { words } from "./words.fr.ts"

export interface Step {
  name: keyof typeof words.step
  isDone: boolean
  /** Whether it is the first to be done of the assistant, or of forms and their deliveries. */
  isNext: boolean
  /** The page where it is done, or where it will be seen. */
  href: string
}

/** How far a project has come on the way to its first delivery. */
export interface Beginning extends ProjectParts {
  steps: readonly Step[]
}

/** Each step is ticked by what has happened; what is purged later takes no tick away. */
export async function firstSteps(
  deps: Deps,
  context: PageContext,
  project: Project,
  loaded?: ProjectParts,
): Promise<Beginning> {
  const { db } = deps
  const { id, indexedAt } = project
  const parts = loaded ?? (await loadProjectParts(db, project))
  const endpoints = reachedEndpoints(parts)
  const [widget, asked, delivered] = await Promise.all([
    findWidgetSettings(db, id),
    isAsked(deps, context, project),
    lastDeliveries(db, idsOf(endpoints)),
  ])
  const [first] = endpoints
  const path = `/console/projects/${id}`
  const assistant = inOrder([
    { name: "documentation", isDone: indexedAt !== null, href: `${path}/indexing` },
    { name: "widget", isDone: widget.seenAt !== null, href: `${path}/appearance` },
    ...(asked === undefined ? [] : [{ name: "question" as const, isDone: asked, href: `${path}/questions` }]),
  ])
  const webhooks = inOrder([
    { name: "form", isDone: parts.forms.length > 0, href: `${path}/forms/new` },
    { name: "delivery", isDone: delivered.size > 0, href: first ? endpointPage(first) : "/console/webhooks" },
  ])
  return { ...parts, steps: [...assistant, ...webhooks] }
}

type Deps = Pick<ConsoleDeps, "db" | "config">

/** Whether anybody has asked a question of the project; undefined where its first ones may be purged already. */
export async function isAsked({ db, config }: Deps, { nowMs }: PageContext, { id, createdAt }: Project) {
  if (await hasQuestions(db, id)) return true
  return nowMs - createdAt < config.ask.answerRetentionDays * dayMs ? false : undefined
}

function inOrder(steps: readonly Omit<Step, "isNext">[]): Step[] {
  const next = steps.find(({ isDone }) => !isDone)
  return steps.map((step) => ({ ...step, isNext: step === next }))
}
