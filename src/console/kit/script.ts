// Browser script of the console. Every page works without it. It adds copy buttons, confirmation before
// irreversible actions, a guard against double clicks, filters that apply at once, arrow keys in charts, the
// current tab in sight, and sections that refresh while work is in progress.

import { followTyping } from "../appearance/live-preview.ts"

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
for (const form of document.querySelectorAll<HTMLFormElement>("form[data-at-once]")) {
  for (const button of form.querySelectorAll<HTMLElement>("button[data-without-script]")) button.hidden = true
  form.addEventListener("change", ({ target }) => {
    if (target instanceof HTMLSelectElement) form.requestSubmit()
  })
}

// On a phone the tab of this page may stand beyond the edge of their line.
document.querySelector(".subpages [aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" })

// Browsers offer the clipboard only in a secure context. Elsewhere the copy buttons stay hidden.
if (navigator.clipboard)
  for (const button of document.querySelectorAll<HTMLElement>("[data-copy]")) button.hidden = false

for (const part of document.querySelectorAll<HTMLElement>("[data-refresh]")) renew(part.id)

/**
 * Refreshes the section `id` every second, from the address in its `data-refresh` or else from the page's
 * own, until the fresh section has no `data-refresh`. Then the whole page is reloaded, and when its `data-version`
 * changes, since other sections show the same; not where that would lose typed input or submit a form again.
 */
function renew(id: string): void {
  const everyMs = 1000
  setTimeout(async () => {
    const part = document.getElementById(id)
    if (!part) return
    try {
      const address = new URL(part.dataset["refresh"] || location.href, location.href).href
      const reply = await fetch(address, { headers: { accept: "text/html" } })
      const page = new DOMParser().parseFromString(await reply.text(), "text/html")
      const fresh = page.getElementById(id)
      const goesOn = fresh?.hasAttribute("data-refresh")
      const isNew = !goesOn || fresh?.dataset["version"] !== part.dataset["version"]
      if (isNew && !isTypedIn() && location.pathname === new URL(address).pathname) return location.reload()
      if (fresh) part.replaceWith(fresh)
      if (!goesOn) return
    } catch {
      // The service may be restarting, so the next round tries again.
    }
    renew(id)
  }, everyMs)
}

function isTypedIn(): boolean {
  const fields = document.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(
    "main input, main textarea",
  )
  const lists = document.querySelectorAll<HTMLOptionElement>("main option")
  return (
    [...fields].some((field) => field.value !== field.defaultValue) ||
    [...lists].some((option) => option.selected !== option.defaultSelected)
  )
}
