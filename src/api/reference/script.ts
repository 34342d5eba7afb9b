// Script of the reference of the API. Copies examples, and searches the menu: shows the entries that hold every typed
// word, in their own text, in the name of their part or in what they lead to. Accents and capitals do not matter.

const search = document.querySelector<HTMLInputElement>("#search")
const resultLine = document.querySelector<HTMLElement>("#found")
const links = [...document.querySelectorAll<HTMLAnchorElement>("nav a")].map((link) => ({
  entry: link.parentElement as HTMLElement,
  text: folded(`${menuPart(link)} ${link.textContent} ${link.dataset["words"] ?? ""} ${targetText(link)}`),
}))

if (search && resultLine) {
  ;(search.parentElement as HTMLElement).hidden = false
  search.addEventListener("input", () => {
    const words = folded(search.value).split(/\s+/).filter(Boolean)
    let shown = 0
    for (const { entry, text } of links) {
      entry.hidden = !words.every((word) => text.includes(word))
      if (!entry.hidden) shown++
    }
    for (const part of parts) {
      const isEmpty = [...part.querySelectorAll("li")].every(({ hidden }) => hidden)
      part.hidden = isEmpty
      part.open = words.length > 0 ? !isEmpty : opened.has(part)
    }
    resultLine.textContent =
      words.length === 0
        ? ""
        : shown === 0
          ? "Aucun résultat"
          : `${shown} ${shown > 1 ? "résultats" : "résultat"}`
  })
}

const parts = [...document.querySelectorAll<HTMLDetailsElement>("nav details")]
/** Parts that were open before anything was searched. */
const opened = new Set(parts.filter(({ open }) => open))

// Browsers offer the clipboard only in a secure context. Elsewhere the buttons stay hidden.
for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
  if (!navigator.clipboard) break
  const label = button.textContent
  button.hidden = false
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(button.parentElement?.querySelector("code")?.textContent ?? "")
    button.textContent = button.dataset["copied"] ?? label
    setTimeout(() => {
      button.textContent = label
    }, 2000)
  })
}

/** The name of the part of the menu that a link stands in. */
function menuPart(link: HTMLAnchorElement): string {
  return link.closest("details")?.querySelector("summary")?.textContent ?? ""
}

/** The text of the operation that a link of this page leads to, its fields included. */
function targetText(link: HTMLAnchorElement): string {
  if (link.pathname !== location.pathname) return ""
  const target = document.getElementById(link.hash.slice(1))
  return (target?.closest("article, section") ?? target)?.textContent ?? ""
}

function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("’", "'").toLowerCase().replaceAll("œ", "oe")
}
