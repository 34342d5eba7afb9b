import { colorRule, contrast, textColorOn } from "../../../base/color.ts"

/** A panel that begins with a search gives it the focus once its script is loaded, if it can be. */
const searchLoadMs = 2000

/** Browser code: the preview of the widget is loaded anew after each change, open if it was open. */
export function followTyping(): void {
  const frame = document.querySelector<HTMLIFrameElement>("iframe[data-preview]")
  const form = frame?.closest("form")
  if (!frame || !form) return
  let shown = typedIn(form)
  /** The panel was open, and is not open again yet: further changes may come before it is. */
  let isToOpen = false
  let field: HTMLElement | undefined
  form.addEventListener("focusin", ({ target }) => {
    if (target !== frame) field = target as HTMLElement
  })
  form.addEventListener("change", () => {
    const typed = typedIn(form)
    if (typed === shown) return
    shown = typed
    isToOpen ||= dialogIn(frame.contentDocument)?.open === true
    // No entry of the history: the button for going back leads to the page before this one.
    frame.contentWindow?.location.replace(`${frame.dataset["preview"]}?${typed}`)
  })
  frame.addEventListener("load", () => {
    if (!isToOpen) return
    const loaded = frame.contentWindow?.location.search
    openIn(frame, {
      hasSearch: new URLSearchParams(loaded).has("search"),
      // Within the same turn, so that no letter that is typed goes to the panel.
      focused: () => field?.focus(),
      // The next change may have come before that: then the panel is still to open in that one's page.
      opened: () => {
        if (loaded === `?${shown}`) isToOpen = false
      },
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

function dialogIn(page: Document | null): HTMLDialogElement | null | undefined {
  return page?.querySelector("guichet-widget")?.shadowRoot?.querySelector("dialog")
}

interface Opening {
  hasSearch: boolean
  /** The panel has taken the focus by itself. */
  focused(): void
  opened(): void
}

/** The widget may still wait for its settings. Where another page is loaded before it opens, nothing is told. */
function openIn(frame: HTMLIFrameElement, { hasSearch, focused, opened }: Opening): void {
  const page = frame.contentDocument as Document
  const settling = new AbortController()
  const settle = () => settling.abort()
  page.addEventListener(
    "focusin",
    (event) => {
      focused()
      if ((event.composedPath()[0] as Element).id === "search") settle()
    },
    { signal: settling.signal },
  )
  // A click in the panel means that the focus belongs there.
  page.addEventListener("pointerdown", settle, { once: true })
  const { guichet } = frame.contentWindow as unknown as { guichet?: { open(): void } }
  guichet?.open()
  const look = () => {
    if (frame.contentDocument !== page) return
    if (!dialogIn(page)?.open) return void requestAnimationFrame(look)
    opened()
    if (hasSearch) setTimeout(settle, searchLoadMs)
    else settle()
  }
  look()
}

/** The hint of the colour holds the figure, in the words of appearance/words.fr.ts. */
function tellContrast(ratio: number): void {
  const hint = document.getElementById("color-hint")
  const figure = ratio.toLocaleString("fr", { maximumFractionDigits: 1 })
  if (hint) hint.textContent = (hint.textContent ?? "").replace(/\d{1,2}(,\d)?(?=\u00a0pour 1)/, figure)
}
