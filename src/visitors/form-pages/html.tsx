import { render } from "preact-render-to-string"
import type { Form } from "../../forms/definition/form.ts"
import { words } from "../words.fr.ts"
import { emptyState, extraScripts, FormMarkup, type HostedFormState } from "./markup.tsx"

/** To copy into a page, with its look and its helper; it works without either. */
export function formHtml(
  form: Form,
  { publicUrl, timezone }: { publicUrl: string; timezone: string },
  hidden: HostedFormState["hidden"],
): string {
  const html = render(
    <>
      <link rel="stylesheet" href={`${publicUrl}/form.css?project=${form.projectId}`} />
      <FormMarkup
        form={form}
        action={`${publicUrl}/f/${form.publicId}`}
        state={{ ...emptyState, hidden }}
        timezone={timezone}
      />
      <script src={`${publicUrl}/form.js`} defer />
      {extraScripts(form).map((name) => (
        <script key={name} src={`${publicUrl}/${name}.js`} defer />
      ))}
    </>,
  )
  // Text and attributes hold no unescaped `<`, so each one found here begins a tag.
  return `${html.replace(/<(?=(p|\/?fieldset|legend|label class|option|form|\/form|script)\b)/g, "\n<")}\n`
}

/** The form as it looks, without an address to post to. */
export function formPreview(form: Form, timezone: string): string {
  return render(<FormMarkup form={form} state={emptyState} timezone={timezone} />)
}

/**
 * In the place of a form, for a page whose script cannot send it: where it can be sent. A form by its tag, since the
 * script looks for one; it puts its way back behind the button.
 */
export function unsendableForm({ name, hosted }: Form, address: string): string {
  return render(
    <form>
      <p>{hosted ? words.onItsOwnPage : words.olderScript}</p>
      {hosted && (
        <p>
          <a href={address} target="_blank" rel="noopener">
            {words.openForm({ name })}
          </a>
        </p>
      )}
      <button type="submit" hidden />
    </form>,
  )
}
