import { textColorOn } from "../../base/color.ts"
import form from "../../style/dsfr/form.css" with { type: "text" }
import page from "../../style/dsfr/page.css" with { type: "text" }
import widget from "../../style/dsfr/widget.css" with { type: "text" }
import { squeezed } from "../../widget/style.ts"
import type { WidgetSettings } from "./settings.ts"

type Look = Pick<WidgetSettings, "look" | "color">

/**
 * The look of sites of the French State (Système de design de l’État), written anew by its published values, without
 * its font and its logo. Each follows the usual style sheet and lays down what differs.
 */
export const dsfr = { widget: squeezed(widget), form: squeezed(form), page: squeezed(page) }

/** Rules that the widget adds to its own. Of the usual look, those of the page are stronger. */
export function widgetStyle({ look, color }: Look): string {
  if (look === "dsfr") return dsfr.widget
  if (color === null) return ""
  const text = textColorOn(color)
  // Where text on the colour is black, the colour is too light for links: needed by older browsers alone.
  const link = text === "#ffffff" ? color : "var(--ink)"
  return `:host{--guichet-accent:${color};--set-on:${text};--set-link:${link}}`
}

/** Rules of a page of ours, after form.css: the look, or the names that form.css leaves to a page. */
export function pageStyle({ look, color }: Look): string {
  if (look === "dsfr") return dsfr.form + dsfr.page
  if (color === null) return ""
  return `.guichet-form{--guichet-accent:${color};--guichet-on-accent:${textColorOn(color)}}`
}
