// Search within the page of the API: shows the entries of the menu that hold every typed word, in
// their own text, in the name of their part or in what they lead to. Accents and capitals do not matter.

const search = document.querySelector<HTMLInputElement>("#search")
const found = document.querySelector<HTMLElement>("#found")
const links = [...document.querySelectorAll<HTMLAnchorElement>("nav a")].map((link) => ({
  entry: link.parentElement as HTMLElement,
  text: folded(`${partOf(link)} ${link.textContent} ${link.dataset["words"] ?? ""} ${targetOf(link)}`),
}))

if (search && found) {
  ;(search.parentElement as HTMLElement).hidden = false
  search.addEventListener("input", () => {
    const words = folded(search.value).split(/\s+/).filter(Boolean)
    let shown = 0
    for (const { entry, text } of links) {
      entry.hidden = !words.every((word) => text.includes(word))
      if (!entry.hidden) shown++
    }
    for (const part of document.querySelectorAll<HTMLDetailsElement>("nav details")) {
      const isEmpty = [...part.querySelectorAll("li")].every(({ hidden }) => hidden)
      part.hidden = isEmpty
      part.open = words.length > 0 && !isEmpty
    }
    found.textContent =
      words.length === 0
        ? ""
        : shown === 0
          ? "Aucun résultat"
          : `${shown} ${shown > 1 ? "résultats" : "résultat"}`
  })
}

/** The name of the part of the menu that a link stands in. */
function partOf(link: HTMLAnchorElement): string {
  return link.closest("details")?.querySelector("summary")?.textContent ?? ""
}

/** The text of the operation or guide that a link leads to, its fields included. */
function targetOf(link: HTMLAnchorElement): string {
  const target = document.getElementById(link.hash.slice(1))
  return (target?.closest("article, section") ?? target)?.textContent ?? ""
}

function folded(text: string): string {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replaceAll("’", "'").toLowerCase().replaceAll("œ", "oe")
}
