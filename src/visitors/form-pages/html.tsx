/** @jsxImportSource preact */
import { render } from "preact-render-to-string"
import type { Form } from "../../forms/definition/form.ts"
import { FormMarkup } from "./markup.tsx"

/**
 * The form as HTML to copy into a page. `page` is the address of that page, sent as a hidden input: the
 * browser by itself would cut it to its origin.
 */
export function htmlOf(form: Form, publicUrl: string, page: string | undefined): string {
  const hidden: [string, string][] = page === undefined ? [] : [["page", page]]
  const state = { values: {}, problems: {}, consent: null, hidden }
  const html = render(<FormMarkup form={form} action={`${publicUrl}/f/${form.publicId}`} state={state} />)
  // Text and attributes hold no unescaped `<`, so each one found here begins a tag.
  return `${html.replace(/<(?=(p|\/?fieldset|legend|label class|option|\/form)\b)/g, "\n<")}\n`
}
