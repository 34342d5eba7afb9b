import { colorRule, contrast, textColorOn } from "../../../base/color.ts"

/** Browser code: the preview of the widget follows what is typed. */
export function followTyping(): void {
  const preview = document.querySelector<HTMLElement>("[data-preview]")
  const form = preview?.closest("form")
  if (!preview || !form) return
  form.addEventListener("input", () => {
    const values = new FormData(form)
    const text = (name: string) => String(values.get(name) ?? "").trim()
    for (const part of preview.querySelectorAll<HTMLElement>("[data-shows]")) {
      part.textContent = text(part.dataset["shows"] ?? "") || (part.dataset["usual"] ?? "")
      part.hidden = part.textContent === ""
    }
    preview.dataset["position"] = text("position")
    const color = text("color").toLowerCase()
    if (!colorRule.test(color)) return
    preview.style.setProperty("--widget-color", color)
    preview.style.setProperty("--on-widget-color", textColorOn(color))
    tellContrast(contrast(color, textColorOn(color)))
  })
}

/** The hint of the colour holds the figure, in the words of appearance/words.fr.ts. */
function tellContrast(ratio: number): void {
  const hint = document.getElementById("color-hint")
  const figure = ratio.toLocaleString("fr", { maximumFractionDigits: 1 })
  if (hint) hint.textContent = (hint.textContent ?? "").replace(/\d{1,2}(,\d)?(?=\u00a0pour 1)/, figure)
}
