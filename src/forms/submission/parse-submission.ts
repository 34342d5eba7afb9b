import type { Language } from "../../accounts/project.ts"
import { type Detail, detail } from "../../base/errors.ts"
import { addressKey, isEmail } from "../definition/address.ts"
import { emailField } from "../definition/field.ts"
import { fieldRules, hasValue } from "../definition/field-types.ts"
import type { Form } from "../definition/form.ts"
import { hiddenFields } from "../definition/when.ts"
import type { Post } from "./post.ts"
import { isChecked, parseFiles, parseValue, type SentFile } from "./value.ts"

export interface ParsedSubmission {
  /** One string per field, as it is stored: empty for one that is not shown with these values. */
  values: Record<string, string>
  /** As `values`, as they are shown again: with what was typed into fields that are not shown. */
  typed: Record<string, string>
  /** The problem of each field at fault; empty for a valid submission. */
  problems: Record<string, Detail>
  email: string | null
  /** Keys (`addressKey`) of every e-mail address that fills a field. */
  addresses: string[]
  /** In the order of the form; those of a field at fault are left out. */
  files: SentFile[]
  /** Value of the checked consent box; null when it is not checked or the form has none. */
  consent: string | null
}

/** Whether a post has a name that the form knows. A body without any was sent by, or read as, something else. */
export function hasContentFor(form: Form, { texts, lists, unreadable, files }: Post): boolean {
  const names = [...texts.keys(), ...lists.keys(), ...unreadable, ...files.keys()]
  const ofForm = new Set(form.fields.filter(hasValue).map(({ name }) => name))
  return names.some((name) => ofForm.has(name) || /^(?:page|consent|guichet_.+)$/.test(name))
}

/** Each is stored by itself before the reply. */
const maxFilesOfPost = 20

/** Parses every field of the form from a post. Ignores names that the form does not have. */
export function parseSubmission(form: Form, post: Post, language: Language): ParsedSubmission {
  const problems: Record<string, Detail> = {}
  const files: SentFile[] = []
  const entries = form.fields.filter(hasValue).map((field) => {
    if (fieldRules[field.type].value === "files") {
      const sent = parseFiles(field, post.files.get(field.name) ?? [], post.texts.get(field.name))
      files.push(...sent.files)
      if (files.length > maxFilesOfPost)
        problems[field.name] = detail("forms.tooManyFilesOfPost", { max: maxFilesOfPost })
      else if (post.unreadable.has(field.name)) problems[field.name] = detail("forms.filesNeedParts")
      else if (sent.problem) problems[field.name] = sent.problem
      return [field.name, sent.value] as const
    }
    const list = fieldRules[field.type].value === "options" ? post.lists.get(field.name) : undefined
    const { value, problem } = parseValue(field, list ?? post.texts.get(field.name), language)
    if (!list && post.unreadable.has(field.name)) problems[field.name] = detail("forms.unreadable")
    else if (problem) problems[field.name] = problem
    return [field.name, value] as const
  })
  // Names match [a-z][a-z0-9_]*: none can be `__proto__`, and none looks like a number, so the order stays
  // that of the form.
  const typed = Object.fromEntries(entries)
  const hidden = hiddenFields(form.fields, typed)
  for (const name of hidden) delete problems[name]
  const values = Object.fromEntries(entries.map(([name, value]) => [name, hidden.has(name) ? "" : value]))
  const posted = post.texts.get("consent")
  const consent = form.consent && isChecked(posted) ? (posted as string) : null
  if (form.consent && post.unreadable.has("consent")) problems["consent"] = detail("forms.unreadable")
  const addressField = emailField(form.fields.filter(({ name }) => !hidden.has(name)))
  const email = (addressField && values[addressField.name]) || null
  const needsAddress = consent !== null && form.consent?.confirmation && !email
  if (needsAddress && addressField && !Object.hasOwn(problems, addressField.name))
    problems[addressField.name] = detail("forms.addressForConfirmation")
  // A person's responses are found again by these addresses, whichever field they fill. An address within a
  // longer text is not found.
  const written = form.fields.filter(({ type }) => fieldRules[type].value !== "files")
  const addresses = written.map(({ name }) => addressKey(values[name] ?? "")).filter(isEmail)
  const visibleFiles = files.filter(({ field }) => !hidden.has(field))
  return { values, typed, problems, email, addresses, files: visibleFiles, consent }
}
