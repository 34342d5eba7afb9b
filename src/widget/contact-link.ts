import type { ContactOptions, ShowContact } from "./contact/contact.ts"
import { element } from "./element.ts"
import { loadLater } from "./load-later.ts"
import type { OwnersTexts } from "./settings.ts"
import type { Language } from "./words.fr.ts"

type LinkOptions = Omit<ContactOptions, "place" | "question" | "answerId"> & {
  script: HTMLScriptElement | undefined
  says: OwnersTexts
  language: Language
}

/** Makes the buttons that open the contact form in their place, with the question filled in. */
export function contactLinks({ script, ...options }: LinkOptions) {
  const { service, says } = options
  let loading: Promise<ShowContact> | undefined

  return (question: string, answerId?: string): HTMLElement => {
    const button = element("button", { type: "button", class: "write" }, says.write)
    const place = element("div", {}, button)
    button.addEventListener("click", async () => {
      place.querySelector("p")?.remove()
      button.setAttribute("aria-disabled", "true")
      try {
        loading ??= loadLater<ShowContact>(service, "contact", script)
        await (await loading)({ ...options, place, question, answerId })
      } catch {
        loading = undefined
        place.append(element("p", { role: "alert", class: "alert" }, says.write_failed))
      }
      button.removeAttribute("aria-disabled")
    })
    return place
  }
}
