import { answerNodes } from "../../../widget/answer.ts"
import { squeezedCss } from "../../../widget/style.ts" with { type: "macro" }
import { answerWords } from "../../../widget/words.fr.ts"
import { type Mark, marked } from "./markdown-marks.ts"

// Browser script of the form of a chosen answer, which works without it: buttons that write Markdown, and the answer as
// the widget will show it, by the widget's own code.

const text = document.querySelector<HTMLTextAreaElement>("textarea[name=answer]")
const tools = document.querySelector<HTMLElement>("[data-marks]")
const preview = document.querySelector<HTMLElement>("[data-answer-preview]")
if (text && tools && preview) start(text, tools, preview)

function start(text: HTMLTextAreaElement, tools: HTMLElement, preview: HTMLElement): void {
  const show = answerShownIn(preview.appendChild(document.createElement("div")))
  const renew = () => {
    preview.hidden = text.value.trim() === ""
    show(text.value)
  }
  tools.hidden = false
  tools.addEventListener("click", (event) => {
    const button = (event.target as Element).closest<HTMLButtonElement>("button[data-mark]")
    if (!button) return
    const { selectionStart, selectionEnd, value } = text
    const change = marked(value, selectionStart, selectionEnd, button.dataset["mark"] as Mark)
    text.focus()
    text.setSelectionRange(change.from, change.to)
    // Only so can the change be taken back by the browser's own undo.
    if (!document.execCommand("insertText", false, change.text)) text.setRangeText(change.text)
    text.setSelectionRange(...change.selected)
    renew()
  })
  text.addEventListener("input", renew)
  renew()
}

/** Within a shadow tree, so that the widget's styles and the page's do not meet. */
function answerShownIn(place: HTMLElement): (answer: string) => void {
  const root = place.attachShadow({ mode: "open" })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(squeezedCss("answer.css", "widget.css"))
  root.adoptedStyleSheets = [sheet]
  // Sources are chosen beside the text: here their markers stay as they are written.
  return (answer) =>
    root.replaceChildren(...answerNodes({ answer, sources: [] }, "preview", answerWords.fr, () => {}))
}
