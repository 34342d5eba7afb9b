/** @jsxImportSource preact */
import { Form } from "../kit/forms/fields.tsx"

interface RowTrialProps {
  question: string
  label: string
  /** Its accessible name, which says of which question. */
  name: string
}

/** Tries the question of a row, on the page of trials. Sends `<RowTrials>`. */
export function RowTrial({ question, label, name }: RowTrialProps) {
  return (
    <button type="submit" form="try" name="question" value={question} class="quiet" aria-label={name}>
      {label}
    </button>
  )
}

/** Stands once on a page whose rows have `<RowTrial>`. */
export function RowTrials({ project }: { project: { id: string } }) {
  return <Form forRows="try" action={`/console/projects/${project.id}/trials#trial`} />
}
