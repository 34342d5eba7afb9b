import { own, ownDocument } from "../own.ts"
import { languageOf } from "../own-script.ts"
import { formWords } from "../words.fr.ts"
import { forgetProof, proveFirst } from "./prove.ts"

// `/proof.js`, browser code, for pages whose form wants a proof of work: makes it when the form is sent, before the
// form helper or the browser sends it.

const says = formWords[languageOf(ownDocument.documentElement.lang)]

ownDocument.addEventListener(
  "submit",
  (event) => {
    if (event.target instanceof HTMLFormElement) proveFirst(event, event.target, says)
  },
  true,
)
addEventListener("input", ({ target }) => {
  const form = target instanceof Element && own(target).closest("form")
  if (form) forgetProof(form)
})
