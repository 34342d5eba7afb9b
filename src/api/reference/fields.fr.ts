import { accountFields } from "./fields/account-fields.fr.ts"
import { assistantFields } from "./fields/assistant-fields.fr.ts"
import { formFields } from "./fields/form-fields.fr.ts"
import { visitorFields } from "./fields/visitor-fields.fr.ts"
import { webhookFields } from "./fields/webhook-fields.fr.ts"

/**
 * A sentence for each field of each body, by the body's name and the field's path in it. What `fieldSentence` finds
 * under a resource's name also holds for the bodies that add, change or extend one (`NewForm`, `FormChange`).
 */
export const fields: Record<string, Record<string, string>> = {
  ...visitorFields,
  ...assistantFields,
  ...formFields,
  ...webhookFields,
  ...accountFields,
}

/** Sentence of a field of this name, in whatever object it stands, wherever `fields` says nothing else. */
export const everywhere: Record<string, string> = {
  n: "Numéro utilisé par les repères de `answer`.",
  title: "Titre de la page.",
  section: "Section de la page, ou `null`.",
  url: "URL de la page.",
  sources: "Passages cités.",
  "sources.title": "Titre de la page citée.",
  "sources.url": "URL complète du passage, ancre comprise s’il y en a une.",
  read_at: "Date à laquelle ce contenu a été lu pour la première fois.",
  times: "Nombre de fois où elle a été posée.",
  last_at: "Date de la dernière fois.",
  others: "Autres façons dont elle a été posée.",
  value: "Valeur de l’en-tête.",
  message_id: "Identifiant du message, celui de l’en-tête `webhook-id`.",
  suggestions: "Questions proposées au visiteur, trois au plus.",
  sentence: "Ce qui a empêché la lecture, en français.",
  isForcible: "Vrai si `force` permet de passer outre.",
  items: "Éléments de la page, du plus récent au plus ancien.",
  created_at: "Date de création.",
  type: "Type d’événement.",
  timestamp: "Date de l’événement, ISO 8601 en UTC avec millisecondes.",
  marks: "Où se trouvent les mots cherchés.",
  "marks.from": "Début, en unités UTF-16, comme dans JavaScript.",
  "marks.to": "Fin.",
  "title.text": "Le titre, en texte.",
  next_cursor: "À passer dans `cursor` pour lire la suite ; `null` à la fin.",
}

export const parameters: Record<string, string> = {
  id: "Identifiant de l’élément.",
  feedId: "Identifiant de la source.",
  uploadId: "Identifiant du fichier.",
  pageId: "Identifiant de la page, son URL ou son chemin sur le site, encodés.",
  synonymId: "Identifiant du groupe de synonymes.",
  answerId: "Identifiant de la réponse.",
  chosenId: "Identifiant de votre réponse.",
  gapId: "Identifiant d’une des questions sans réponse du groupe.",
  questionId: "Identifiant de la question d’évaluation.",
  runId: "Identifiant de l’évaluation.",
  responseId: "Identifiant du message reçu.",
  noteId: "Identifiant de la note.",
  fileId: "Identifiant du fichier.",
  limit: "Nombre d’éléments par page, de 1 à 100 ; 50 par défaut.",
  after:
    "`next_cursor` de la réponse précédente, ou `end` pour ce qui vient désormais ; le plus ancien sinon.",
  cursor: "Valeur de `next_cursor` de la page précédente.",
  search: "Texte à chercher.",
  status: "`answered` ou `no_answer`.",
  useful: "Avis du visiteur : `true` ou `false`.",
  opened: "Si le visiteur a ouvert un passage proposé sous la réponse, ou à sa place : `true` ou `false`.",
  proves:
    "Donné par un script qui sait faire une preuve de travail. Sans lui, un formulaire qui en demande une est remplacé par un lien vers sa page.",
  started: "Valeur de `started` reçue avec l’apparence de la fenêtre : le visiteur est sur la page depuis.",
  since: "Jour ou date ISO 8601, dans le fuseau de Guichet sans autre précision.",
  state: "État recherché.",
  progress: "Avancement : `todo`, `doing` ou `done`.",
  assignee: "Identifiant de l’opérateur qui s’en occupe, ou `none` pour personne.",
  consent: "État du consentement : `pending`, `confirmed` ou `none`.",
  page: "URL de la page qui contiendra le formulaire, sur un site déclaré du projet.",
  "Idempotency-Key":
    "Texte de votre choix, par exemple un UUID : répétée avec la même clé dans les 24 heures, la requête n’est pas refaite et reçoit la même réponse, avec l’en-tête `Idempotent-Replayed`.",
}
