import { element } from "../element.ts"

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const notes = new WeakMap<HTMLFormElement, HTMLElement>()
let problemCount = 0

/**
 * `:where` makes the style weaker than any rule of the page, so that the page decides how its messages look.
 */
export function prepareStyle(root: DocumentOrShadowRoot): void {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(
    ":where(.guichet-problem){display:block;color:#a4161a;color:light-dark(#a4161a,#ff9a9a)}:where(.guichet-success){white-space:pre-line}",
  )
  root.adoptedStyleSheets.push(sheet)
}

/** Shows a sentence about the whole form at its end, instead of the previous one. */
export function showSentence(form: HTMLFormElement, sentence: string, role: "status" | "alert"): void {
  notes.get(form)?.remove()
  const kind = role === "alert" ? "guichet-problem" : "guichet-status"
  const note = element("p", { role, class: kind }, sentence)
  notes.set(form, note)
  form.append(note)
}

/**
 * Shows each problem beside its field and focuses the first such field. Problems without a visible field are
 * shown at the end of the form.
 */
export function showProblems(form: HTMLFormElement, sentence: string, fields: Record<string, string>): void {
  for (const control of controlsOf(form)) clearProblems(control)
  const elsewhere: string[] = []
  for (const [name, problem] of Object.entries(fields)) {
    const controls = controlsOf(form).filter((control) => control.name === name && control.type !== "hidden")
    if (controls.length === 0) elsewhere.push(problem)
    else showProblem(controls, problem)
  }
  const first = controlsOf(form).find((control) => control.getAttribute("aria-invalid") === "true")
  showSentence(form, [sentence, ...elsewhere].join(" "), "alert")
  first?.focus()
}

/**
 * Shows the problem after the label that holds the control, else after the control. Several controls of one
 * name get it at the end of their fieldset.
 */
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
    control.setAttribute("aria-invalid", "true")
    control.setAttribute(
      "aria-describedby",
      `${control.getAttribute("aria-describedby") ?? ""} ${note.id}`.trim(),
    )
  }
}

/** Removes the problems of a field that is being corrected. */
export function clearProblems(target: EventTarget | null): void {
  if (!isControl(target) || target.getAttribute("aria-invalid") !== "true" || !target.form) return
  for (const control of controlsOf(target.form).filter(({ name }) => name === target.name)) {
    const described = (control.getAttribute("aria-describedby") ?? "").split(" ")
    const own = described.filter((id) => id.startsWith("guichet-problem-"))
    for (const id of own) (target.getRootNode() as Document | ShadowRoot).getElementById(id)?.remove()
    control.removeAttribute("aria-invalid")
    const others = described.filter((id) => !own.includes(id)).join(" ")
    if (others) control.setAttribute("aria-describedby", others)
    else control.removeAttribute("aria-describedby")
  }
}

/**
 * `sentences`: the thanks, and what else is to be done, if anything. Hides the form instead of removing it,
 * because the page's own code may hold on to it.
 */
export function showSuccess(form: HTMLFormElement, sentences: (string | undefined)[]): void {
  notes.get(form)?.remove()
  const said = sentences.filter(Boolean).join("\n\n")
  const note = element("p", { role: "status", class: "guichet-success", tabindex: "-1" }, said)
  form.after(note)
  form.reset()
  form.style.display = "none"
  note.focus()
}

function controlsOf(form: HTMLFormElement): Control[] {
  return [...form.elements].filter(isControl)
}

function isControl(target: unknown): target is Control {
  return (
    target instanceof HTMLInputElement ||
    target instanceof HTMLTextAreaElement ||
    target instanceof HTMLSelectElement
  )
}
