import { answerNodes } from "../answer.ts"
import { own, ownDocument } from "../own.ts"
import { squeezedCss } from "../style.ts" with { type: "macro" }
import { answerWords, type Language, offerWords } from "../words.fr.ts"
import { check, tellSolved } from "./check.ts"
import { offerSection } from "./offer-section.ts"

export interface OfferOptions {
  form: HTMLFormElement
  address: string
  /** Name of the field that the owner chose. */
  field: string
  language: Language
  /** Aborted when the visitor has waited long enough. */
  signal: AbortSignal
  send(): void
  end(sentence: string): void
}

/** Shows what the documentation answers to what was typed, at the end of the form. Resolves to whether it answers. */
export type ShowOffer = (options: OfferOptions) => Promise<boolean>

const showOffer: ShowOffer = async ({ form, address, field, language, signal, send, end }) => {
  const suggestion = await check(address, String(new FormData(form).get(field) ?? ""), signal)
  if (!suggestion) return false
  const host = ownDocument.createElement("guichet-offer")
  const root = host.attachShadow({ mode: "open" })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(squeezedCss("answer.css", "offer/offer-section.css", "offer/offer.css"))
  root.adoptedStyleSheets = [sheet]
  const { section, title } = offerSection(
    answerNodes(suggestion, "offer", answerWords[language], () => {}),
    "offer",
    language,
    {
      yes() {
        tellSolved(address)
        end(offerWords[language].solved)
      },
      no: send,
    },
  )
  root.append(section)
  own(form).append(host)
  own(form).addEventListener("submit", () => host.remove(), { once: true })
  title.focus()
  return true
}

// Browser code, loaded by the form helper once a form is sent that the owner wants checked: hands its one function
// over.
ownDocument.currentScript?.dispatchEvent(new CustomEvent("guichet", { detail: showOffer }))
