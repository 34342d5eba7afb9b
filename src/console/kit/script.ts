// What scripts add to the console's pages, which all work without: buttons that copy, questions before what
// cannot be undone, one sending for a double click, and parts that renew themselves while something is going
// on. Browser code.

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
  // A file that was sent for leaves the page where it is.
  setTimeout(() => sent.delete(form), doubleClickMs)
})

// Only where copying is allowed is its button shown.
if (navigator.clipboard)
  for (const button of document.querySelectorAll<HTMLElement>("[data-copy]")) button.hidden = false

for (const part of document.querySelectorAll<HTMLElement>("[data-refresh]")) renew(part.id)

/**
 * Asks for the page again, by the address that the part names or else its own, until the part says no more
 * that it changes; then once for the whole page, unless that would lose something typed or send a form again.
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
      if (!goesOn && !isTypedIn() && location.pathname === new URL(address).pathname) return location.reload()
      if (fresh) part.replaceWith(fresh)
      if (!goesOn) return
    } catch {
      // The service may be restarting: asked again.
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
