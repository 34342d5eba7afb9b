import { element } from "../element.ts"
import { own } from "../own.ts"
import type { RefusedReply } from "./send.ts"

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const notes = new WeakMap<HTMLFormElement, Element>()
/** Takes back what is shown of a field's problem, on each of its controls. */
const takeBack = new WeakMap<EventTarget, () => void>()
let problemCount = 0

/** `:where` is weaker than any rule of the page, which decides how its messages look. */
export function prepareStyle(root: DocumentOrShadowRoot): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    ":where(.guichet-problem){display:block;color:#a11;color:light-dark(#a11,#f99)}:where(.guichet-success){white-space:pre-line}",
  )
  root.adoptedStyleSheets.push(sheet)
}

/** Our own page has such a sentence before a form that comes back. */
export function adoptSentence(form: HTMLFormElement): void {
  const before = own(form).previousElementSibling
  if (before?.matches("[role=alert].guichet-problem")) notes.set(form, before)
}

/** At the end, instead of the previous one. `lasting` stays once the problems are corrected. */
export function showSentence(
  form: HTMLFormElement,
  sentence: string,
  role: "status" | "alert",
  lasting = "",
): void {
  notes.get(form)?.remove()
  const kind = role === "alert" ? "guichet-problem" : "guichet-status"
  const note = element("p", { role, class: kind }, sentence)
  if (lasting) note.append(" ", element("span", {}, lasting))
  notes.set(form, note)
  own(form).append(note)
}

/** Focuses the first such field. Problems without a visible field are shown at the end of the form. */
export function showProblems(form: HTMLFormElement, { sentence, fields = {} }: RefusedReply): void {
  const controls = namedControls(form)
  for (const control of controls) clearProblems(control)
  const elsewhere: string[] = []
  for (const [name, problem] of Object.entries(fields)) {
    const own = controls.filter((control) => control.name === name && control.type !== "hidden")
    if (own.length > 0) showProblem(own, problem)
    else elsewhere.push(problem)
  }
  showSentence(form, sentence, "alert", elsewhere.join(" "))
  controls.find((control) => takeBack.has(control))?.focus()
}

/** Behind the label that holds the control, else behind the control or at the end of their fieldset. */
function showProblem(controls: Control[], problem: string): void {
  const last = controls.at(-1) as Control
  const note = element(
    "span",
    { class: "guichet-problem", id: `guichet-problem-${++problemCount}`, lang: "fr" },
    problem,
  )
  const group = controls.length > 1 ? last.closest("fieldset") : null
  if (group) group.append(note)
  else (last.closest("label") ?? last).after(note)
  for (const control of controls) {
    const described = control.getAttribute("aria-describedby")
    control.setAttribute("aria-invalid", "true")
    control.setAttribute("aria-describedby", `${described ?? ""} ${note.id}`.trim())
    takeBack.set(control, () => {
      note.remove()
      takeBack.delete(control)
      control.removeAttribute("aria-invalid")
      if (described === null) control.removeAttribute("aria-describedby")
      else control.setAttribute("aria-describedby", described)
    })
  }
}

/** The last one takes the sentence about them all along. The problem of a hidden field stays. */
export function clearProblems(target: EventTarget | null): void {
  if (!target || !takeBack.has(target)) return
  const { form, name } = target as Control
  if (!form) return
  const controls = namedControls(form)
  for (const control of controls) if (control.name === name) takeBack.get(control)?.()
  if (controls.some((control) => takeBack.has(control))) return
  const note = notes.get(form)
  const lasting = note?.querySelector("span")
  if (lasting) note?.replaceChildren(lasting)
  else note?.remove()
}

/** The form is hidden instead of removed: the page's own code may hold on to it. */
export function showSuccess(form: HTMLFormElement, sentences: (string | undefined)[]): void {
  notes.get(form)?.remove()
  const text = sentences.filter(Boolean).join("\n\n")
  const note = element("p", { role: "status", class: "guichet-success", tabindex: "-1" }, text)
  const visible = own(form)
  visible.after(note)
  visible.reset()
  visible.style.display = "none"
  note.focus()
}

function namedControls(form: HTMLFormElement): Control[] {
  const controls = [...own(form).elements] as Control[]
  return controls.filter((control) => control.matches("input, textarea, select"))
}
