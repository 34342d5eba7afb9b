import type { ContactOptions, ShowContact } from "./contact/contact.ts"
import { element } from "./element.ts"
import type { Language, WidgetMessages } from "./messages.fr.ts"

/** The script of the contact form, which the build of this one knows: few visitors write. */
declare const CONTACT_HASH: string
declare const CONTACT_INTEGRITY: string

type LinkOptions = Omit<ContactOptions, "place" | "question" | "answerId"> & {
  script: HTMLScriptElement | null
  says: WidgetMessages
  language: Language
}

/** Makes the buttons that open the contact form in their place, with the question filled in. */
export function contactLinks({ script, ...options }: LinkOptions) {
  const { service, says } = options
  let loading: Promise<ShowContact> | undefined

  return (question: string, answerId: string): HTMLElement => {
    const button = element("button", { type: "button", class: "write" }, says.write)
    const place = element("div", {}, button)
    button.addEventListener("click", async () => {
      place.querySelector("p")?.remove()
      button.setAttribute("aria-disabled", "true")
      try {
        loading ??= load(service, script)
        await (await loading)({ ...options, place, question, answerId })
      } catch {
        loading = undefined
        place.append(element("p", { role: "alert", class: "alert" }, says.writeFailed))
      }
      button.removeAttribute("aria-disabled")
    })
    return place
  }
}

/** The browser runs no other script than the one that was built with this one. */
function load(service: string, own: HTMLScriptElement | null): Promise<ShowContact> {
  return new Promise((resolve, reject) => {
    const script = element("script", {
      src: `${service}contact/${CONTACT_HASH}.js`,
      integrity: CONTACT_INTEGRITY,
      crossorigin: "",
    })
    // A page may allow scripts by a nonce alone.
    script.nonce = own?.nonce ?? ""
    script.addEventListener("guichet", (event) => resolve((event as CustomEvent<ShowContact>).detail))
    script.addEventListener("error", reject)
    document.head.append(script)
  })
}
