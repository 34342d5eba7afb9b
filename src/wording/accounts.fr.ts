import { hourMs, minuteMs, secondMs } from "../base/clock.ts"
import { frenchDates } from "../base/time.ts"

/** French sentences about workspaces and projects. */
export const words = {
  invalidProject: "Ce projet ne peut pas être enregistré\u00a0: corrigez les champs indiqués.",
  unknownProject: "Ce projet n’existe pas.",
  tooManyProjects: ({ maximum }: { maximum: number }) =>
    `${maximum} projets au plus peuvent être gardés. Supprimez-en un avant d’en ajouter un autre.`,
  tooManyInvitations: ({ maximum }: { maximum: number }) =>
    `${maximum}\u00a0invitations au plus peuvent attendre une réponse. Annulez-en une qui ne sert plus.`,
  tooManyMembers: ({ maximum }: { maximum: number }) =>
    `L’équipe compte ${maximum} membres au plus. Retirez-en un qui n’y travaille plus.`,
  tooManyTokens: ({ maximum }: { maximum: number }) =>
    `${maximum} jetons au plus peuvent être gardés. Révoquez-en un avant d’en créer un autre.`,
  tooManyKeys: ({ maximum }: { maximum: number }) =>
    `Ce jeton a déjà utilisé trop de clés d’idempotence en 24 heures\u00a0: ${maximum.toLocaleString("fr")} au plus, et 8\u00a0Mo de réponses. Réessayez plus tard, ou sans clé.`,
  keyOfAnother:
    "Cette clé d’idempotence a déjà servi à une autre requête depuis 24 heures. Prenez-en une nouvelle pour chaque requête.",
  keyInUse:
    "La première requête faite avec cette clé d’idempotence est encore en cours, ou a été interrompue. Réessayez dans un instant\u202f; si ce refus persiste, vérifiez ce qui a été fait, puis prenez une autre clé.",
  keyWithoutReply:
    "La requête faite avec cette clé d’idempotence a abouti, mais sa réponse n’est pas gardée\u00a0: elle est trop longue, ou contient ce qu’une personne a écrit.",
  tooManyWorkspaces: ({ maximum }: { maximum: number }) =>
    `Une organisation garde ${maximum} espaces au plus.`,
  unknownWorkspace: "Cet espace n’existe pas.",
  defaultWorkspace:
    "C’est l’espace par défaut du service, le premier\u00a0: il ne peut pas être supprimé. Vous pouvez le renommer.",
  workspaceName: "Indiquez un nom de 200 caractères au plus, sur une seule ligne.",
  unknownOperator: "Cette personne n’est pas membre de l’équipe.",
  memberExists: "Cette personne est déjà membre de l’équipe.",
  lastOwner: "C’est le seul propriétaire\u00a0: nommez-en d’abord un autre.",
  unknownToken: "Ce jeton n’existe pas.",
  tokenName: "Indiquez pour ce jeton un nom de 200 caractères au plus, sur une seule ligne.",
  noScope: "Choisissez au moins un droit pour le jeton.",
  tokenExpiry: "Indiquez une date d’expiration à venir, ou aucune.",
  expiryBeyond: "Un jeton ne peut pas en créer un qui expire après lui.",
  scopesBeyond: "Un jeton ne peut pas recevoir plus de droits que celui qui le crée.",
  roleBeyond: "Un jeton ne peut pas donner un rôle aux droits plus étendus que les siens.",
  takenBeyond: "Vous ne pouvez ni modifier, ni déconnecter, ni retirer ce qui a plus de droits que vous.",
  invited: "Cette personne est invitée et n’a pas encore accepté.",
  alreadyInvited:
    "Cette personne est déjà invitée\u00a0: annulez d’abord cette invitation pour en faire une autre.",
  deadInvitation:
    "Cette invitation n’est plus valable\u00a0: elle est utilisable une fois, pendant 7\u00a0jours. Demandez-en une autre à qui vous l’a transmise.",
  deadPasswordLink:
    "Ce lien n’est plus valable\u00a0: il est utilisable une fois, pendant une heure. Demandez-en un autre.",
  tooManyPasswordLinks:
    "Plusieurs liens ont déjà été demandés\u00a0: cherchez le dernier e-mail reçu, aussi parmi les indésirables, ou réessayez dans une heure.",
  mailsWaiting: "Le serveur a trop d’e-mails en attente. Réessayez plus tard.",
  ownFactors: "Votre propre deuxième étape de connexion se retire dans «\u00a0Votre compte\u00a0».",
  factorsElsewhere: ({ email }: { email: string }) =>
    `Cette personne est aussi membre d’un autre espace, dont les propriétaires n’ont rien demandé\u00a0: seule la personne qui administre le serveur peut retirer sa deuxième étape, par la commande «\u00a0guichet operator password ${email} --without-second-factor\u00a0».`,
  memberElsewhere:
    "Cette personne est aussi membre d’un autre espace\u00a0: seule la personne qui administre le serveur peut lui donner un autre mot de passe.",
  deadStep: "Cette connexion a expiré. Recommencez.",
  wrongCode:
    "Ce code ne convient pas, ou a déjà servi\u00a0: l’application en montre un autre toutes les 30\u00a0secondes. Tapez le suivant dès qu’il paraît.",
  tooManyCodes:
    "Trop de codes ont été essayés. Réessayez plus tard, ou demandez à la personne qui administre le serveur.",
  noSecondFactor: "Ce compte n’a pas de deuxième étape de connexion.",
  wrongPasskey: "Cette clé d’accès ne convient pas. Réessayez, ou connectez-vous autrement.",
  passkeyExists: "Cette clé d’accès est déjà enregistrée.",
  unknownPasskey: "Cette clé d’accès n’existe pas.",
  passkeyName: "Indiquez pour cette clé un nom de 1 à 200 caractères, sur une seule ligne.",
  tooManyPasskeys: ({ maximum }: { maximum: number }) =>
    `Un compte a ${maximum}\u00a0clés d’accès au plus. Retirez-en une qui ne sert plus.`,
  deadAttempt: "Cette connexion a expiré, a déjà servi ou a commencé dans un autre navigateur. Recommencez.",
  providerDenied: "La connexion a été refusée ou abandonnée chez votre fournisseur d’identité.",
  providerFailed:
    "La réponse de votre fournisseur d’identité n’est pas valable. Recommencez\u202f; si cela persiste, prévenez la personne qui administre le serveur.",
  providerUnavailable: "Votre fournisseur d’identité ne répond pas. Réessayez dans quelques instants.",
  weakProof:
    "Votre fournisseur d’identité n’a pas vérifié votre identité aussi fortement que ce service le demande.",
  unknownIdentity:
    "Aucun compte d’ici n’est associé à cette identité. Demandez une invitation à un propriétaire, ou connectez-vous par mot de passe, puis associez-la dans «\u00a0Votre compte\u00a0».",
  unverifiedEmail: "Votre fournisseur d’identité n’a pas vérifié votre adresse e-mail.",
  joinFirst:
    "Un compte a déjà cette adresse e-mail\u00a0: connectez-vous à ce compte, puis associez-lui votre identité dans «\u00a0Votre compte\u00a0».",
  identityTaken: "Cette identité est déjà associée à un autre compte.",
  otherIdentity: "Ce compte est déjà associé à une autre identité de ce fournisseur.",
  passwordsOff:
    "La connexion par mot de passe est désactivée\u00a0: passez par votre fournisseur d’identité.",
  endedSession: "Cette connexion a déjà pris fin.",
  otherInvited: ({ email }: { email: string }) =>
    `Cette invitation est pour ${email}\u00a0: déconnectez-vous, puis connectez-vous avec cette adresse e-mail.`,
  shutOut: "Vous avez été déconnecté de cet espace. Déconnectez-vous, puis reconnectez-vous pour y revenir.",
  projectName: "Indiquez un nom de 1 à 200 caractères, sur une seule ligne.",
  siteAddress: "Indiquez l’URL du site, par exemple https://www.exemple.fr, sans paramètre.",
  tooManyOrigins: ({ maximum }: { maximum: number }) =>
    `Un projet déclare ${maximum} autres sites au plus. Retirez ceux qui ne servent plus.`,
  declaredAddress:
    "L’URL de chaque site déclaré commence par https:// ou http://, par exemple https://www.exemple.fr.",
  kindWord: ({ maximum }: { maximum: number }) =>
    `Indiquez un nom avec son article, par exemple «\u00a0le guide du locataire\u00a0», de ${maximum} caractères au plus.`,
  noAnswerMore: ({ maximum }: { maximum: number }) =>
    `Indiquez une phrase de ${maximum} caractères au plus, sur une seule ligne.`,
  editions: ({ maximum }: { maximum: number }) =>
    `Déclarez ${maximum} versions ou langues au plus, chacune avec son nom et sa règle.`,
  editionName:
    "Indiquez un nom court, par exemple v2 ou fr\u00a0: 40 lettres minuscules, chiffres, points ou tirets au plus.",
  editionLabel: ({ maximum }: { maximum: number }) =>
    `Indiquez un libellé de 1 à ${maximum} caractères, sur une seule ligne, par exemple Version 2.`,
  editionRule: ({ maximum }: { maximum: number }) =>
    `Indiquez un début de chemin, par exemple /v2/, ou un nom de domaine, par exemple en.exemple.fr, de ${maximum} caractères au plus.`,
  invalidWidget: "L’apparence ne peut pas être enregistrée\u00a0: corrigez les champs indiqués.",
  widgetTitle: ({ maximum }: { maximum: number }) =>
    `Indiquez un titre de ${maximum} caractères au plus, sur une seule ligne.`,
  widgetIntroduction: ({ maximum }: { maximum: number }) =>
    `Indiquez une introduction de ${maximum} caractères au plus.`,
  widgetSuggestions: ({ maximum }: { maximum: number }) => `Proposez ${maximum} questions au plus.`,
  widgetSuggestion: ({ maximum }: { maximum: number }) =>
    `Une question proposée compte de 2 à ${maximum} caractères.`,
  widgetButton: ({ maximum }: { maximum: number }) =>
    `Indiquez pour le bouton un texte de ${maximum} caractères au plus, sur une seule ligne.`,
  logoAddress: "Indiquez l’URL complète d’une image, sans paramètres, sur un site déclaré du projet.",
  widgetColor: "Indiquez une couleur comme #0b5c8a.",
  stateSite:
    "Le système de design de l’État est réservé aux sites de l’État\u00a0: confirmez que ce site en est un, ou gardez l’apparence de Guichet.",
  invalidOperator: "Ce compte ne peut pas être enregistré\u00a0: corrigez les champs indiqués.",
  operatorEmail: "Indiquez une adresse e-mail complète.",
  passwordLength: ({ min, max }: { min: number; max: number }) =>
    `Choisissez un mot de passe de ${min} à ${max} caractères. Une suite de plusieurs mots convient bien.`,
  signInAgain:
    "Indiquez votre mot de passe actuel, ou reconnectez-vous d’abord par votre fournisseur d’identité.",
  guessablePassword:
    "Ce mot de passe se devine trop facilement\u00a0: il est courant, ou fait de mots que l’on essaierait ici. Une suite de plusieurs mots sans lien entre eux convient bien.",
  presentPassword: "Ce n’est pas le mot de passe actuel de ce compte.",
  emailTaken: "Cette adresse e-mail a déjà un compte.",
  operatorExists: "Le premier compte existe déjà\u00a0: connectez-vous.",
  wrongSignIn: "L’adresse e-mail ou le mot de passe ne convient pas.",
  tooManySignIns: ({ waitMs }: { waitMs: number }) =>
    `Trop de tentatives de connexion. Réessayez ${inAWhile(waitMs)}.`,
  crowdedSignIn: "Trop de personnes se connectent en ce moment. Réessayez dans quelques secondes.",
  deadSetupLink:
    "Ce lien n’est plus valable\u00a0: il est utilisable une fois, pendant 30\u00a0minutes, tant que le service n’a pas de propriétaire.",
  minute: ({ waitMs }: { waitMs: number }) =>
    `Trop de questions ont été posées en peu de temps. Réessayez ${inAWhile(waitMs)}.`,
  visitorDay: ({ waitMs }: { waitMs: number }) =>
    `Vous avez atteint le nombre de questions permis pour aujourd’hui. Réessayez ${inAWhile(waitMs)}.`,
  projectDay: ({ waitMs }: { waitMs: number }) =>
    `Cette documentation a reçu toutes les questions permises pour aujourd’hui. Réessayez ${inAWhile(waitMs)}.`,
  organisationMonth: ({ againAtMs, timezone }: { againAtMs: number; timezone: string }) =>
    `Le quota mensuel de questions est atteint. Réessayez le ${dateText(againAtMs, timezone)}.`,
}

/** `dans 40 secondes`, `dans 25 minutes`, `demain`: no limit lasts beyond the end of the day. */
function inAWhile(waitMs: number): string {
  const format = new Intl.RelativeTimeFormat("fr", { numeric: "auto" })
  if (waitMs <= minuteMs) return format.format(Math.max(1, Math.ceil(waitMs / secondMs)), "second")
  if (waitMs <= hourMs) return format.format(Math.ceil(waitMs / minuteMs), "minute")
  return format.format(1, "day")
}

/** `1er décembre`. */
function dateText(atMs: number, timeZone: string): string {
  return frenchDates({ day: "numeric", month: "long", timeZone })(atMs)
}
