import type { Contact } from "../../accounts/widget/settings.ts"
import { detail, Refusal } from "../../base/errors.ts"
import type { Db } from "../../db/connection.ts"
import type { Field } from "./field.ts"
import { fieldRules, hasPart } from "./field-types.ts"
import { type Form, findFormById } from "./form.ts"

export interface ContactForm {
  form: Form
  /** The field that takes the question; undefined when the form has no field of text. */
  field: Field | undefined
}

/** The form that a project offers to visitors, if it still has it. */
export async function findContactForm(
  db: Db,
  projectId: string,
  contact: Contact | null,
): Promise<ContactForm | undefined> {
  const form = contact && (await findFormById(db, contact.formId))
  return form?.projectId === projectId ? asContactForm(form, contact) : undefined
}

/** A form of the project, if it is the one that is offered. */
export function asContactForm(form: Form, contact: Contact | null): ContactForm | undefined {
  return form.id === contact?.formId ? { form, field: questionField(form, contact.field) } : undefined
}

/** Throws Refusal `invalid_request` for a form of elsewhere, and for a field that the form does not have. */
export async function requireContact(db: Db, projectId: string, contact: Contact): Promise<void> {
  const contactForm = await findContactForm(db, projectId, contact)
  const fields = {
    ...(!contactForm && { contact_form: detail("forms.unknownContactForm") }),
    ...(contactForm &&
      contact.field !== null &&
      contactForm.field?.name !== contact.field && { contact_field: detail("forms.unknownContactField") }),
  }
  if (Object.keys(fields).length > 0)
    throw new Refusal("invalid_request", detail("accounts.invalidWidget"), { fields })
}

/** The fields of a form that may take a question: free text that every visitor sees. */
export function questionFields({ fields }: Pick<Form, "fields">): Field[] {
  return fields.filter(
    ({ type, when }) => fieldRules[type].value === "free" && hasPart(type, "help") && !when,
  )
}

/** The chosen field, or else the first text area, or else the first line of text. */
function questionField(form: Form, chosen: string | null): Field | undefined {
  const fields = questionFields(form)
  return (
    fields.find(({ name }) => name === chosen) ??
    fields.find(({ type }) => fieldRules[type].hasLines) ??
    fields[0]
  )
}
