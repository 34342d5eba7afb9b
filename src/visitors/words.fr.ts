import type { FileKind } from "../forms/files/file-kind.ts"
import { fileKindNames } from "../wording/field-faces.fr.ts"

/** The pages around a form, in French. */
export const words = {
  errorTitle: "Envoi impossible",
  formTitle: "Formulaire",
  elsewhere: "Ce formulaire se remplit sur le site\u00a0: rien n’a été envoyé depuis cette page.",
  onItsOwnPage: "Ce formulaire se remplit sur sa propre page.",
  openForm: ({ name }: { name: string }) => `Ouvrir «\u00a0${name}\u00a0» (nouvel onglet)`,
  /** A page of the site that names an older version of our script. */
  olderScript:
    "Cette page du site n’est pas à jour, et ne peut pas envoyer ce formulaire. Rechargez-la\u202f; si rien ne change, écrivez-nous autrement.",
  thanksTitle: "Merci\u202f!",
  thanks: "Votre message a bien été envoyé.",
  confirmByMail:
    "Il vous reste à confirmer votre accord\u00a0: ouvrez l’e-mail qui vient de vous être envoyé et suivez son lien. S’il n’arrive pas, regardez parmi les indésirables.",
  openFromTo: ({ from, to }: { from: string; to: string }) => `Ouvert du ${from} au ${to}.`,
  openFrom: ({ from }: { from: string }) => `Ouvert à partir du ${from}.`,
  openTo: ({ to }: { to: string }) => `Ouvert jusqu’au ${to}.`,
  requiredBefore: "Les champs marqués d’un ",
  requiredAfter: " sont obligatoires.",
  /** Conditions on other fields, at a field that is to be filled in only then. */
  onlyIf: (parts: readonly string[], match: "all" | "any") =>
    `Seulement si ${parts.join(match === "all" ? " et si " : " ou si ")}.`,
  ifChecked: ({ label, isChecked }: { label: string; isChecked: boolean }) =>
    `«\u00a0${label}\u00a0» ${isChecked ? "est coché" : "n’est pas coché"}`,
  ifFilled: ({ label }: { label: string }) => `«\u00a0${label}\u00a0» est rempli`,
  /** The preview of the builder has conditions whose values are not chosen yet. */
  ifValue: ({ label, labels, isOne }: { label: string; labels: readonly string[]; isOne: boolean }) =>
    `«\u00a0${label}\u00a0» ${isOne ? "est" : "n’est pas"} ${labels.map(quoted).join(" ou ") || "…"}`,
  stepOf: ({ number, count }: { number: number; count: number }) => `Étape ${number} sur ${count}`,
  nextStep: "Continuer",
  backStep: "Étape précédente",
  onlySend: "Il ne reste qu’à envoyer.",
  back: "Revenir au site",
  /** In place of a form that is too large to be shown again. */
  goBack:
    "Votre saisie est trop longue pour être montrée ici\u00a0: revenez à la page précédente avec votre navigateur, qui l’a le plus souvent gardée.",
  send: "Envoyer",
  choose: "Choisissez…",
  fileTitle: "Fichier",
  filesHint: ({
    accept,
    files,
    megabytes,
  }: {
    accept: readonly FileKind[]
    files: number
    megabytes: number
  }) =>
    [
      accept.map((kind) => fileKindNames[kind]).join(", "),
      ...(files > 1 ? [`${files} fichiers au plus`] : []),
      `${megabytes}\u00a0Mo au plus${files > 1 ? " chacun" : ""}`,
    ].join("\u00a0– "),
  needsScript:
    "Ce formulaire demande JavaScript\u00a0: activez-le puis rechargez la page, ou écrivez-nous autrement.",
  trap: "Laissez ce champ vide",
  teamTitle: "Réponses de l’équipe",
  teamWrote: ({ project }: { project: string }) => `Écrit par l’équipe (${project}) le`,
  teamMore: "Voir les réponses suivantes",
  consentTitle: "Confirmer votre accord",
  consentAsk: ({ form }: { form: string }) =>
    `Vous avez donné votre accord avec le formulaire «\u00a0${form}\u00a0»\u00a0:`,
  consentConfirm: "Je confirme mon accord",
  consentDoneTitle: "Accord confirmé",
  consentDone: "Merci, votre accord est confirmé. Vous pouvez fermer cette page.",
  consentUsed: "Ce lien a déjà servi\u00a0: votre accord est confirmé.",
  noticeTitle: "Recevoir les messages",
  noticeAsk: ({ form, site }: { form: string; site: string }) =>
    `À chaque message du formulaire «\u00a0${form}\u00a0» du site ${site}, un e-mail sera envoyé à votre adresse e-mail.`,
  noticeConfirm: "Recevoir ces e-mails",
  noticeDoneTitle: "Adresse e-mail confirmée",
  noticeDone: "Merci\u00a0: vous serez prévenu par e-mail à chaque message. Vous pouvez fermer cette page.",
  /** Whose form is not known any more: in the language that the reader's browser prefers. */
  expired: {
    title: { fr: "Lien expiré", en: "Link expired" },
    consent: {
      fr: "Ce lien n’est plus valable. Remplissez de nouveau le formulaire pour en recevoir un autre.",
      en: "This link is no longer valid. Fill in the form again to receive another one.",
    },
    notice: {
      fr: "Ce lien n’est plus valable, ou a déjà servi. Pour en recevoir un autre, il suffit d’enregistrer de nouveau le formulaire dans la console.",
      en: "This link is no longer valid, or was already used. To receive another one, save the form again in the console.",
    },
  },
}

function quoted(text: string): string {
  return `«\u00a0${text}\u00a0»`
}
