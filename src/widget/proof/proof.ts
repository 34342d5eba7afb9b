import { showSentence } from "../form/problems.ts"
import { own, ownDocument } from "../own.ts"
import { languageOf } from "../own-script.ts"
import { formWords } from "../words.fr.ts"
import { solve } from "./solve.ts"

// `/proof.js`, browser code, for pages whose form wants a proof of work: makes it when the form is sent, before the
// form helper or the browser sends it.

/** Shorter than a challenge is good for. */
const goodForMs = 30 * 60_000
const timeoutMs = 10_000

/** Until when the proof in a form is good. The same content is sent again with the same proof. */
const goodUntil = new WeakMap<HTMLFormElement, number>()
const working = new WeakSet<HTMLFormElement>()
const says = formWords[languageOf(ownDocument.documentElement.lang)]

ownDocument.addEventListener(
  "submit",
  (event) => {
    const form = event.target
    if (!(form instanceof HTMLFormElement) || event.submitter?.hasAttribute("formaction")) return
    const input = own(form).querySelector<HTMLInputElement>("input[name=guichet_proof]")
    if (!input || (goodUntil.get(form) ?? 0) > Date.now()) return
    event.preventDefault()
    event.stopImmediatePropagation()
    if (!working.has(form)) void prove(form, input, event.submitter)
  },
  true,
)

// Another content is another response, and each has a proof of its own.
addEventListener("input", ({ target }) => {
  const form = target instanceof Element && own(target).closest("form")
  if (form) goodUntil.delete(form)
})

async function prove(
  form: HTMLFormElement,
  input: HTMLInputElement,
  submitter: HTMLElement | null,
): Promise<void> {
  working.add(form)
  goodUntil.delete(form)
  own(form).setAttribute("aria-busy", "true")
  showSentence(form, says.checking, "status")
  try {
    const signal = AbortSignal.timeout(timeoutMs)
    const response = await fetch(`${own(form).action}/start`, { signal })
    if (!response.ok) throw new Error()
    const { proof } = await response.json()
    // The owner may want none any more.
    input.value = proof ? JSON.stringify({ challenge: proof, solution: await solve(proof) }) : ""
    goodUntil.set(form, Date.now() + goodForMs)
  } catch {
    showSentence(form, says.offline, "alert")
  }
  own(form).removeAttribute("aria-busy")
  working.delete(form)
  if (goodUntil.has(form))
    // The page may have replaced its button meanwhile.
    own(form).requestSubmit((submitter as HTMLButtonElement | null)?.form === form ? submitter : null)
}
