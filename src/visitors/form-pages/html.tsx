/** @jsxImportSource preact */
import { render } from "preact-render-to-string"
import type { Form } from "../../forms/definition/form.ts"
import { FormMarkup } from "./markup.tsx"

/**
 * The form as HTML to copy into a page. `page`: the address of that page, which the browser alone would cut
 * to its origin.
 */
export function htmlOf(form: Form, publicUrl: string, page: string | undefined): string {
  const carried: [string, string][] = page === undefined ? [] : [["page", page]]
  const filled = { values: {}, problems: {}, consent: null, carried }
  const html = render(<FormMarkup form={form} action={`${publicUrl}/f/${form.publicId}`} filled={filled} />)
  // Text and attributes hold no bare `<`: what begins with one is a tag.
  return `${html.replace(/<(?=(p|\/?fieldset|legend|label class|option|\/form)\b)/g, "\n<")}\n`
}
