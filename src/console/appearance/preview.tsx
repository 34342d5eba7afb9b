/** @jsxImportSource preact */
import { maxSuggestions, type WidgetSettings } from "../../accounts/widget/settings.ts"
import { colorRule, textColorOn } from "../../base/color.ts"
import { useSubmitted } from "../kit/page-context.ts"
import { suggestionName, usualColor } from "./appearance-form.ts"
import { words } from "./words.fr.ts"

/**
 * The widget as visitors see it, with what is typed or else saved; `kit/browser/live-preview.ts` follows what is
 * typed. Hidden from screen readers: the fields beside it say the same.
 */
export function Preview({ settings, address }: { settings: WidgetSettings; address: string }) {
  const { values } = useSubmitted()
  const typed = values.get("color") ?? settings.color ?? usualColor
  const color = colorRule.test(typed) ? typed : usualColor
  const suggestions = Array.from({ length: maxSuggestions }, (_, index) => {
    const name = suggestionName(index)
    return [name, values.get(name) ?? settings.suggestions[index] ?? ""] as const
  })
  return (
    <figure class="preview" data-preview data-position={values.get("position") ?? settings.position}>
      {/* The policy of the page allows no style attribute: the colour is a file of its own. */}
      <link rel="stylesheet" href={`${address}?color=${color.slice(1)}`} />
      <figcaption>{words.preview}</figcaption>
      <div class="preview-panel" aria-hidden="true">
        <p class="preview-title" data-shows="title" data-usual={words.usual.title}>
          {(values.get("title") ?? settings.title) || words.usual.title}
        </p>
        <p data-shows="introduction" data-usual={words.usual.introduction}>
          {(values.get("introduction") ?? settings.introduction) || words.usual.introduction}
        </p>
        <p class="preview-questions">
          {suggestions.map(([name, question]) => (
            <span key={name} data-shows={name} hidden={question === ""}>
              {question}
            </span>
          ))}
        </p>
        <p class="preview-field">{words.field}</p>
      </div>
      <p class="preview-button" aria-hidden="true">
        {words.button}
      </p>
    </figure>
  )
}

/** The rules of the colour, for a file of their own. */
export function previewRules(color: string): string {
  return `.preview { --widget-color: ${color}; --on-widget-color: ${textColorOn(color)} }\n`
}
