/** French messages of the charts. */
export const messages = {
  colon: "\u00a0: ",
  table: "Voir les chiffres",
  none: "–",
}
