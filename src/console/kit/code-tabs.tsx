import { Snippet } from "./forms/fields.tsx"
import { words } from "./words.fr.ts"

/** At most four: code.css shows the panel of the button that is checked, without a script. */
const languages = Object.entries(words.languages) as [Code, string][]
export type Code = keyof typeof words.languages

/** The same in several languages, one at a time. The buttons are those of a radio group, for keyboards too. */
export function CodeTabs({ label, codes }: { label: string; codes: Record<Code, string> }) {
  return (
    <fieldset class="code-tabs" aria-label={label}>
      {languages.map(([language, name], place) => (
        <>
          <input type="radio" name="code" id={`code-${language}`} checked={place === 0} />
          <label for={`code-${language}`}>{name}</label>
        </>
      ))}
      {languages.map(([language, name]) => (
        <div key={language}>
          <Snippet label={name} text={codes[language]} />
        </div>
      ))}
    </fieldset>
  )
}
