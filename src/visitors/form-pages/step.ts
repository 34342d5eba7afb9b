import { type Field, splitChoices } from "../../forms/definition/field.ts"
import { fieldRules } from "../../forms/definition/field-types.ts"
import type { Form } from "../../forms/definition/form.ts"
import { fieldsOnPage, stepsOf, stepsThrough } from "../../forms/definition/steps.ts"
import type { Post } from "../../forms/submission/post.ts"
import { words } from "../words.fr.ts"

/** One of the steps of a form's own page, as it is shown. */
export interface ShownStep {
  title: string | undefined
  progress: string
  isFirst: boolean
  isLast: boolean
}

interface PageState {
  step?: number | undefined
  only?: ReadonlySet<string> | undefined
  values: Record<string, string>
}

/** Undefined where the form is shown as a whole. */
export function shownStep({ fields }: Form, { step, values }: PageState): ShownStep | undefined {
  const steps = stepsOf(fields)
  if (step === undefined || steps.length === 1) return undefined
  const through = stepsThrough(fields, values)
  const number = through.filter((place) => place <= step).length
  return {
    title: steps[step]?.title,
    progress: words.stepOf({ number: Math.max(number, 1), count: through.length }),
    isFirst: step === through[0],
    isLast: step === steps.length - 1,
  }
}

/** The other fields go along as names and values: each choice by itself, as boxes send it. */
export function shownFields(
  { fields }: Form,
  { step, only, values }: PageState,
): { fields: Field[]; carried: [name: string, value: string][] } {
  const steps = stepsOf(fields)
  const ofStep = step === undefined || steps.length === 1 ? fields : (steps[step]?.fields ?? [])
  const own = only ? ofStep.filter(({ name }) => only.has(name)) : ofStep
  const pageFields = fieldsOnPage(own, fields, values)
  const names = new Set(pageFields.map(({ name }) => name))
  const types = new Map(fields.map(({ name, type }) => [name, type]))
  const carried = Object.entries(values).flatMap(([name, value]): [string, string][] => {
    const type = types.get(name)
    if (!type || type === "file" || value === "" || names.has(name)) return []
    return (fieldRules[type].value === "options" ? splitChoices(value) : [value]).map((each) => [name, each])
  })
  return { fields: pageFields, carried }
}

/** Where a post of a form's own page was made, and whether it asks for another of its steps. */
export function stepOfPost({ fields }: Form, { texts }: Post) {
  const count = stepsOf(fields).length
  const typedStep = texts.get("guichet_step") ?? ""
  const at = count > 1 && /^\d{1,3}$/.test(typedStep) ? Math.min(Number(typedStep), count - 1) : undefined
  const wanted = texts.get("guichet_go")
  const isGo = wanted === "next" || wanted === "back"
  return { at, go: at !== undefined && isGo ? (wanted as "next" | "back") : undefined }
}

/** The next step on the way, or the one before. */
export function stepAfter(form: Form, at: number, go: "next" | "back", values: Record<string, string>) {
  const through = stepsThrough(form.fields, values)
  const nextAt = go === "next" ? through.find((place) => place > at) : through.findLast((place) => place < at)
  return nextAt ?? at
}

/** The step with the first of these problems; `at` where they are of no field. */
export function stepOfProblem(
  { fields }: Form,
  problems: object,
  at: number | undefined,
): number | undefined {
  if (at === undefined) return undefined
  const steps = stepsOf(fields)
  const wrongAt = steps.findIndex((step) => step.fields.some(({ name }) => Object.hasOwn(problems, name)))
  return wrongAt === -1 ? at : wrongAt
}

/** Those of the fields of one step. */
export function problemsOfStep<Told>(
  { fields }: Form,
  at: number,
  problems: Record<string, Told>,
): Record<string, Told> {
  const own = stepsOf(fields)[at]?.fields ?? []
  return Object.fromEntries(
    Object.entries(problems).filter(([name]) => own.some((field) => field.name === name)),
  )
}
