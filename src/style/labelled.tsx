import type { ComponentChildren } from "preact"

/** How a face shows a control with its label: elements, classes, and what the id of a hint ends in. */
interface Look {
  frame: "div" | "p"
  frameClass?: string
  boxClass: string
  note: "p" | "span"
  hintClass: string
  hintEnd: string
  problemClass: string
}

interface Noted {
  look: Look
  id: string
  hint?: string | undefined
  problem: string | undefined
}

/** The hint and the problem of a control, and the attributes that have assistive technology read them with it. */
export function notesOf({ look, id, hint, problem }: Noted) {
  const { note: Note, hintClass, hintEnd, problemClass } = look
  const note = (text: string | undefined, end: string, name: string) =>
    text && (
      <Note class={name} id={`${id}-${end}`}>
        {text}
      </Note>
    )
  const described = [hint && `${id}-${hintEnd}`, problem && `${id}-problem`].filter(Boolean).join(" ")
  return {
    aria: {
      "aria-describedby": described || undefined,
      "aria-invalid": problem ? ("true" as const) : undefined,
    },
    hint: note(hint, hintEnd, hintClass),
    problem: note(problem, "problem", problemClass),
  }
}

interface LabelledProps extends Noted {
  label: ComponentChildren
  /** A box stands before its label, inside of it. */
  isBox?: boolean
  attributes?: object | undefined
  children(aria: ReturnType<typeof notesOf>["aria"]): ComponentChildren
}

export function Labelled({ label, isBox = false, attributes, children, ...noted }: LabelledProps) {
  const { frame: Frame, frameClass, boxClass } = noted.look
  const { aria, hint, problem } = notesOf(noted)
  return (
    <Frame class={frameClass} {...attributes}>
      {isBox ? (
        // biome-ignore lint/a11y/noLabelWithoutControl: the control is handed in
        <label class={boxClass}>
          {children(aria)} <span>{label}</span>
        </label>
      ) : (
        <label for={noted.id}>{label}</label>
      )}
      {hint}
      {!isBox && children(aria)}
      {problem}
    </Frame>
  )
}
