/** @jsxImportSource preact */
import { textColorOn } from "../../base/color.ts"
import { messages } from "../messages/appearance.fr.ts"
import { suggestionName } from "./appearance-form.ts"

interface Shown {
  title: string
  introduction: string
  position: string
  suggestions: string[]
}

/**
 * The widget as visitors see it, with what is saved; `live-preview.ts` follows what is typed. Hidden from screen
 * readers: the fields beside it say the same.
 */
export function Preview({ shown }: { shown: Shown }) {
  return (
    <figure class="preview" data-preview data-position={shown.position}>
      <figcaption>{messages.preview}</figcaption>
      <div class="preview-panel" aria-hidden="true">
        <p class="preview-title" data-shows="title" data-usual={messages.usual.title}>
          {shown.title || messages.usual.title}
        </p>
        <p data-shows="introduction" data-usual={messages.usual.introduction}>
          {shown.introduction || messages.usual.introduction}
        </p>
        <p class="preview-questions">
          {shown.suggestions.map((question, index) => (
            <span key={suggestionName(index)} data-shows={suggestionName(index)} hidden={question === ""}>
              {question}
            </span>
          ))}
        </p>
        <p class="preview-field">{messages.field}</p>
      </div>
      <p class="preview-button" aria-hidden="true">
        {messages.button}
      </p>
    </figure>
  )
}

/** The rules of the colour, for a file of their own. */
export function previewRules(color: string): string {
  return `.preview { --widget-color: ${color}; --on-widget-color: ${textColorOn(color)} }\n`
}
