import type { Field } from "./field.ts"
import { hiddenFields } from "./when.ts"

/** The part of a form between two fields of type `page`, of which the first gives the part its title. */
export interface Step {
  title: string | undefined
  fields: Field[]
}

/** A form without a field of type `page` has one step. */
export function stepsOf(fields: readonly Field[]): Step[] {
  const steps: Step[] = [{ title: undefined, fields: [] }]
  for (const field of fields)
    if (field.type !== "page") steps.at(-1)?.fields.push(field)
    else if (steps.length === 1 && steps[0]?.fields.length === 0 && steps[0].title === undefined)
      steps[0].title = field.label
    else steps.push({ title: field.label, fields: [] })
  return steps
}

/**
 * Places of the steps that a visitor with these answers goes through. The last one, where the form is sent from, is
 * always among them: only its button says that it sends the form.
 */
export function stepsThrough(fields: readonly Field[], values: Readonly<Record<string, string>>): number[] {
  const steps = stepsOf(fields)
  const hidden = hiddenFields(fields, values)
  const isShown = ({ name, type }: Field) => type !== "hidden" && !hidden.has(name)
  return [...steps.keys()].filter((place) => place === steps.length - 1 || steps[place]?.fields.some(isShown))
}

/**
 * The fields of one page to show to a visitor who has answered the other pages. A field whose conditions are all on
 * other pages is left out, or loses its condition; the rest depend on what is answered on this page.
 */
export function fieldsOnPage(
  own: readonly Field[],
  fields: readonly Field[],
  values: Readonly<Record<string, string>>,
): Field[] {
  const hidden = hiddenFields(fields, values)
  const names = new Set(own.map(({ name }) => name))
  return own.flatMap((field) => {
    const { when, ...always } = field
    if (!when || when.conditions.some(({ field }) => names.has(field))) return [field]
    return hidden.has(field.name) ? [] : [always]
  })
}
