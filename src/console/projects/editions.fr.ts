export const words = {
  editions: "Versions et langues",
  editionsHint:
    "Si votre documentation a plusieurs versions ou plusieurs langues, déclarez-les\u00a0: une question reçoit les pages de la version où se trouve le visiteur. Une page qui ne suit aucune règle vaut pour toutes. La règle la plus longue l’emporte.",
  row: (n: number) => (n === 1 ? "1. Par défaut" : `${n}.`),
  name: "Nom court",
  label: "Libellé",
  rule: "Règle",
  rules:
    "Une règle est un début de chemin, par exemple /v2/, ou un nom de domaine, par exemple en.exemple.fr.",
  more: "Enregistrez pour obtenir d’autres lignes\u202f; videz une ligne pour la retirer.",
  fallback: {
    label: "Chercher dans la version par défaut ce que celle de la page ne dit pas",
    hint: "La réponse le signale au visiteur.",
  },
}
