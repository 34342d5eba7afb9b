/** @jsxImportSource preact */
import type { ComponentChildren } from "preact"
import type { Form as FormOf } from "../../../forms/definition/form.ts"
import { fieldFaces } from "../../../wording/field-faces.fr.ts"
import { assets } from "../../kit/assets.ts"
import { Field, Form } from "../../kit/forms/fields.tsx"
import { useSubmitted } from "../../kit/page-context.ts"
import { messages } from "../../messages/form-builder.fr.ts"
import { FieldItem, placeOf } from "./field-item.tsx"
import { countFields, draftOf, type Rearranged } from "./form-description.ts"
import { Preview } from "./preview.tsx"
import { Problems } from "./problems.tsx"

interface Props {
  /** After a button of the builder: where to look, and what to say. */
  rearranged?: Rearranged | undefined
  /** Whether the values are already saved, or a template's. */
  isSaved: boolean
  action: string
  /** Address that renders the preview of what is typed. */
  previewAction: string
  site: FormOf["site"]
  formPreview(form: FormOf): string
  /** Label of the save button. */
  save: string
  canMail: boolean
  /** Optimistic-locking field of an existing form. */
  versionField?: ComponentChildren
}

/** The script in the head of a page with the builder. */
export function builderHead() {
  return <script src={assets.builderScript.path} defer />
}

/**
 * The form builder with its preview. It works without JavaScript: its buttons submit the current state, and the
 * server renders the changed builder. The script does the same without leaving the page.
 */
export function FormBuilder(props: Props) {
  const submitted = useSubmitted()
  const { rearranged, action, save } = props
  const draft = draftOf(submitted.values, { site: props.site })
  return (
    <div
      class="builder"
      data-builder
      data-preview={props.previewAction}
      data-unsaved={props.isSaved ? undefined : "true"}
    >
      <Form action={action}>
        {/* Enter presses the first button of a form. This hidden one makes it save. */}
        <button type="submit" hidden>
          {save}
        </button>
        {props.versionField}
        <Problems />
        <p class="to-preview">
          <a href="#preview">{messages.toPreview}</a>
        </p>
        <section>
          <Field name="name" label={messages.name} hint={messages.nameHint} />
        </section>
        <Fields action={action} rearranged={rearranged} />
        <Settings canMail={props.canMail} />
        <div class="save-bar">
          <button type="submit">{save}</button>
          <span class="hint unsaved" id="unsaved" hidden={props.isSaved}>
            {messages.unsaved}
          </span>
        </div>
      </Form>
      {/* It scrolls where it is higher than the window, so it must be reachable by keyboard. */}
      <aside id="preview" aria-label={messages.preview} tabindex={0}>
        <h2>{messages.preview}</h2>
        <Preview form={draft} html={props.formPreview(draft)} />
      </aside>
    </div>
  )
}

const quickTypes = ["textarea", "email", "select", "radio", "checkboxes", "checkbox", "date"] as const

function Fields({ action, rearranged }: Pick<Props, "action" | "rearranged">) {
  const submitted = useSubmitted()
  const count = countFields(submitted.values)
  const addTo = `${action}#${placeOf(count)}`
  return (
    <section id="builder-fields" data-place={rearranged?.place}>
      <h2>{messages.fields}</h2>
      <p class="hint">{messages.fieldsHint}</p>
      <p class="hint" role="status" id="builder-status">
        {rearranged?.status}
      </p>
      <input type="hidden" name="field_count" value={count} />
      {submitted.problems["fields"] && <p class="wrong">{submitted.problems["fields"]}</p>}
      {Array.from({ length: count }, (_, index) => (
        <FieldItem key={index} index={index} count={count} action={action} />
      ))}
      <div class="add">
        <button type="submit" class="quiet" name="intent" value="add" formaction={addTo}>
          {messages.addField}
        </button>
        <span class="hint">{messages.addOfType}</span>
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
      </div>
      <noscript>
        <p>
          <button type="submit" class="quiet" name="intent" value="preview" formaction={`${action}#preview`}>
            {messages.refreshPreview}
          </button>
        </p>
      </noscript>
    </section>
  )
}

function Settings({ canMail }: Pick<Props, "canMail">) {
  const { problems } = useSubmitted()
  return (
    <>
      <section>
        <h2>{messages.consent}</h2>
        <Field
          optional
          name="consent.text"
          label={messages.consentText}
          hint={messages.consentTextHint}
          rows={2}
        />
        <Field type="box" name="consent.confirmation" label={messages.confirmation} />
      </section>
      <section>
        <h2>{messages.presentation}</h2>
        <Field optional name="button" label={messages.button} hint={messages.buttonHint} />
        <Field optional name="thanks" label={messages.thanks} hint={messages.thanksHint} rows={2} />
        <Field
          optional
          name="redirect_url"
          type="url"
          label={messages.redirect}
          hint={messages.redirectHint}
        />
      </section>
      <section>
        <h2>{messages.mails}</h2>
        {!canMail && <p class="hint">{messages.mailOff}</p>}
        <Field
          optional
          name="owner_mail.to"
          problem={problems["owner_mail"]}
          type="email"
          label={messages.ownerMail}
          hint={messages.ownerMailHint}
        />
        <Field type="box" name="owner_mail.contents" label={messages.ownerContents} />
        <Field type="box" name="receipt" label={messages.receipt} hint={messages.receiptHint} />
      </section>
      <section>
        <h2>{messages.hosting}</h2>
        <Field type="box" name="hosted" label={messages.hosted} hint={messages.hostedHint} />
        <Field optional name="retention_days" label={messages.retention} hint={messages.retentionHint} />
      </section>
    </>
  )
}
