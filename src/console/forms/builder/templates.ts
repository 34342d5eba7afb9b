import { plainForm } from "../../../forms/definition/description.ts"
import type { Field } from "../../../forms/definition/field.ts"
import type { FieldType } from "../../../forms/definition/field-types.ts"
import type { FormDescription } from "../../../forms/definition/form.ts"
import { templateTexts as texts } from "./templates.fr.ts"
import { words } from "./words.fr.ts"

export type TemplateName = keyof typeof words.templates

/** The fields that a new form starts with. Without a mail server, nothing in it needs one. */
export function templateForm(name: TemplateName, canMail: boolean): FormDescription {
  return { ...plainForm, name: words.templates[name].name, ...templates[name](canMail) }
}

export function isTemplateName(name: string | undefined): name is TemplateName {
  return name !== undefined && Object.hasOwn(words.templates, name)
}

type Template = (canMail: boolean) => Pick<FormDescription, "fields"> & Partial<FormDescription>

const name = field("nom", texts.name, "text", { required: true })
const email = field("courriel", texts.email, "email", { required: true, placeholder: texts.emailExample })

const templates: Record<TemplateName, Template> = {
  contact: () => ({
    fields: [name, email, field("message", texts.message, "textarea", { required: true })],
  }),
  devis: (canMail) => ({
    button: texts.quoteButton,
    thanks: texts.quoteThanks,
    receipt: canMail,
    fields: [
      field("projet", texts.project, "textarea", { required: true, help: texts.projectHelp }),
      field("besoins", texts.needs, "checkboxes", { options: texts.needsOptions }),
      field("budget", texts.budget, "radio", { options: texts.budgetOptions }),
      field("date", texts.deadline, "date"),
      name,
      email,
      field("telephone", texts.phone, "tel", { placeholder: texts.phoneExample }),
    ],
  }),
  inscription: (canMail) => ({
    button: texts.signUpButton,
    thanks: texts.signUpThanks,
    receipt: canMail,
    fields: [
      name,
      email,
      field("participants", texts.people, "number", { required: true, placeholder: "1" }),
      field("session", texts.session, "select", { required: true, options: texts.sessionOptions }),
      field("options", texts.extras, "checkboxes", { options: texts.extrasOptions }),
      field("remarque", texts.remark, "textarea"),
    ],
  }),
  newsletter: (canMail) => ({
    button: texts.letterButton,
    thanks: texts.letterThanks,
    consent: { text: texts.letterConsent, confirmation: canMail },
    fields: [field("prenom", texts.firstName, "text"), email],
  }),
  empty: () => ({ fields: [field("", "", "text")] }),
}

function field(
  name: string,
  label: string,
  type: FieldType,
  more: Partial<Omit<Field, "options">> & { options?: readonly string[] } = {},
): Field {
  const { options = [], ...rest } = more
  return {
    name,
    label,
    type,
    required: false,
    ...rest,
    options: options.map((each) => ({ value: each, label: each })),
  }
}
