import { counted } from "../../../wording/counted.fr.ts"

export const words = {
  title: "Vos réponses",
  intro:
    "Les réponses que vous écrivez, données à la place de celles de l’assistant à qui pose la question, dans ces mots ou dans d’autres qui demandent la même chose. Chacune cite des passages de votre documentation ou, sans source, la page des réponses de l’équipe, qui la montre.",
  none: "Aucune pour le moment. Une réponse s’écrit ici, pour une question qui revient souvent, ou depuis «\u00a0Ce qui manque\u00a0».",
  add: "Écrire une réponse",
  newTitle: "Nouvelle réponse",
  editTitle: "Votre réponse",
  notIndexed:
    "La documentation n’est pas encore lue\u00a0: l’assistant répondra, par vos réponses aussi, dès qu’elle l’est.",
  questions: "Question",
  questionsHint:
    "Une formulation par ligne, dix au plus. Une question qui demande la même chose dans d’autres mots est reconnue, mais chaque formulation que vous ajoutez en rapproche d’autres.",
  answer: "Réponse",
  answerHint:
    "Texte simple ou Markdown, 5\u202f000 caractères au plus. [^1] renvoie à la première source cochée, [^2] à la deuxième\u202f; une source sans renvoi est citée à la fin.",
  sources: "Sources citées",
  sourcesHint:
    "Cochez ce qui appuie la réponse\u00a0: le lien ouvre la page. Si aucune page ne le dit, ne cochez rien\u00a0: la réponse a sa propre page, qui dit qu’elle vient de l’équipe et de quel jour.",
  marks: { bold: "Gras", list: "Liste", link: "Lien" },
  preview: "Dans la fenêtre de l’assistant",
  teamPage: "Page des réponses de l’équipe",
  teamPageHint: "Elle montre les réponses sans autre source. Les visiteurs y arrivent depuis l’assistant.",
  seeTeamPage: "Voir la page",
  teamPageListed: "Les moteurs de recherche peuvent la montrer",
  ownPage: "page des réponses de l’équipe",
  listed: "Le réglage de la page est enregistré.",
  otherSources: "Autres URL de la documentation",
  otherSource: (n: number) => `Autre URL de la documentation, ${n}`,
  otherSourcesHint:
    "L’URL d’une page, avec l’ancre de la section si possible. Les pages lues sont proposées pendant que vous écrivez.",
  noneOffered:
    "Aucun passage ne s’approche de cette question. Indiquez l’URL d’une page lue, si une page le dit\u00a0: elles sont proposées pendant que vous écrivez.",
  gone: "n’est plus dans l’index",
  saved: "La réponse est enregistrée\u00a0: les visiteurs l’obtiennent dès maintenant.",
  removed: "La réponse est supprimée.",
  attach: "Rattacher",
  attachNamed: (question: string) => `Rattacher à\u00a0: ${question}`,
  attachHint: (question: string) =>
    `Choisissez la réponse qui convient aussi à «\u00a0${question}\u00a0»\u00a0: la question s’y ajoute comme une formulation de plus.`,
  edit: "Modifier",
  editNamed: (question: string) => `Modifier\u00a0: ${question}`,
  remove: "Supprimer",
  removeConfirm: "Supprimer cette réponse\u202f? L’assistant répondra de nouveau lui-même.",
  given: (times: number) =>
    times === 0
      ? "pas encore donnée ces 30 derniers jours"
      : `donnée ${times.toLocaleString("fr")}\u00a0fois ces 30 derniers jours`,
  sourceCount: (count: number) => counted(count, "source", "sources"),
  changed: (at: string) => `modifiée le ${at}`,
  setAside: "mise de côté",
  setAsideHint:
    "Aucune de ses sources n’est plus dans l’index\u00a0: elle n’est pas donnée. Elle le sera de nouveau dès que la page y revient, ou qu’une autre source lui est donnée.",
  partial: "une source manque",
  setAsideCount: (count: number) =>
    count < 2
      ? "L’une de vos réponses est mise de côté, parce que ses sources ont quitté l’index."
      : `${count.toLocaleString("fr")} de vos réponses sont mises de côté, parce que leurs sources ont quitté l’index.`,
  back: "Toutes vos réponses",
  example: "Essayer",
  exampleNamed: (question: string) => `Essayer\u00a0: ${question}`,
}
