import { squeezed } from "../squeezed.ts"
import { withTokens } from "../tokens.ts"
import form from "./form.css" with { type: "text" }
import page from "./page.css" with { type: "text" }
import widget from "./widget.css" with { type: "text" }

/**
 * The look of sites of the French State (Système de design de l’État), written anew by its published values: neither
 * its font nor its logo. Each follows the usual style sheet and lays down what differs.
 */
export const dsfr = {
  widget: squeezed(withTokens(widget)),
  form: squeezed(withTokens(form)),
  page: squeezed(withTokens(page)),
}
