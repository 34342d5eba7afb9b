import {
  type FieldType,
  fieldRules,
  fieldTypes,
  hasPart,
  isFieldType,
} from "../../../forms/definition/field-types.ts"
import { fileKinds } from "../../../forms/files/file-kind.ts"
import { fieldFaces, fileKindNames } from "../../../wording/field-faces.fr.ts"
import { Field } from "../../kit/forms/fields.tsx"
import { Icon } from "../../kit/icon.tsx"
import { useSubmitted } from "../../kit/page-context.ts"
import { WhenPart } from "./when-part.tsx"
import { words } from "./words.fr.ts"

interface Props {
  index: number
  count: number
  action: string
  /** Whether it is unfolded; one that is wrong, or has no label yet, always is. */
  isOpen: boolean
  isAsked: boolean
}

/** Id of a field's section. Buttons link to it, so that view and focus stay at the field after a submit. */
export function fieldAnchor(index: number): string {
  return `field-${index + 1}`
}

/** One field of the builder, as a card that folds. builder.css hides the parts that the chosen type does not have. */
export function FieldItem({ index, count, action, isOpen, isAsked }: Props) {
  const submitted = useSubmitted()
  const start = `fields.${index}.`
  const number = index + 1
  const problem = submitted.problems[`fields.${index}`]
  const isWrong = Object.keys(submitted.problems).some((path) => `${path}.`.startsWith(start))
  const typed = (part: string) => submitted.values.get(start + part) ?? ""
  const type = isFieldType(typed("type")) ? (typed("type") as FieldType) : "text"
  const title = typed(hasPart(type, "text") ? "text" : "label").trim()
  return (
    <fieldset class="item" id={fieldAnchor(index)}>
      <legend class="sr">{words.field(number)}</legend>
      <input type="hidden" name={`${start}key`} value={typed("key")} />
      {/* The script shows it: nothing else can drag. */}
      <span class="grip" data-grip hidden title={words.drag}>
        <Icon name="grip" />
      </span>
      <div class="tools">
        <Tool verb="up" index={index} target={index - 1} action={action} disabled={index === 0} />
        <Tool verb="down" index={index} target={index + 1} action={action} disabled={index === count - 1} />
        <Tool verb="duplicate" index={index} target={index + 1} action={action} />
        <Tool verb="remove" index={index} target={Math.max(index - 1, 0)} action={action} />
      </div>
      <details class="card" open={isOpen || isWrong || title === ""}>
        <summary>
          <span class="title" data-title={words.field(number)}>
            {title || words.field(number)}
          </span>
          <span class="hint">{fieldFaces[type].name}</span>
        </summary>
        {problem && <p class="wrong">{problem}</p>}
        <div class="pair">
          <div class="of-label">
            <Field name={`${start}label`} label={words.label} />
          </div>
          <Field
            name={`${start}type`}
            label={words.type}
            value="text"
            choices={fieldTypes.map((each) => [
              each,
              fieldFaces[each].name,
              fieldRules[each].parts.join(" "),
            ])}
          />
        </div>
        <p class="of-step hint">{words.stepHint}</p>
        <div class="of-text">
          <Field
            name={`${start}text`}
            label={words.text}
            hint={words.textHint}
            problem={submitted.problems[`${start}label`]}
            rows={4}
          />
        </div>
        <div class="of-options">
          <Field name={`${start}options`} label={words.options} hint={words.optionsHint} rows={4} />
        </div>
        <FilesPart start={start} />
        <BoundsPart start={start} />
        <AnswerPart start={start} />
        <WhenPart index={index} place={`${action}#${fieldAnchor(index)}`} isAsked={isAsked} />
      </details>
    </fieldset>
  )
}

interface PartProps {
  /** Begins the name of each control of the field. */
  start: string
}

function FilesPart({ start }: PartProps) {
  const { problems } = useSubmitted()
  return (
    <div class="of-files">
      <fieldset class="field">
        <legend>{words.accept}</legend>
        {fileKinds.map((kind) => (
          <Field key={kind} type="box" name={`${start}accept_${kind}`} label={fileKindNames[kind]} />
        ))}
        {problems[`${start}accept`] && <p class="wrong">{problems[`${start}accept`]}</p>}
      </fieldset>
      <div class="pair">
        <Field name={`${start}files`} label={words.maxFiles} hint={words.maxFilesHint} optional />
        <Field name={`${start}megabytes`} label={words.maxMegabytes} hint={words.maxMegabytesHint} optional />
      </div>
    </div>
  )
}

function BoundsPart({ start }: PartProps) {
  return (
    <div class="of-bounds">
      <div class="pair">
        <Field name={`${start}min`} label={words.min} optional />
        <Field name={`${start}max`} label={words.max} optional />
      </div>
      <Field type="box" name={`${start}integer`} label={words.integer} />
    </div>
  )
}

function AnswerPart({ start }: PartProps) {
  const { problems } = useSubmitted()
  const isOpen = ["name", "help", "placeholder"].some((name) => problems[start + name])
  return (
    <div class="of-answer">
      <Field type="box" name={`${start}required`} label={words.required} />
      <details class="more-of-field" open={isOpen}>
        <summary>{words.more}</summary>
        <div class="of-help">
          <Field name={`${start}help`} label={words.help} hint={words.helpHint} optional />
        </div>
        <div class="of-placeholder">
          <Field name={`${start}placeholder`} {...words.placeholder} optional />
        </div>
        <Field name={`${start}name`} label={words.variable} hint={words.variableHint} optional />
      </details>
    </div>
  )
}

interface ToolProps {
  verb: "up" | "down" | "duplicate" | "remove"
  index: number
  /** Index of the field to look at afterwards. */
  target: number
  action: string
  disabled?: boolean
}

function Tool({ verb, index, target, action, disabled = false }: ToolProps) {
  const name = words[verb === "remove" ? "takeOut" : verb](index + 1)
  return (
    <button
      type="submit"
      class="quiet tool"
      name="intent"
      value={`${verb}.${index}`}
      formaction={`${action}#${fieldAnchor(target)}`}
      aria-label={name}
      title={name}
      disabled={disabled}
    >
      <Icon name={verb} />
    </button>
  )
}
