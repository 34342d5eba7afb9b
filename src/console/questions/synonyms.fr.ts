export const words = {
  intro:
    "Les mots que vos visiteurs emploient l’un pour l’autre\u00a0: une question qui contient l’un d’eux trouve aussi les pages qui emploient les autres. L’effet est immédiat, sans nouvelle lecture de la documentation.",
  none: "Aucun groupe pour l’instant.",
  newGroup: "Nouveau groupe",
  words: "Mots de même sens",
  wordsHint:
    "De 2 à 10 mots ou expressions, séparés par des virgules. Par exemple\u00a0: mél, courriel, e-mail.",
  add: "Ajouter le groupe",
  added: "Le groupe est ajouté\u00a0: les prochaines questions en tiennent compte.",
  remove: "Supprimer",
  removeNamed: (words: string) => `Supprimer le groupe ${words}`,
  removeConfirm: "Supprimer ce groupe de synonymes\u202f?",
  removed: "Le groupe est supprimé.",
}
