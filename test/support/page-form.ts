/**
 * What a browser would send of the form of a page that is sent to this address, as it shows it: its buttons
 * apart.
 */
export function formIn(page: string, action: string): Record<string, string> {
  const values: Record<string, string> = {}
  let current = ""
  function take(element: HTMLRewriterTypes.Element, value: string): void {
    current = element.getAttribute("name") ?? current
    if (current !== "intent") values[current] = value
  }
  const form = `form[action="${action}"]`
  new HTMLRewriter()
    .on(`${form} input:not([type=checkbox]), ${form} input[checked]`, {
      element: (input) => take(input, input.getAttribute("value") ?? "on"),
    })
    .on(`${form} select, ${form} textarea`, { element: (field) => take(field, "") })
    .on(`${form} option[selected]`, { element: (option) => take(option, option.getAttribute("value") ?? "") })
    .on(`${form} textarea`, {
      text(part) {
        values[current] += part.text
      },
    })
    .transform(page)
  return values
}
