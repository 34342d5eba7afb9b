export const words = {
  colon: "\u00a0: ",
  table: "Voir les chiffres",
  none: "–",
}
