import type { Form } from "../../../forms/definition/form.ts"
import { words } from "./words.fr.ts"

/** The form as visitors see it, inert, in a shadow tree that the console's style does not reach. */
export function Preview({ form, html }: { form: Form; html: string }) {
  const markup = `<link rel="stylesheet" href="/form.css?project=${form.projectId}">${html}`
  return (
    <div id="preview-sheet" class="sheet" inert>
      <p class="sheet-site">{form.site.name}</p>
      <p class="sheet-title">{form.name}</p>
      <div data-form-preview>
        <template {...{ shadowrootmode: "open" }} dangerouslySetInnerHTML={{ __html: markup }} />
      </div>
      {form.redirectUrl === null && (
        <div class="sheet-after">
          <p class="sheet-site">{words.previewThanks}</p>
          <p class="lines">{form.thanks ?? words.defaultThanks}</p>
        </div>
      )}
      {form.notify.length > 0 && (
        <p class="hint">{words.tells(form.notify.map(({ to }) => to).join(", "))}</p>
      )}
    </div>
  )
}
