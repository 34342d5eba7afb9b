/** @jsxImportSource preact */
import type { FormState } from "./form-state.ts"

interface Props {
  formState: FormState
  name: string
  label: string
  hint?: string
}

/** A labelled checkbox. */
export function Box({ formState, name, label, hint }: Props) {
  const problem = formState.problems[name]
  const described = [hint && `${name}-hint`, problem && `${name}-problem`].filter(Boolean).join(" ")
  return (
    <div class="field">
      <label class="box">
        <input
          type="checkbox"
          // An error at the top of the page links to it.
          id={problem ? name : undefined}
          name={name}
          checked={formState.values.has(name)}
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
