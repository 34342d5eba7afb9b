import { colorRule, contrast, textColorOn } from "../../../base/color.ts"

/** Browser code: the preview of the widget is loaded anew after each change, open if it was open. */
export function followTyping(): void {
  const frame = document.querySelector<HTMLIFrameElement>("iframe[data-preview]")
  const form = frame?.closest("form")
  if (!frame || !form) return
  let shown = typedIn(form)
  let field: HTMLElement | undefined
  /** The panel was open, and is not open again yet: further changes may come before it is. */
  let isToOpen = false
  let changes = 0
  form.addEventListener("focusin", ({ target }) => {
    if (target !== frame) field = target as HTMLElement
  })
  form.addEventListener("change", () => {
    const typed = typedIn(form)
    if (typed === shown) return
    shown = typed
    changes++
    const host = frame.contentDocument?.querySelector("guichet-widget")
    isToOpen ||= host?.shadowRoot?.querySelector("dialog")?.open === true
    // No entry of the history: the button for going back leads to the page before this one.
    frame.contentWindow?.location.replace(`${frame.dataset["preview"]}?${typed}`)
  })
  frame.addEventListener("load", () => {
    if (!isToOpen) return
    const before = changes
    openIn(frame, () => {
      // The panel takes the focus from a field, which is a change in itself.
      if (changes === before) isToOpen = false
      field?.focus()
    })
  })
  form.addEventListener("input", () => {
    const color = String(new FormData(form).get("color")).toLowerCase()
    if (colorRule.test(color)) tellContrast(contrast(color, textColorOn(color)))
  })
}

function typedIn(form: HTMLFormElement): string {
  const typed = [...new FormData(form)].filter(([name]) => !name.startsWith("guichet_"))
  return String(new URLSearchParams(typed as [string, string][]))
}

/** The panel takes the focus while it opens: then it goes back to the field that is being filled in. */
function openIn({ contentDocument, contentWindow }: HTMLIFrameElement, refocus: () => void): void {
  contentDocument?.addEventListener("focusin", () => setTimeout(refocus), { once: true })
  const { guichet } = contentWindow as unknown as { guichet?: { open(): void } }
  guichet?.open()
}

/** The hint of the colour holds the figure, in the words of appearance/words.fr.ts. */
function tellContrast(ratio: number): void {
  const hint = document.getElementById("color-hint")
  const figure = ratio.toLocaleString("fr", { maximumFractionDigits: 1 })
  if (hint) hint.textContent = (hint.textContent ?? "").replace(/\d{1,2}(,\d)?(?=\u00a0pour 1)/, figure)
}
