import type { Project } from "../../accounts/project.ts"
import { maxSuggestions, type WidgetSettings } from "../../accounts/widget/settings.ts"
import { contrast, textColorOn } from "../../base/color.ts"
import { idsOf } from "../../base/ids.ts"
import { questionFields } from "../../forms/definition/contact.ts"
import type { Form, NamedForm } from "../../forms/definition/form.ts"
import { Box, Field, notesAt } from "../kit/forms/fields.tsx"
import { useSubmitted } from "../kit/page-context.ts"
import { contactValue, suggestionName, usualColor } from "./appearance-form.ts"
import { words } from "./words.fr.ts"

export function LookFields({ settings }: { settings: WidgetSettings }) {
  const { problems } = useSubmitted()
  const { fields } = words
  const color = settings.color ?? usualColor
  const colorHint = `${fields.color.hint} ${words.ratio(contrast(color, textColorOn(color)))}`
  const isOpen = ["introduction", "state_site", "logo", "button"].some((name) => problems[name] !== undefined)
  const choice = (name: "look" | "theme" | "language" | "position", choices: Record<string, string>) => (
    <Field name={name} {...fields[name]} value={settings[name]} choices={Object.entries(choices)} />
  )
  return (
    <>
      <Field name="title" {...fields.title} value={settings.title} optional />
      <Field name="color" {...fields.color} hint={colorHint} type="color" value={color} />
      <details class="options" open={isOpen}>
        <summary>{words.further}</summary>
        <Field name="introduction" {...fields.introduction} value={settings.introduction} rows={3} optional />
        <Field name="logo" {...fields.logo} type="url" value={settings.logo} optional />
        {choice("look", words.looks)}
        <div class="state-site">
          <p class="hint">{words.stateLook}</p>
          <Field name="state_site" {...fields.state_site} type="box" checked={settings.stateSite} />
        </div>
        {choice("theme", words.themes)}
        <Field name="button" {...fields.button} value={settings.button} optional />
        {choice("language", words.languages)}
        {choice("position", words.positions)}
        <Field name="search" {...fields.search} type="box" checked={settings.search} />
      </details>
    </>
  )
}

interface SuggestionsProps {
  settings: WidgetSettings
  frequent: readonly string[]
}

export function SuggestionFields({ settings, frequent }: SuggestionsProps) {
  const submitted = useSubmitted()
  const problem = submitted.problems["suggestions"]
  const notes = notesAt("suggestions", words.suggestionsHint, problem)
  const ticked = submitted.values.getAll("frequent")
  const isOpen = problem !== undefined || settings.suggestions.length + frequent.length > 0
  return (
    <details class="options" open={isOpen}>
      <summary>{words.suggestions}</summary>
      {notes.hint}
      {notes.problem}
      {Array.from({ length: maxSuggestions }, (_, index) => (
        <Field
          key={suggestionName(index)}
          name={suggestionName(index)}
          label={words.suggestion(index + 1)}
          value={settings.suggestions[index]}
          optional
        />
      ))}
      {frequent.length > 0 && (
        <fieldset class="boxes">
          <legend>{words.frequent}</legend>
          <p class="hint">{words.frequentHint}</p>
          {frequent.map((question) => (
            <Box key={question} name="frequent" value={question} checked={ticked.includes(question)}>
              {question}
            </Box>
          ))}
        </fieldset>
      )}
    </details>
  )
}

interface ContactFieldsProps {
  settings: WidgetSettings
  /** With its fields where one may be chosen. */
  forms: readonly (Pick<NamedForm, "id" | "name"> & Partial<Pick<Form, "fields">>)[]
  project: Pick<Project, "id">
  mayMake: boolean
}

export function ContactFields({ settings, forms, project, mayMake }: ContactFieldsProps) {
  const { problems } = useSubmitted()
  if (forms.length === 0)
    return (
      <p class="hint">
        {words.contactHint} {words.noForm}{" "}
        {mayMake && <a href={`/console/projects/${project.id}/forms/new`}>{words.toForms}</a>}
      </p>
    )
  const { contact } = settings
  const choices = forms.flatMap(contactChoices)
  // Without a chosen field, the form's first text area takes the question.
  const usual = contact && contactChoices(forms.find(({ id }) => id === contact.formId)).at(0)?.[0]
  const value = contact === null ? "" : contact.field === null ? usual : contactValue(contact)
  return (
    <>
      <p class="hint">{words.contactHint}</p>
      <Field
        name="contact"
        // The page has one field for two of the operation.
        problem={problems["contact_form"] ?? problems["contact_field"]}
        label={words.contactForm}
        hint={words.checkHint}
        value={value}
        choices={[["", words.noContact], ...choices]}
      />
    </>
  )
}

/** Beyond this many forms only the current one is offered with its fields: any other one chooses by itself. */
const maxFormsWithFields = 50

export function withFields(forms: readonly Pick<NamedForm, "id">[], ofToday: string | undefined): string[] {
  const all = idsOf(forms)
  return all.length > maxFormsWithFields ? all.filter((id) => id === ofToday) : all
}

/** One choice for each field that may take the question, text areas first; without fields, the form alone. */
function contactChoices(
  form: ContactFieldsProps["forms"][number] | undefined,
): [value: string, label: string][] {
  if (!form) return []
  if (!form.fields) return [[contactValue({ formId: form.id, field: null }), form.name]]
  const fields = questionFields({ fields: form.fields }).sort(
    (one, other) => rank(one.type) - rank(other.type),
  )
  if (fields.length === 0)
    return [[contactValue({ formId: form.id, field: null }), words.withoutField(form.name)]]
  return fields.map(({ name, label }) => [
    contactValue({ formId: form.id, field: name }),
    words.inField(form.name, label),
  ])
}

function rank(type: string): number {
  return type === "textarea" ? 0 : 1
}
