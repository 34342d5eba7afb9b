import type { Project } from "../../../accounts/project.ts"
import type { Form as FormOf } from "../../../forms/definition/form.ts"
import { browserScript } from "../../../http/browser-script.ts" with { type: "macro" }
import { fieldFaces } from "../../../wording/field-faces.fr.ts"
import { addAsset, assetPath } from "../../kit/assets.ts"
import { QuietButton, Section } from "../../kit/components.tsx"
import type { ConsoleDeps } from "../../kit/console-deps.ts"
import { Field, Form } from "../../kit/forms/fields.tsx"
import { VersionField } from "../../kit/forms/optimistic-lock.tsx"
import { Submitted, usePage, useSubmitted } from "../../kit/page-context.ts"
import { words as commonWords } from "../../kit/words.fr.ts"
import { FieldItem, fieldAnchor } from "./field-item.tsx"
import { countFields, draftForm, type Rearranged, tidiedValues } from "./form-description.ts"
import { Preview } from "./preview.tsx"
import { Problems } from "./problems.tsx"
import { words } from "./words.fr.ts"

addAsset("builder.js", browserScript("console/forms/builder/script.ts"), "text/javascript")

const settings = words.settingNames

/** Id of the form beside the builder that the buttons of addresses send. */
export const noticeLinkForm = "notice-link"

interface Props {
  deps: Pick<ConsoleDeps, "formPreview" | "mailer">
  project: Project
  action: string
  saved?: FormOf
  /** Whether the values are already saved, or a template's. */
  isSaved: boolean
  /** After a button of the builder: where to look, and what to say. */
  rearranged: Rearranged | undefined
}

export function builderHead() {
  return <script src={assetPath("builder.js")} defer />
}

/** The builder with its preview. Buttons submit its state, and the server renders it anew, with or without script. */
export function FormBuilder({ deps, project, action, saved, isSaved, rearranged }: Props) {
  const { timezone } = usePage()
  const draft = draftForm(useSubmitted().values, project, timezone)
  const save = saved ? commonWords.save : words.create
  return (
    <div
      class="builder"
      data-builder
      data-preview={`/console/projects/${project.id}/forms/preview`}
      data-unsaved={isSaved ? undefined : "true"}
    >
      {/* Which part is in sight: no field of the form, whose other parts are sent too. */}
      <fieldset class="pills">
        <legend class="sr">{words.parts}</legend>
        {Object.entries(words.partTitles).map(([part, title]) => (
          <label key={part}>
            <input type="radio" name="part" value={part} checked={part === "fields"} />
            {title}
          </label>
        ))}
      </fieldset>
      <Form action={action}>
        {/* Enter presses the first button of a form. This hidden one makes it save. */}
        <button type="submit" hidden>
          {save}
        </button>
        {saved && <VersionField record={saved} />}
        <Problems />
        <p class="to-preview">
          <a href="#preview">{words.toPreview}</a>
        </p>
        <div class="part fields">
          <section>
            <Field name="name" label={settings.name} hint={words.nameHint} />
          </section>
          <Fields action={action} rearranged={rearranged} />
        </div>
        <div class="part after">
          <AfterSending canMail={deps.mailer.configured} saved={saved} />
        </div>
        <div class="part further">
          <Options />
        </div>
        <div class="save-bar">
          <button type="submit">{save}</button>
          <span class="hint unsaved" id="unsaved" hidden={isSaved}>
            {words.unsaved}
          </span>
        </div>
      </Form>
      {/* It scrolls where it is higher than the window, so it must be reachable by keyboard. */}
      <aside id="preview" aria-label={words.preview} tabindex={0}>
        <h2>{words.preview}</h2>
        <Preview form={draft} html={deps.formPreview(draft, timezone)} />
      </aside>
    </div>
  )
}

const quickTypes = [
  "textarea",
  "email",
  "select",
  "radio",
  "checkboxes",
  "checkbox",
  "date",
  "file",
  "paragraph",
  "page",
] as const

function Fields({ action, rearranged }: Pick<Props, "action" | "rearranged">) {
  const typed = useSubmitted()
  const submitted = { ...typed, values: tidiedValues(typed.values) }
  const count = countFields(submitted.values)
  const addTo = `${action}#${fieldAnchor(count)}`
  return (
    <section id="builder-fields" data-place={rearranged?.place}>
      <h2>{words.fields}</h2>
      <p class="hint" role="status" id="builder-status">
        {rearranged?.status}
      </p>
      <input type="hidden" name="field_count" value={count} />
      {submitted.problems["fields"] && <p class="wrong">{submitted.problems["fields"]}</p>}
      <Submitted.Provider value={submitted}>
        {Array.from({ length: count }, (_, index) => (
          <FieldItem
            key={index}
            index={index}
            count={count}
            action={action}
            isOpen={count === 1 || index === rearranged?.place}
            isAsked={rearranged?.asks === true && index === rearranged.place}
          />
        ))}
      </Submitted.Provider>
      <div class="add">
        <QuietButton name="intent" value="add" formaction={addTo} label={words.addField} />
        <details>
          <summary>{words.addOfType}</summary>
          {quickTypes.map((type) => (
            <button
              key={type}
              type="submit"
              class="quiet chip"
              name="intent"
              value={`add.${type}`}
              formaction={addTo}
            >
              {fieldFaces[type].name}
            </button>
          ))}
        </details>
      </div>
      <noscript>
        <p>
          <QuietButton
            name="intent"
            value="preview"
            formaction={`${action}#preview`}
            label={words.refreshPreview}
          />
        </p>
      </noscript>
    </section>
  )
}

/** The thanks that visitors see, and the mails. */
function AfterSending({ canMail, saved }: { canMail: boolean; saved: FormOf | undefined }) {
  const pending = saved?.notify.filter(({ confirmedAt }) => confirmedAt === null) ?? []
  return (
    <>
      <Section title={words.presentation}>
        <Field optional name="thanks" label={settings.thanks} hint={words.thanksHint} rows={2} />
        <Field
          optional
          name="redirect_url"
          type="url"
          label={settings.redirect_url}
          hint={words.redirectHint}
        />
      </Section>
      <Section title={words.mails}>
        {!canMail && <p class="hint">{words.mailOff}</p>}
        <Field optional name="notify" label={settings.notify} hint={words.notifyHint} rows={2} />
        {pending.length > 0 && (
          <div class="field">
            <p class="notice">{words.notifyPending}</p>
            <ul class="rows">
              {pending.map(({ to }) => (
                <li key={to}>
                  {to}
                  {canMail && (
                    <QuietButton
                      form={noticeLinkForm}
                      name="to"
                      value={to}
                      label={words.noticeAgain}
                      spoken={words.noticeAgainTo(to)}
                    />
                  )}
                </li>
              ))}
            </ul>
          </div>
        )}
        <Field type="box" name="notify_contents" label={words.ownerContents} />
        <Field type="box" name="receipt" label={words.receipt} hint={words.receiptHint} />
      </Section>
    </>
  )
}

const limits = ["opens_at", "closes_at", "max_responses"] as const

function Options() {
  const { values, problems } = useSubmitted()
  const isLimited = limits.some((name) => values.get(name) || problems[name])
  return (
    <>
      <section>
        <Field optional name="button" label={settings.button} hint={words.buttonHint} />
        <Field
          optional
          name="consent.text"
          label={settings["consent.text"]}
          hint={words.consentTextHint}
          rows={2}
        />
        <Field type="box" name="consent.confirmation" label={words.confirmation} />
      </section>
      <section>
        <Field type="box" name="hosted" label={words.hosted} hint={words.hostedHint} />
        <Field type="box" name="prefill" label={words.prefill} hint={words.prefillHint} />
        <details class="options" open={isLimited}>
          <summary>{words.opening}</summary>
          <p class="hint">{words.openingHint({ timezone: usePage().timezone })}</p>
          <div class="pair">
            <Field optional name="opens_at" type="datetime-local" label={settings.opens_at} />
            <Field optional name="closes_at" type="datetime-local" label={settings.closes_at} />
          </div>
          <Field optional name="max_responses" label={settings.max_responses} hint={words.maxResponsesHint} />
        </details>
        <Field optional name="retention_days" label={settings.retention_days} hint={words.retentionHint} />
        <Field type="box" name="proof_of_work" label={words.proofOfWork} hint={words.proofOfWorkHint} />
      </section>
    </>
  )
}
