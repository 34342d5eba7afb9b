// Browser script of the console. Every page works without it. It adds copy buttons, confirmation before
// irreversible actions, a guard against double clicks, a box that ticks all others, filters that apply at once,
// arrow keys in charts, the current tab in sight, and sections that refresh while work is in progress.

import { followTyping } from "./live-preview.ts"
import { refreshSections } from "./refresh.ts"

followTyping()

document.addEventListener("click", async ({ target }) => {
  const button = (target as Element).closest<HTMLButtonElement>("[data-copy]")
  const text = button?.closest("figure")?.querySelector("code")?.textContent
  if (!button || text == null) return
  await navigator.clipboard.writeText(text)
  const label = button.textContent
  button.textContent = button.dataset["copied"] ?? label
  setTimeout(() => {
    button.textContent = label
  }, 2000)
})

const sent = new WeakSet<EventTarget>()
const doubleClickMs = 1500

document.addEventListener("submit", (event) => {
  const form = event.target as HTMLFormElement
  const question = form.dataset["confirm"]
  if (sent.has(form) || (question && !confirm(question))) return event.preventDefault()
  sent.add(form)
  // A download does not leave the page, so the form must become usable again.
  setTimeout(() => sent.delete(form), doubleClickMs)
})

// The bars of a chart are one stop of the keyboard: the arrow keys lead from one to the next.
document.addEventListener("keydown", (event) => {
  const point = (event.target as Element).closest<SVGElement>("[data-points] .point")
  const wanted = { ArrowLeft: "previousElementSibling", ArrowRight: "nextElementSibling" } as const
  const direction = wanted[event.key as keyof typeof wanted]
  const next = point && direction && point[direction]
  if (!next?.matches(".point")) return
  event.preventDefault()
  point?.setAttribute("tabindex", "-1")
  next.setAttribute("tabindex", "0")
  ;(next as SVGElement).focus()
})

// Filters apply as soon as one is chosen. Without this script, their button does it.
document.addEventListener("change", ({ target }) => {
  if (target instanceof HTMLSelectElement)
    target.closest<HTMLFormElement>("form[data-at-once]")?.requestSubmit()
})

// The box above a list ticks all boxes of the name it holds, and shows whether some or all of them are ticked.
document.addEventListener("change", ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.form) return
  const own = target.dataset["chooseAll"]
  const all = target.form.querySelector<HTMLInputElement>("[data-choose-all]")
  if (!all) return
  const boxes = [
    ...target.form.querySelectorAll<HTMLInputElement>(`[type=checkbox][name="${all.dataset["chooseAll"]}"]`),
  ]
  if (own !== undefined) for (const box of boxes) box.checked = target.checked
  const ticked = boxes.filter((box) => box.checked).length
  all.checked = ticked > 0 && ticked === boxes.length
  all.indeterminate = ticked > 0 && ticked < boxes.length
})

// On a phone the tab of this page may stand beyond the edge of their line.
document.querySelector(".subpages [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" })

refreshSections(enhance)
enhance()

/** Shows what needs this script, hides what it makes needless. Runs again after each change of the page. */
function enhance(): void {
  const needless = document.querySelectorAll<HTMLElement>("form[data-at-once] button[data-without-script]")
  for (const button of needless) button.hidden = true
  for (const label of document.querySelectorAll<HTMLElement>("label:has([data-choose-all])"))
    label.hidden = false
  // Browsers offer the clipboard only in a secure context. Elsewhere the copy buttons stay hidden.
  if (!navigator.clipboard) return
  for (const button of document.querySelectorAll<HTMLElement>("[data-copy]")) button.hidden = false
}
