// What scripts add to the console's pages, which all work without: buttons that copy, questions before what cannot be undone,
// and parts that renew themselves while something is going on. Browser code.

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

document.addEventListener("submit", (event) => {
  const question = (event.target as HTMLElement).dataset["confirm"]
  if (question && !confirm(question)) event.preventDefault()
})

// Only where copying is allowed is its button shown.
if (navigator.clipboard)
  for (const button of document.querySelectorAll<HTMLElement>("[data-copy]")) button.hidden = false

for (const part of document.querySelectorAll<HTMLElement>("[data-refresh]")) renew(part.id)

/** Asks for the page again until the part says no more that it changes; then once for the whole page. */
function renew(id: string): void {
  const everyMs = 1000
  setTimeout(async () => {
    const part = document.getElementById(id)
    if (!part) return
    try {
      const reply = await fetch(location.href, { headers: { accept: "text/html" } })
      const page = new DOMParser().parseFromString(await reply.text(), "text/html")
      const fresh = page.getElementById(id)
      if (!fresh?.hasAttribute("data-refresh")) return location.reload()
      part.replaceWith(fresh)
    } catch {
      // The service may be restarting: asked again.
    }
    renew(id)
  }, everyMs)
}
