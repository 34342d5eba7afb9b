/** @jsxImportSource preact */
import type { Field } from "../../forms/definition/field.ts"
import { messages } from "../messages.fr.ts"

const inputTypes = {
  text: "text",
  email: "email",
  tel: "tel",
  url: "url",
  number: "number",
  date: "date",
} as const
const autocompletes: Record<string, string> = { email: "email", tel: "tel", url: "url" }

/** A control to type into, or a list to choose from. */
export function Control({ field, value, attributes }: { field: Field; value: string; attributes: object }) {
  const { type, options, placeholder, min, max } = field
  if (type === "textarea") {
    // A browser drops the first line break of a textarea: this one, and not one that the visitor typed.
    return (
      <textarea {...attributes} {...(placeholder && { placeholder })}>
        {value === "" ? "" : `\n${value}`}
      </textarea>
    )
  }
  if (type === "select") {
    return (
      <select {...attributes}>
        <option value="">{placeholder ?? messages.choose}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={value === option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )
  }
  const inputType = inputTypes[type as keyof typeof inputTypes]
  const autocomplete = autocompletes[inputType]
  const kind: object = {
    type: inputType,
    ...(autocomplete && { autocomplete }),
    ...(inputType === "number" && { step: "any", min, max }),
    ...(placeholder && inputType !== "date" && { placeholder }),
  }
  return <input {...kind} {...attributes} {...(value !== "" && { value })} />
}
