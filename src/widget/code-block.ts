import { element } from "./element.ts"
import type { WidgetMessages } from "./messages.fr.ts"

const shownMs = 2000

/** Code as it stands, with a button that copies it. */
export function codeBlock(text: string, says: WidgetMessages): HTMLElement {
  const code = element("code", {}, text)
  // Its own word is what changes, and is announced.
  const button = element("button", { type: "button", class: "copy", "aria-live": "polite" }, says.copy)
  button.addEventListener("click", async () => {
    if (!(await copied(code, text))) return
    button.textContent = says.copied
    setTimeout(() => button.replaceChildren(says.copy), shownMs)
  })
  const frame = element("pre", { tabindex: "0", role: "region", "aria-label": says.code }, code)
  return element("div", { class: "code" }, frame, button)
}

/**
 * Pages without TLS, and those whose policy forbids it, have no clipboard: there the code is selected and
 * copied as by hand.
 */
async function copied(code: HTMLElement, text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    getSelection()?.selectAllChildren(code)
    return document.execCommand("copy")
  }
}
