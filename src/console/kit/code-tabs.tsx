/** @jsxImportSource preact */
import { Snippet } from "./forms/fields.tsx"

interface CodeTabsProps {
  /** Names the choice. */
  label: string
  /** At most four: code.css shows the panel of the button that is checked, without a script. */
  codes: readonly { name: string; text: string }[]
}

/** The same in several languages, one at a time. The buttons are those of a radio group, for keyboards too. */
export function CodeTabs({ label, codes }: CodeTabsProps) {
  return (
    <fieldset class="code-tabs" aria-label={label}>
      {codes.map(({ name }, place) => (
        <>
          <input type="radio" name="code" id={`code-${place}`} checked={place === 0} />
          <label for={`code-${place}`}>{name}</label>
        </>
      ))}
      {codes.map(({ name, text }) => (
        <div key={name}>
          <Snippet label={name} text={text} />
        </div>
      ))}
    </fieldset>
  )
}
