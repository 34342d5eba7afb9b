import { counted } from "../../wording/counted.fr.ts"

export const words = {
  intro:
    "Des questions dont vous connaissez la bonne réponse. Guichet les pose après chaque lecture de la documentation, sans les compter ni les garder, et vous prévient quand il y répond moins bien qu’avant.",
  none: "L’évaluation est vide. Une dizaine de questions que vos visiteurs posent vraiment suffit pour commencer.",
  result: (passed: number, total: number) =>
    `${passed.toLocaleString("fr")} sur ${total.toLocaleString("fr")}`,
  resultLabel: "Réponses comme prévu",
  lastRun: (at: string) => `Dernière évaluation le ${at}`,
  never: "Pas encore évaluée\u00a0: elle le sera après la prochaine lecture, ou dès qu’elle est lancée.",
  running: (total: number) => `L’évaluation est en cours\u00a0: ${counted(total, "question", "questions")}…`,
  run: "Lancer l’évaluation",
  fell: (lost: number, at: string | undefined, passed: number | undefined) => {
    const than = at === undefined ? "qu’avant" : `que le ${at} (${passed?.toLocaleString("fr")})`
    return lost < 2
      ? `Une question de moins ${than} a la réponse prévue.`
      : `${lost.toLocaleString("fr")} questions de moins ${than} ont la réponse prévue.`
  },
  fellHint: "Chaque nouvelle évaluation reste comparée à celle de ce jour-là.",
  accept: "C’est voulu",
  acceptHint:
    "Si vous avez retiré ou changé exprès ce que ces questions demandent, «\u00a0C’est voulu\u00a0» le note\u00a0: l’avertissement s’efface, et les évaluations suivantes sont comparées à la dernière.",
  agreed: "Cette baisse est notée comme voulue\u00a0: la prochaine évaluation sera comparée à celle-ci.",
  unknownPage: (nearest: readonly string[]) =>
    nearest.length === 0
      ? "Cette page n’est pas dans l’index\u00a0: aucune réponse ne peut la citer."
      : `Cette page n’est pas dans l’index\u00a0: aucune réponse ne peut la citer. Les plus proches\u00a0: ${nearest.join(", ")}.`,
  addedUnknown:
    "La question est ajoutée, mais la page attendue n’est pas dans l’index\u00a0: voyez ce qui est écrit sous la question.",
  questions: "Questions",
  question: "Question",
  expected: "Attendu",
  outcomes: {
    passed: "comme prévu",
    unanswered: "sans réponse",
    other_page: "cite une autre page",
    other_text: "ne contient pas le texte",
    untried: "pas encore essayée",
  },
  expectedPage: (page: string) => `la page ${page}`,
  expectedText: (text: string) => `le texte «\u00a0${text}\u00a0»`,
  remove: "Retirer",
  removeNamed: (question: string) => `Retirer\u00a0: ${question}`,
  removeConfirm: "Retirer cette question de l’évaluation\u202f?",
  add: "Ajouter une question",
  page: "Page attendue",
  pageHint: "Son URL ou son chemin, par exemple /guide/installation.",
  text: "Texte attendu",
  textHint: "Quelques mots que la réponse doit contenir.",
  addButton: "Ajouter",
  import: "Importer une liste",
  rows: "Liste",
  rowsHint:
    'Un tableau dont la première ligne nomme les colonnes (question;page;texte), ou un objet JSON par ligne ({"question":…,"page":…,"text":…}). 500 questions au plus.',
  importButton: "Importer",
  history: "Évaluations précédentes",
  historyTable: "Le résultat de chaque évaluation",
  when: "Date",
  share: "Part comme prévu",
  lost: "Questions perdues",
  added: "La question est ajoutée.",
  imported: "La liste est importée.",
  removed: "La question est retirée.",
  accepted: "C’est noté.",
  started: "L’évaluation est lancée.",
}
