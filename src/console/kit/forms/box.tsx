/** @jsxImportSource preact */
import { useSubmitted } from "../page-context.ts"

interface Props {
  name: string
  label: string
  hint?: string
  /** Until a form is submitted. */
  checked?: boolean
}

/** A labelled checkbox. */
export function Box({ name, label, hint, checked = false }: Props) {
  const { values, problems } = useSubmitted()
  const problem = problems[name]
  const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(" ")
  return (
    <div class="field">
      <label class="box">
        <input
          type="checkbox"
          // An error at the top of the page links to it.
          id={problem ? name : undefined}
          name={name}
          checked={values.size === 0 ? checked : values.has(name)}
          aria-describedby={described || undefined}
          aria-invalid={problem ? "true" : undefined}
        />
        <span>{label}</span>
      </label>
      {hint && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {problem && (
        <p class="wrong" id={`${name}-problem`}>
          {problem}
        </p>
      )}
    </div>
  )
}
