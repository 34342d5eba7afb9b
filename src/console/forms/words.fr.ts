import { maxCounted } from "../../forms/responses/count.ts"

export const words = {
  forms: "Formulaires",
  none: "Ce projet n’a pas encore de formulaire. Une fois créé, son code HTML se copie dans une page du site.",
  newForm: "Nouveau formulaire",
  person: "Données d’une personne",
  responses: "Messages reçus",
  settings: "Modifier",
  counts: {
    received: (count: number) => (count <= 1 ? `${count} message reçu` : `${counted(count)} messages reçus`),
    held: (count: number) => `${counted(count)} à vérifier`,
    unwanted: (count: number) => (count <= 1 ? `${count} indésirable` : `${counted(count)} indésirables`),
  },
  closed: {
    "forms.notOpenYet": "pas encore ouvert",
    "forms.closed": "fermé",
    "forms.full": "complet",
  },
  createdWithPage:
    "Le formulaire est créé. Sa page aussi\u00a0: partagez son lien, ou mettez son cadre ou son code dans une page de votre site.",
  created: "Le formulaire est créé. Donnez-lui une page, ou copiez son code dans une page de votre site.",
  saved:
    "Le formulaire est enregistré. Si son code est déjà dans une page de votre site, copiez-le de nouveau\u00a0: ce qui vient d’un champ ou d’un choix qui n’existe plus n’est pas gardé.",
  noticeAsked: "La demande de confirmation est renvoyée par e-mail.",
  removed: "Le formulaire est supprimé, avec ses messages reçus.",

  remove: "Supprimer le formulaire",
  removeHint: "Il n’accepte plus rien, et tous ses messages reçus sont effacés pour toujours.",
  removeConfirm: "Supprimer ce formulaire et tous ses messages reçus\u202f?",

  personTitle: "Données d’une personne",
  personIntro:
    "Une personne peut demander ce que vous gardez d’elle, ou que tout soit effacé. Cherchez son adresse e-mail dans les messages reçus de tous les projets. Une adresse e-mail citée au milieu d’un message ne compte pas\u00a0: cherchez-la dans «\u00a0Messages reçus\u00a0».",
  personEmail: "Adresse e-mail",
  personSearch: "Chercher",
  personNone: "Aucun message reçu ne contient cette adresse e-mail.",
  personFound: (count: number) =>
    count === 1
      ? "Un message reçu contient cette adresse e-mail."
      : `${count} messages reçus contiennent cette adresse e-mail.`,
  personNewest: (shown: number) =>
    `Les ${shown}\u00a0plus récents sont montrés ici, tous sont dans l’export.`,
  personExport: "Exporter (JSON)",
  personErase: "Effacer tous ces messages",
  personEraseConfirm: "Effacer pour toujours tous les messages de cette personne\u202f?",
  personSent: "Applications à prévenir",
  personTell:
    "Ces messages ont été envoyés à ces destinations, qui peuvent les avoir gardés. L’effacement n’y change rien\u00a0: prévenez-les vous-même. Seuls les envois des 30\u00a0derniers jours sont connus.",
  personTellNow:
    "Les messages effacés avaient été envoyés à ces destinations, qui peuvent les avoir gardés\u00a0: prévenez-les vous-même. Seuls les envois des 30\u00a0derniers jours sont connus.",
  personSentRemoved: "une destination supprimée depuis",
  personSentNowhere:
    "Aucune application n’a reçu ces messages pendant les 30\u00a0derniers jours. La boîte d’essai ne compte pas\u00a0: l’effacement la vide aussi.",
  personErased: (count: number) =>
    count === 0
      ? "Il n’y avait rien à effacer."
      : count === 1
        ? "Un message est effacé."
        : `${count} messages sont effacés.`,
}

export function counted(count: number): string {
  return count > maxCounted ? `plus de ${maxCounted.toLocaleString("fr")}` : count.toLocaleString("fr")
}
