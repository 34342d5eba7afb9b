import { followConditions, showOrHide } from "../form/follow-conditions.ts"
import { ownDocument } from "../own.ts"

// `/conditions.js`, browser code, for pages whose form has a field that depends on another. Without it, every field
// stands there, with a sentence that says when to fill it in.
const prepared = new WeakSet<HTMLFormElement>()

function prepare(form: HTMLFormElement | null | undefined): void {
  if (!form || prepared.has(form)) return
  prepared.add(form)
  followConditions(form)
}

for (const form of ownDocument.forms) prepare(form)
// A form that was added since.
ownDocument.addEventListener("focusin", ({ target }) => prepare((target as Element).closest?.("form")))
// A browser gives a page that it comes back to what was typed.
addEventListener("pageshow", () => {
  for (const form of ownDocument.forms) showOrHide(form)
})
