import { type Detail, detail } from "../../base/errors.ts"
import { emailField } from "../definition/field.ts"
import type { Form } from "../definition/form.ts"
import type { Post } from "./post.ts"
import { addressKey, isChecked, isEmail, readValue } from "./value.ts"

/** What a post says to a form. */
export interface FormReading {
  /** One string per field, as it is stored or shown again. */
  values: Record<string, string>
  /** A sentence for each field at fault, all at once; empty when there is none. */
  problems: Record<string, Detail>
  email: string | null
  /** Every e-mail address given, as it is found again by. */
  addresses: string[]
  /** What the checked consent box sent as its value; null: not checked, or there is none. */
  consent: string | null
}

/** Reads every field of the form from a post; what the form does not have is ignored. */
export function readForm(form: Form, post: Post): FormReading {
  const problems: Record<string, Detail> = {}
  const entries = form.fields.map((field) => {
    const { value, problem } = readValue(field, post.texts.get(field.name))
    if (post.unreadable.has(field.name)) problems[field.name] = detail("forms.unreadable")
    else if (problem) problems[field.name] = problem
    return [field.name, value] as const
  })
  // Names match [a-z][a-z0-9_]*: none can be `__proto__`, and none looks like a number, so the order stays
  // that of the form.
  const values = Object.fromEntries(entries)
  const posted = post.texts.get("consent")
  const consent = form.consent && isChecked(posted) ? (posted as string) : null
  if (form.consent && post.unreadable.has("consent")) problems["consent"] = detail("forms.unreadable")
  const addressField = emailField(form.fields)
  const email = (addressField && values[addressField.name]) || null
  const needsAddress = consent !== null && form.consent?.confirmation && !email
  if (needsAddress && addressField && !Object.hasOwn(problems, addressField.name))
    problems[addressField.name] = detail("forms.addressForConfirmation")
  // In whichever field they stand alone: by them what is kept of a person is found again. Within a longer
  // text they are not.
  const addresses = Object.values(values).map(addressKey).filter(isEmail)
  return { values, problems, email, addresses, consent }
}
