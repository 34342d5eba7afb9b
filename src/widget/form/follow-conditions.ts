import { own } from "../own.ts"

/** As the service describes when a field is shown, and judges it: `forms/definition/when.ts`. */
interface When {
  match: "all" | "any"
  conditions: { field: string; test: "is" | "is_not" | "filled"; values: string[] }[]
}

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

/** Only a field further down depends on the one in use, so that the focus stays where it is. */
export function followConditions(form: HTMLFormElement): void {
  const follow = () => showOrHide(form)
  follow()
  for (const event of ["input", "change"]) own(form).addEventListener(event, follow)
}

/** A field that is hidden is not sent, and fills no condition of another. */
export function showOrHide(form: HTMLFormElement): void {
  const places = [...own(form).querySelectorAll<HTMLElement>("[data-when]")]
  for (const place of places) for (const control of controlsIn(place)) control.disabled = false
  const data = new FormData(form)
  for (const place of places) {
    const { match, conditions } = JSON.parse(place.dataset["when"] as string) as When
    const isShown = conditions[match === "all" ? "every" : "some"](({ field, test, values }) => {
      const answers = data
        .getAll(field)
        .map((value) => (typeof value === "string" ? value : value.name).trim())
      if (test === "filled") return answers.some(Boolean)
      return answers.some((each) => values.includes(each)) === (test === "is")
    })
    // Also where the page's own style gives every paragraph a `display`.
    place.style.display = isShown ? "" : "none"
    // The sentence that says when to fill it in.
    place.querySelector(".guichet-when")?.remove()
    if (!isShown)
      for (const control of controlsIn(place)) {
        control.disabled = true
        data.delete(control.name)
      }
  }
}

function controlsIn(place: HTMLElement): Control[] {
  return [...place.querySelectorAll<Control>("input, textarea, select")]
}
