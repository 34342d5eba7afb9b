import { element } from "../element.ts"
import { ownDocument } from "../own.ts"
import type { AnswerWords } from "../words.fr.ts"

const confirmationMs = 2000

/** A verbatim code block with a button that copies it. */
export function codeBlock(text: string, says: AnswerWords): HTMLElement {
  const code = element("code", {}, text)
  // The live region is the button itself, because its label changes.
  const button = element("button", { type: "button", class: "copy", "aria-live": "polite" }, says.copy)
  button.addEventListener("click", async () => {
    if (!(await copyText(code, text))) return
    button.textContent = says.copied
    setTimeout(() => button.replaceChildren(says.copy), confirmationMs)
  })
  const frame = element("pre", { tabindex: "0", role: "region", "aria-label": says.code }, code)
  return element("div", { class: "code" }, frame, button)
}

/**
 * Copies the text; falls back to selecting the code and copying the selection. A page without TLS, or whose
 * policy forbids it, has no clipboard.
 */
async function copyText(code: HTMLElement, text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    getSelection()?.selectAllChildren(code)
    return ownDocument.execCommand("copy")
  }
}
