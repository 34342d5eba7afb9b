import { element } from "../element.ts"
import { type Language, offerWords } from "../words.fr.ts"

interface Choices {
  /** The message need not be sent. */
  yes(): void
  /** It is to be sent all the same. */
  no(): void
}

/** « Votre message n’est pas encore envoyé » around an answer. `key` is unique; focus goes to its title. */
export function offerSection(
  nodes: HTMLElement[],
  key: string,
  language: Language,
  { yes, no }: Choices,
): { section: HTMLElement; title: HTMLElement } {
  const says = offerWords[language]
  const title = element("p", { id: key, class: "label", tabindex: "-1" }, says.notSent)
  const decline = element("button", { type: "button" }, says.no)
  const accept = element("button", { type: "button" }, says.yes)
  accept.addEventListener("click", yes)
  decline.addEventListener("click", no)
  const section = element(
    "section",
    { class: "offer", "aria-labelledby": key },
    title,
    says.isThis,
    ...nodes,
    element("p", { class: "choices" }, decline, accept),
  )
  openInNewTabs(section, language)
  return { section, title }
}

/** Says so beside each link: what is being written stays where it is. Returns what takes that back. */
export function openInNewTabs(parent: ParentNode, language: Language): () => void {
  const links = [...parent.querySelectorAll<HTMLAnchorElement>(".sources a:not([target])")]
  const notes = links.map((link) => {
    const note = element("span", {}, ` ${offerWords[language].elsewhere}`)
    link.target = "_blank"
    link.append(note)
    return note
  })
  return () => {
    for (const link of links) link.removeAttribute("target")
    for (const note of notes) note.remove()
  }
}

/** The same, also for the pages that are listed from now on. */
export function keepOpeningInNewTabs(root: ShadowRoot, language: Language): () => void {
  const restore = [openInNewTabs(root, language)]
  const observer = new MutationObserver(() => restore.push(openInNewTabs(root, language)))
  observer.observe(root, { childList: true, subtree: true })
  return () => {
    observer.disconnect()
    for (const one of restore) one()
  }
}
