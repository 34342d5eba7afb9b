import { Field } from "../kit/forms/fields.tsx"
import { words } from "./words.fr.ts"

const own = "own"

/** How the assistant calls the site: one of the usual words, or one of the owner's. */
export function KindFields({ kindWord }: { kindWord: string }) {
  const isUsual = Object.hasOwn(words.kinds, kindWord)
  return (
    <div class="kind">
      <Field
        name="kind"
        {...words.kind}
        value={isUsual ? kindWord : own}
        choices={[...Object.entries(words.kinds), [own, words.ownKind]]}
      />
      <Field name="kind_word" {...words.kindWord} value={isUsual ? "" : kindWord} optional />
    </div>
  )
}

/** Both fields as the one of the operation; empty for a form with neither. */
export function kindIn(values: URLSearchParams): { kind_word?: string } {
  const kind = values.get("kind")
  if (kind === null) return {}
  return { kind_word: kind === own ? (values.get("kind_word") ?? "") : kind }
}
