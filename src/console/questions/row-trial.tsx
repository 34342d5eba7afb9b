import { QuietButton } from "../kit/components.tsx"
import { Form } from "../kit/forms/fields.tsx"
import { usePage } from "../kit/page-context.ts"

/** Tries the question of a row, on the page of trials. Sends `<RowTrials>`. */
export function RowTrial({ question, ...named }: { question: string; label: string; spoken: string }) {
  return <QuietButton form="try" name="question" value={question} {...named} />
}

/** Stands once on a page whose rows have `<RowTrial>`. */
export function RowTrials() {
  return <Form forRows="try" action={`/console/projects/${usePage().params["project"]}/trials#trial`} />
}
