import { type Field, fileBounds } from "../../forms/definition/field.ts"
import { offeredFiles } from "../../forms/files/file-kind.ts"
import { fieldFaces } from "../../wording/field-faces.fr.ts"
import { words } from "../words.fr.ts"

/** A control to type into, or a list to choose from. */
export function Control({ field, value, attributes }: { field: Field; value: string; attributes: object }) {
  const { type, options, placeholder, min, max, integer } = field
  const { control } = fieldFaces[type]
  if (control === "textarea") {
    // A browser drops the first line break of a textarea: this one, and not one that the visitor typed.
    return (
      <textarea {...attributes} {...(placeholder && { placeholder })}>
        {value === "" ? "" : `\n${value}`}
      </textarea>
    )
  }
  if (control === "select") {
    return (
      <select {...attributes}>
        <option value="">{placeholder ?? words.choose}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={value === option.value}>
            {option.label}
          </option>
        ))}
      </select>
    )
  }
  // A page cannot give a file back: its value stays in the browser that chose it.
  if (control === "files") {
    const { accept, files } = fileBounds(field)
    return <input type="file" accept={offeredFiles(accept).join(",")} multiple={files > 1} {...attributes} />
  }
  // A browser counts the steps from the least value.
  const whole = integer && {
    step: 1,
    inputmode: "numeric",
    ...(min !== undefined && { min: Math.ceil(min) }),
  }
  const kind = {
    type,
    ...fieldFaces[type].attributes,
    min,
    max,
    ...whole,
    ...(placeholder && { placeholder }),
  }
  return <input {...(kind as object)} {...attributes} {...(value !== "" && { value })} />
}
