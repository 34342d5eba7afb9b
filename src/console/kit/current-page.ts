import { createContext } from "preact"
import { useContext } from "preact/hooks"
import { type SubmittedForm, untouched } from "./forms/submitted-form.ts"
import type { PageContext } from "./page-context.ts"

/** Provided by `page`. A page for visitors who are not signed in has none. */
export const CurrentPage = createContext<PageContext | undefined>(undefined)

/** Provided by `page` and `plainPage`, and by each `<Form>` that is not the one that was submitted. */
export const Submitted = createContext<SubmittedForm>(untouched)

/** The page that a component is rendered on. */
export function usePage(): PageContext {
  const context = useContext(CurrentPage)
  if (!context) throw new Error("this page has no signed-in operator")
  return context
}

/**
 * The submitted state that a component is rendered in. `only`: of a page with several forms, the one that has this
 * field; the others are shown untouched.
 */
export function useSubmitted(only?: string): SubmittedForm {
  const submitted = useContext(Submitted)
  return only === undefined || submitted.values.has(only) ? submitted : untouched
}
