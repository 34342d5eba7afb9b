import type { Language } from "../accounts/project.ts"
import { isDayStart } from "../base/clock.ts"
import { frenchDates } from "../base/time.ts"
import type { FieldType } from "../forms/definition/field-types.ts"
import type { FileKind } from "../forms/files/file-kind.ts"
import type { FileHazard } from "../forms/files/judge-file.ts"
import { exampleOfDate, fieldFaces, fileKindNames } from "./field-faces.fr.ts"

const formFormats = "application/x-www-form-urlencoded, multipart/form-data ou application/json"

/** French sentences about forms, for the visitor who fills one in and for its owner. */
export const words = {
  // To the visitor, at a field.
  mustBeFilled: "Remplissez ce champ.",
  mustBeChosen: "Faites un choix dans la liste.",
  mustBeChecked: "Cochez cette case pour continuer.",
  notAnOption: "Choisissez parmi ce qui est proposé.",
  chooseAtLeastOne: "Cochez au moins une case.",
  tooLong: ({ max }: { max: number }) =>
    `Ce texte est trop long\u00a0: ${max.toLocaleString("fr")} caractères au plus.`,
  notOfType: ({ type, language }: { type: FieldType; language: Language }) =>
    fieldFaces[type].wrong?.(language) ?? "",
  oneTelephone: "Indiquez un seul numéro de téléphone, par exemple 01 23 45 67 89.",
  yearMissing: ({ language }: { language: Language }) =>
    `Indiquez la date avec son année en quatre chiffres, par exemple ${exampleOfDate[language]}.`,
  atLeast: ({ min }: { min: number }) => `Indiquez un nombre à partir de ${numeral(min)}.`,
  atMost: ({ max }: { max: number }) => `Indiquez un nombre jusqu’à ${numeral(max)}.`,
  between: ({ min, max }: { min: number; max: number }) =>
    `Indiquez un nombre de ${numeral(min)} à ${numeral(max)}.`,
  notWhole: "Indiquez un nombre entier, sans virgule.",
  unreadable: "Cette valeur est illisible.",
  mustBeAttached: "Choisissez un fichier.",
  tooManyFiles: ({ max }: { max: number }) =>
    max === 1 ? "Choisissez un seul fichier." : `Choisissez ${max} fichiers au plus.`,
  tooManyFilesOfPost: ({ max }: { max: number }) =>
    `Un envoi porte ${max} fichiers au plus, tous champs ensemble\u00a0: retirez-en.`,
  fileTooLarge: ({ name, megabytes }: { name: string; megabytes: number }) =>
    `«\u00a0${name}\u00a0» est trop lourd\u00a0: ${megabytes}\u00a0Mo au plus.`,
  emptyFile: ({ name }: { name: string }) => `«\u00a0${name}\u00a0» est vide.`,
  wrongFile: ({ name, kinds }: { name: string; kinds: string }) =>
    `«\u00a0${name}\u00a0» n’est pas d’un type accepté ici\u00a0: ${kindsIn(kinds)}.`,
  hazardousFile: ({ name, hazard }: { name: string; hazard: FileHazard }) =>
    hazard === "macros"
      ? `«\u00a0${name}\u00a0» contient des macros\u00a0: enregistrez-le sans macros, puis choisissez-le de nouveau.`
      : `«\u00a0${name}\u00a0» est protégé par un mot de passe\u00a0: retirez la protection, puis choisissez-le de nouveau.`,
  filesNeedParts:
    "Le fichier n’est pas arrivé\u00a0: cet envoi n’est pas en multipart/form-data (attribut enctype du formulaire), le seul format qui transporte des fichiers.",
  chooseAgain: "Choisissez de nouveau ce fichier\u00a0: le navigateur ne le garde pas.",
  addressForConfirmation:
    "Indiquez votre adresse e-mail\u00a0: un message vous y demandera de confirmer votre accord.",

  // To the visitor, about the whole post.
  notOpenYet: ({ atMs, timezone }: { atMs: number; timezone: string }) =>
    `Ce formulaire ouvre le ${periodsIn(timezone).from(atMs)}\u00a0: il n’accepte pas encore de message.`,
  closed: ({ atMs, timezone }: { atMs: number; timezone: string }) =>
    `Ce formulaire est fermé depuis ${periodsIn(timezone).since(atMs)}\u00a0: il n’accepte plus de message.`,
  full: "Ce formulaire est complet\u00a0: il n’accepte plus de message.",
  correct: "Votre message n’a pas été envoyé\u00a0: corrigez les champs indiqués.",
  correctStep: "Corrigez les champs indiqués, puis continuez.",
  tooLarge: "Votre message est trop volumineux pour être envoyé. Raccourcissez-le, puis réessayez.",
  noFiles: "Ce formulaire n’accepte pas de fichier. Retirez-le, puis réessayez.",
  filesTooLarge: ({ megabytes }: { megabytes: number }) =>
    `Vos fichiers sont trop lourds ensemble\u00a0: ${megabytes}\u00a0Mo par envoi au plus.`,
  filesUnderWay:
    "Trop de fichiers arrivent en même temps\u00a0: le vôtre n’a pas été pris. Réessayez dans une minute.",
  noRoomForFiles:
    "Ce site n’a plus de place pour les fichiers\u00a0: votre message n’a pas été gardé. Envoyez-le sans fichier, ou prévenez le responsable du site.",
  filesNotKept: "Vos fichiers n’ont pas pu être gardés pour le moment. Réessayez plus tard.",
  fileLinkGone:
    "Ce fichier n’est plus là, ou son lien a expiré\u00a0: un lien est valable 30 jours après l’envoi du message.",
  unknownFile: "Ce fichier n’existe pas, ou plus.",
  noFormat: `Cet envoi n’a pas d’en-tête Content-Type, qui dit comment le lire\u00a0: ${formFormats}.`,
  unknownFormat: ({ format }: { format: string }) =>
    `Cet envoi est annoncé en «\u00a0${format}\u00a0» (Content-Type), qui n’est pas un format de formulaire\u00a0: ${formFormats}.`,
  notAnObject: "Cet envoi n’est pas un objet JSON valable, avec un champ par nom.",
  compressed: ({ coding }: { coding: string }) =>
    `Cet envoi est compressé (Content-Encoding\u00a0: ${coding}). Envoyez-le sans compression.`,
  noBoundary:
    "Cet envoi multipart/form-data n’indique pas son séparateur. Ajoutez «\u00a0boundary\u00a0» à son en-tête Content-Type, ou laissez votre bibliothèque l’écrire.",
  otherBoundary:
    "Cet envoi multipart/form-data ne contient pas le séparateur que son en-tête Content-Type annonce (boundary).",
  cutMultipart:
    "Cet envoi multipart/form-data s’arrête avant sa fin\u00a0: son dernier séparateur manque. Renvoyez-le en entier.",
  partWithoutName:
    "Une partie de cet envoi multipart/form-data n’a pas de nom. Ajoutez «\u00a0name\u00a0» dans son en-tête Content-Disposition.",
  partHeaders:
    "Une partie de cet envoi multipart/form-data a des en-têtes de plus de 2\u00a0Ko. Raccourcissez-les, ou le nom du fichier qu’ils portent.",
  partEncoding: ({ name, encoding }: { name: string; encoding: string }) =>
    `Le champ «\u00a0${name}\u00a0» de cet envoi ne se lit pas en «\u00a0${encoding}\u00a0». Envoyez-le en UTF-8, sans codage de transfert.`,
  nothingUnderstood:
    "Cet envoi ne contient aucun champ de ce formulaire. Vérifiez les noms de ses champs et son en-tête Content-Type.",
  unreadablePost: "Cet envoi est illisible. Vérifiez que la page est écrite en UTF-8.",
  unknownForm: "Ce formulaire n’existe pas ou n’existe plus.",
  originNotAllowed: "Ce formulaire ne peut pas être envoyé depuis cette page.",
  originHidden:
    "Votre message n’a pas été envoyé\u00a0: la page d’où il vient cache de quel site elle est (Referrer-Policy), et son formulaire ne le prouve pas. Gardez une copie de votre texte et prévenez le responsable du site, qui doit y recopier le code HTML du formulaire.",
  tooManyPosts:
    "Trop d’envois depuis votre connexion\u00a0: celui-ci n’a pas été gardé. Réessayez plus tard.",
  visitorDay:
    "Vous avez atteint le nombre d’envois permis pour aujourd’hui depuis votre connexion\u00a0: celui-ci n’a pas été gardé. Réessayez demain.",
  formDay:
    "Ce formulaire a reçu trop d’envois aujourd’hui\u00a0: le vôtre n’a pas été gardé, car vous en avez déjà fait un. Réessayez demain.",
  diskNearlyFull:
    "Votre message n’a pas pu être gardé\u00a0: le service manque de place. Réessayez plus tard.",
  noContactForm: "Ce site ne propose pas de formulaire pour écrire.",
  tooManyVisits: "Trop de demandes en peu de temps. Réessayez dans une minute.",

  // To the owner, who describes a form.
  invalidForm: "Ce formulaire ne peut pas être enregistré\u00a0: corrigez les champs indiqués.",
  unknownProject: "Ce projet n’existe pas.",
  tooManyForms: ({ maximum }: { maximum: number }) =>
    `Un projet garde ${maximum} formulaires au plus. Supprimez-en un avant d’en ajouter un autre.`,
  tooManyInWorkspace: ({ maximum }: { maximum: number }) =>
    `${maximum.toLocaleString("fr")} formulaires au plus peuvent être gardés, tous projets ensemble. Supprimez-en un avant d’en ajouter un autre.`,
  tooManyWordings: ({ maximum }: { maximum: number }) =>
    `Le texte de l’accord de ce formulaire a déjà eu ${maximum} versions, gardées comme preuves. Reprenez l’une d’elles, ou faites un autre formulaire.`,
  formName: "Indiquez un nom de 1 à 200 caractères.",
  fieldCount: ({ max }: { max: number }) => `Un formulaire a de 1 à ${max} champs.`,
  fieldShape: "Décrivez le champ par son nom, son libellé et son type.",
  fieldName:
    "Un nom de variable commence par une minuscule et ne contient que des minuscules sans accent, des chiffres et «\u00a0_\u00a0», 64 caractères au plus.",
  reservedName:
    "Ce nom est réservé\u00a0: choisissez-en un autre que «\u00a0page\u00a0», «\u00a0consent\u00a0» et ceux qui commencent par «\u00a0guichet_\u00a0».",
  takenName: "Un autre champ porte déjà ce nom.",
  fieldLabel: ({ max }: { max: number }) => `Indiquez un libellé de 1 à ${max} caractères.`,
  fieldType: ({ types }: { types: string }) => `Choisissez un type parmi\u00a0: ${types}.`,
  trueOrFalse: "Indiquez true ou false.",
  options: ({ maxOptions, maxLength }: { maxOptions: number; maxLength: number }) =>
    `Indiquez de 1 à ${maxOptions} choix de valeurs différentes, chacun avec une valeur de ${maxLength.toLocaleString("fr")} caractères au plus et un libellé.`,
  noOptions: "Seuls les types select, radio et checkboxes proposent des choix.",
  commaInOption:
    "Une valeur de cases à cocher ne contient pas de virgule, qui sépare les valeurs choisies. Écrivez «\u00a0valeur = libellé\u00a0»\u00a0: le libellé peut en contenir.",
  noBounds: "Seul le type number a un minimum, un maximum et une règle de nombre entier.",
  onlyForFiles: "Seul le type file a des types, un nombre et une taille de fichiers.",
  fileKinds: ({ kinds }: { kinds: string }) => `Choisissez un ou plusieurs types parmi\u00a0: ${kinds}.`,
  wholeUpTo: ({ max }: { max: number }) => `Indiquez un nombre entier de 1 à ${max}, ou laissez vide.`,
  notOfThisType: "Ce type de champ n’a pas cette partie.",
  paragraph: ({ max }: { max: number }) =>
    `Indiquez le texte à lire, de 1 à ${max.toLocaleString("fr")} caractères.`,
  bound: "Indiquez un nombre en chiffres, ou laissez vide.",
  when: "Dites quand afficher ce champ par «\u00a0match\u00a0» (all ou any) et «\u00a0conditions\u00a0», ou retirez-le.",
  conditionCount: ({ max }: { max: number }) => `Indiquez de 1 à ${max} conditions.`,
  conditionValues: ({ max }: { max: number }) =>
    `Indiquez de 1 à ${max} valeurs à comparer, et aucune si le champ doit seulement être rempli.`,
  conditionOnNothing: ({ field }: { field: string }) =>
    `Cette condition porte sur le champ «\u00a0${field}\u00a0», qui n’existe pas, ou plus. Choisissez-en un autre, ou retirez la condition.`,
  conditionOnLater: ({ field }: { field: string }) =>
    `Cette condition porte sur le champ «\u00a0${field}\u00a0», qui ne vient pas avant celui-ci. Déplacez l’un des deux, ou retirez la condition.`,
  pageHasNone:
    "Une étape n’a pas de condition\u00a0: elle est passée quand aucun de ses champs ne s’affiche.",
  fileOnLastPage: "Un champ de fichiers se place à la dernière étape, d’où le formulaire est envoyé.",
  conditionOnFiles: "Pour un champ de fichiers, une condition peut seulement demander s’il est rempli.",
  conditionValue: ({ value, field }: { value: string; field: string }) =>
    `Le champ «\u00a0${field}\u00a0» n’a pas le choix «\u00a0${value}\u00a0».`,
  fieldOfEndpoint: ({ field, endpoint }: { field: string; endpoint: string }) =>
    `La destination «\u00a0${endpoint}\u00a0» ne reçoit que les messages qui ont une certaine valeur dans le champ «\u00a0${field}\u00a0»\u00a0: changez d’abord sa condition, sur la page Webhooks.`,
  boundsReversed: "Indiquez un maximum qui n’est pas plus petit que le minimum.",
  shortText: ({ max }: { max: number }) =>
    `Indiquez un texte de ${max.toLocaleString("fr")} caractères au plus.`,
  receiptNeedsEmail:
    "Pour envoyer un accusé de réception, le formulaire doit avoir un champ «\u00a0adresse e-mail\u00a0» (email).",
  consentText: ({ max }: { max: number }) =>
    `Indiquez le texte de l’accord, de 1 à ${max.toLocaleString("fr")} caractères.`,
  confirmationNeedsEmail:
    "Pour confirmer un accord par e-mail, le formulaire doit avoir un champ «\u00a0adresse e-mail\u00a0» (email), affiché sans condition.",
  mailNotConfigured: "L’envoi d’e-mails n’est pas configuré sur ce serveur (GUICHET_SMTP_URL).",
  redirectUrl: "Indiquez une URL complète qui commence par https:// ou http://.",
  retentionDays: ({ min, max }: { min: number; max: number }) =>
    `Indiquez un nombre de jours de ${min} à ${max.toLocaleString("fr")}, ou laissez vide pour tout garder.`,
  proofMissing:
    "Ce formulaire demande JavaScript\u00a0: activez-le puis envoyez de nouveau, ou écrivez-nous autrement. Rien n’est perdu.",
  proofOnOwnPage: ({ address }: { address: string }) =>
    `Cette page du site n’est pas à jour, et ne peut pas envoyer ce formulaire. Remplissez-le sur sa propre page\u00a0: ${address}`,
  proofNotMade:
    "Cette page du site n’est pas à jour, et ne peut pas envoyer ce formulaire. Rechargez-la et envoyez de nouveau\u202f; si rien ne change, écrivez-nous autrement.",
  proofWrong:
    "La vérification faite par votre navigateur n’est pas valable, ou ne l’est plus. Envoyez de nouveau\u00a0: elle sera refaite.",
  closesFirst: "Indiquez une fermeture qui vient après l’ouverture.",
  maxResponses: ({ max }: { max: number }) =>
    `Indiquez un nombre de messages de 1 à ${max.toLocaleString("fr")}, ou laissez vide pour ne pas les limiter.`,
  notify: ({ max }: { max: number }) => `Indiquez ${max} adresses e-mail complètes au plus, une par ligne.`,
  ownerMailTo: "Indiquez une adresse e-mail complète.",
  notToConfirm: "Cette adresse e-mail n’a pas de demande à confirmer.",
  askedOften:
    "Cette adresse e-mail a déjà reçu assez de messages aujourd’hui\u00a0: cherchez-les aussi parmi les indésirables, ou réessayez demain.",
  wrongPage: "Le code HTML ne peut pas être préparé pour cette page\u00a0: corrigez le paramètre indiqué.",
  pageAddress: "Indiquez l’URL complète de la page, sur un site déclaré du projet.",

  unknownContactForm: "Choisissez un formulaire de ce projet.",
  unknownContactField: "Choisissez un champ de texte de ce formulaire.",

  // To the owner, who reads responses.
  unknownNote: "Cette note n’existe pas, ou plus.",
  noteOfAnother: "Seule la personne qui a écrit cette note, ou un propriétaire, peut l’effacer.",
  unknownResponse: "Ce message n’existe pas.",
  unknownAssignee: "Choisissez un membre de l’équipe.",
  note: ({ max }: { max: number }) => `Écrivez une note de 1 à ${max.toLocaleString("fr")} caractères.`,
  tooManyNotes: ({ maximum }: { maximum: number }) => `Un message garde ${maximum} notes au plus.`,
  alreadyReceived: "Ce message est déjà accepté.",
  journalAway:
    "Rien n’a été effacé\u00a0: le journal des effacements ne peut pas être écrit pour le moment. Réessayez plus tard.",
}

function kindsIn(kinds: string): string {
  return kinds
    .split(" ")
    .map((kind) => fileKindNames[kind as FileKind] ?? kind)
    .join(", ")
}

function numeral(value: number): string {
  return value.toLocaleString("fr", { maximumFractionDigits: 20 })
}

/** Times of a beginning and an end. Midnight is told as the day that begins, or as the end of the day before. */
export function periodsIn(timeZone: string) {
  const day = frenchDates({ timeZone, dateStyle: "long" })
  const time = frenchDates({ timeZone, dateStyle: "long", timeStyle: "short" })
  const isMidnight = (atMs: number) => isDayStart(timeZone, atMs)
  return {
    from: (atMs: number) => (isMidnight(atMs) ? day(atMs) : time(atMs)),
    until: (atMs: number) => (isMidnight(atMs) ? `${day(atMs - 1)} inclus` : time(atMs)),
    since: (atMs: number) => (isMidnight(atMs) ? `la fin du ${day(atMs - 1)}` : `le ${time(atMs)}`),
  }
}
