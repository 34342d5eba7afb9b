/** @jsxImportSource preact */
import { textColorOn } from "../../base/color.ts"
import { suggestionName } from "./appearance-form.ts"
import { words } from "./words.fr.ts"

interface Shown {
  title: string
  introduction: string
  position: string
  suggestions: string[]
}

/**
 * The widget as visitors see it, with what is saved; `kit/browser/live-preview.ts` follows what is typed. Hidden
 * from screen readers: the fields beside it say the same.
 */
export function Preview({ shown }: { shown: Shown }) {
  return (
    <figure class="preview" data-preview data-position={shown.position}>
      <figcaption>{words.preview}</figcaption>
      <div class="preview-panel" aria-hidden="true">
        <p class="preview-title" data-shows="title" data-usual={words.usual.title}>
          {shown.title || words.usual.title}
        </p>
        <p data-shows="introduction" data-usual={words.usual.introduction}>
          {shown.introduction || words.usual.introduction}
        </p>
        <p class="preview-questions">
          {shown.suggestions.map((question, index) => (
            <span key={suggestionName(index)} data-shows={suggestionName(index)} hidden={question === ""}>
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
