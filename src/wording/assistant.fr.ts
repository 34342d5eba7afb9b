import type { Language, Project } from "../accounts/project.ts"
import type { WidgetSettings } from "../accounts/widget/settings.ts"
import { widgetStyle } from "../accounts/widget/style.ts"
import { textColorOn } from "../base/color.ts"

/** Messages about refused questions and about feeds, in French whatever the language of the project. */
export const words = {
  tooLarge: ({ maxBytes }: { maxBytes: number }) => `La requête dépasse ${maxBytes / 1024}\u00a0Ko.`,
  notJson: "La requête doit être envoyée au format JSON.",
  unreadable: "La requête est illisible\u00a0: elle doit contenir un objet JSON.",
  project:
    "L’identifiant du projet doit compter de 8 à 64 caractères, lettres minuscules et chiffres seulement.",
  questionMissing: "La question manque ou n’est pas un texte.",
  questionTooShort: "La question est trop courte\u00a0: écrivez au moins 2 caractères.",
  questionTooLong: "La question est trop longue\u00a0: écrivez au plus 1\u202f000 caractères.",
  queryMissing: "La recherche manque ou n’est pas un texte.",
  queryTooLong: "La recherche est trop longue\u00a0: écrivez au plus 200 caractères.",
  tooManySearches: "Trop de recherches en peu de temps. Réessayez dans un instant.",
  page: "Le chemin de la page doit être un texte qui commence par «\u00a0/\u00a0».",
  pageTooLong: "Le chemin de la page ne doit pas dépasser 512 caractères.",
  previous: "Les réponses précédentes doivent être une liste d’identifiants.",
  tooManyPrevious: "Une question peut rappeler au plus 3 réponses précédentes.",
  projectNotFound: "Aucun projet ne porte cet identifiant.",
  originNotAllowed: "Cette page ne fait pas partie des sites déclarés pour ce projet.",
  assistantDisabled: "L’assistant de cette documentation est désactivé.",
  notIndexed: "Cette documentation n’est pas encore indexée. Réessayez un peu plus tard.",
  unavailable: "L’assistant ne répond pas pour le moment. Réessayez dans quelques instants.",
  pageNotFound: "Aucune page de ce projet ne porte ce nom.",
  feedNotFound: "Aucune source ne porte cet identifiant.",
  answerNotFound: "Aucune réponse ne porte cet identifiant.",
  tooMuchFeedback:
    "Votre avis sur cette réponse a déjà changé trop souvent aujourd’hui. Vous pourrez le changer de nouveau demain.",
  useful: "L’avis doit être l’une des valeurs true ou false.",
  reason: ({ choices }: { choices: readonly string[] }) =>
    `La raison d’un avis «\u00a0pas utile\u00a0» est l’une de celles-ci\u00a0: ${choices.join(", ")}.`,
  opened: "Le numéro du passage ouvert, n, doit être 1, 2 ou 3.",
  openedNotFound: "Aucun passage de ce numéro n’a été proposé avec cette réponse.",
  programsOff: "Ce projet n’est pas ouvert aux programmes. Son propriétaire peut l’ouvrir dans la console.",
  programOrigin:
    "Cette page ne fait pas partie des sites déclarés pour ce projet\u00a0: déclarez-la dans ses réglages.",
  tooManyRequests: "Trop de requêtes en peu de temps. Réessayez un peu plus tard.",
  programsShare:
    "La part des questions réservée aux programmes est épuisée. Elle se renouvelle chaque jour et chaque mois\u202f; search reste possible.",
  unknownEdition: ({ names }: { names: string }) =>
    `Cette version de la documentation n’existe pas. Choisissez parmi\u00a0: ${names || "aucune"}.`,
  searchText: "Le texte cherché, q, compte de 2 à 200 caractères, et limit va de 1 à 10.",
  tooManyChecks: "Trop de recherches en peu de temps. Votre message peut être envoyé sans attendre.",
  beingIndexed: "Cette documentation est déjà en cours d’indexation.",
  noFeed: "Ce projet n’a pas encore de source à lire.",
  tooMuchRemoved:
    "Cette lecture retirerait plus de la moitié des pages\u00a0: rien n’a été changé. Vérifiez la source, ou acceptez ce retrait.",
  embeddingFailed:
    "La recherche par le sens n’a pas pu être préparée\u00a0: les passages sont trouvés par leurs mots seuls. Le service réessaiera.",
  indexingFailed: "L’indexation a échoué pour une raison imprévue\u00a0: le journal du service en dit plus.",
  indexingStopped: "L’indexation a été interrompue. L’index précédent continue de répondre.",
  indexingTooLarge:
    "L’indexation a été arrêtée\u00a0: elle demandait trop de mémoire. L’index précédent continue de répondre.",
  indexingStuck:
    "L’indexation a été arrêtée\u00a0: elle n’avançait plus. L’index précédent continue de répondre.",
  archiveNotStored:
    "L’index construit n’a pas pu être déposé dans le stockage partagé. L’index précédent continue de répondre\u00a0: relancez l’indexation plus tard.",
  archiveTooLarge:
    "L’index construit est trop volumineux pour le stockage partagé. L’index précédent continue de répondre.",
  invalidFeed: "Cette source ne peut pas être ajoutée\u00a0: corrigez les champs indiqués.",
  tooManyFeeds: "Un projet garde 50 sources au plus. Retirez-en une avant d’en ajouter une autre.",
  feedKind:
    "Choisissez un site, un plan de site, un fichier llms.txt, des liens à suivre, des pages, un dépôt Git ou des fichiers envoyés.",
  feedAddress: "Indiquez une URL complète, par exemple https://docs.exemple.fr/sitemap.xml.",
  feedPage: "Indiquez des URL complètes, une par ligne, par exemple https://docs.exemple.fr/contact.",
  crawlNumber: ({ most }: { most: number }) =>
    `Indiquez un nombre entier de 1 à ${most.toLocaleString("fr")}.`,
  crawlParameters: ({ most }: { most: number }) =>
    `Indiquez au plus ${most} noms de paramètres, faits de lettres, de chiffres, de points, de tirets et de crochets\u202f; un astérisque à la fin vaut pour tous ceux qui commencent ainsi.`,
  notCrawled: "Cette source ne suit pas de liens\u00a0: elle n’a ni profondeur ni nombre de pages.",
  feedPages: ({ pages, characters }: { pages: number; characters: number }) =>
    `Indiquez de 1 à ${pages.toLocaleString("fr")} URL complètes de pages, une par ligne, ${characters.toLocaleString("fr")} caractères au plus en tout.`,
  feedPagesElsewhere:
    "L’une de ces pages n’est pas sur un site déclaré du projet. Déclarez d’abord ce site dans les réglages du projet.",
  feedElsewhere:
    "Cette URL n’est pas sur un site déclaré du projet. Déclarez d’abord ce site dans les réglages du projet.",
  feedBaseUrl:
    "Indiquez l’URL complète sous laquelle les pages sont publiées, par exemple https://docs.exemple.fr.",
  gitAddress:
    "Indiquez l’URL en https d’un dépôt Git, sans nom ni mot de passe, par exemple https://git.exemple.fr/docs.git, ou avec une branche et un dossier\u00a0: https://git.exemple.fr/docs.git#main:guide.",
  gitToken: "Indiquez le jeton seul, ou «\u00a0nom:jeton\u00a0», sans espace, en 500 caractères au plus.",
  tokenElsewhere: "Seul un dépôt Git se lit avec un jeton.",
  headersNeedHttps:
    "Des en-têtes ne sont envoyés qu’à une URL en https\u00a0: indiquez-en une, ou retirez les en-têtes.",
  notForFiles:
    "Cette source ne reçoit pas de fichiers\u00a0: ajoutez-en une de type «\u00a0Fichiers envoyés\u00a0».",
  pagesUnread: ({ failed, pages }: { failed: number; pages: number }) =>
    failed < 2
      ? `1\u00a0page sur ${pages.toLocaleString("fr")} non lue\u00a0: relisez la documentation. D’ici là, sa dernière version connue répond.`
      : `${failed.toLocaleString("fr")}\u00a0pages sur ${pages.toLocaleString("fr")} non lues\u00a0: relisez la documentation. D’ici là, leur dernière version connue répond.`,
  uploadNotFound: "Aucun fichier de cette source ne porte cet identifiant.",
  invalidUpload: "Ces fichiers ne peuvent pas être gardés\u00a0: corrigez les champs indiqués.",
  uploadFiles: ({ files }: { files: number }) => `Indiquez de 1 à ${files} fichiers, ou un ZIP.`,
  uploadContent: "Indiquez le contenu du fichier en base64.",
  uploadKind: ({ name, choices }: { name: string; choices: readonly string[] }) =>
    `«\u00a0${name}\u00a0» n’est pas un document que Guichet lit, ou son contenu n’est pas celui qu’annonce son nom. Extensions possibles\u00a0: ${choices.join(", ")}, ou zip. Un tableur, un diaporama ou un ancien fichier Word s’enregistre en PDF, puis s’envoie ainsi.`,
  uploadTooLarge: ({ name, megabytes }: { name: string; megabytes: number }) =>
    `«\u00a0${name}\u00a0» est trop volumineux\u00a0: un fichier compte ${megabytes}\u00a0Mo au plus.`,
  tooManyUploads: ({ maximum }: { maximum: number }) =>
    `Une source garde ${maximum.toLocaleString("fr")} fichiers au plus. Retirez-en avant d’en ajouter d’autres.`,
  zipName: ({ name }: { name: string }) =>
    `Le nom «\u00a0${name}\u00a0» ne convient pas\u00a0: 200 caractères et 10 dossiers au plus, sous le dossier de départ, sans espace au bord, sans signe invisible ni aucun de ceux que Windows refuse (deux-points, point d’interrogation, astérisque, guillemet droit, barre, chevrons).`,
  zipKind: ({ name }: { name: string }) => `«\u00a0${name}\u00a0» n’est pas un document que Guichet lit.`,
  zipNested: ({ name }: { name: string }) =>
    `«\u00a0${name}\u00a0» est un ZIP à un troisième niveau\u00a0: envoyez-le seul.`,
  zipDamaged: "Ce ZIP est abîmé ou n’en est pas un. Refaites-le, puis envoyez-le de nouveau.",
  zipLink: ({ name }: { name: string }) =>
    `«\u00a0${name}\u00a0» est un lien dans ce ZIP\u00a0: mettez le fichier lui-même.`,
  zipTwice: ({ name }: { name: string }) => `Le nom «\u00a0${name}\u00a0» est donné deux fois.`,
  zipEncrypted: ({ name }: { name: string }) =>
    `«\u00a0${name}\u00a0» ne s’ouvre qu’avec un mot de passe\u00a0: refaites le ZIP sans.`,
  zipMethod: ({ name }: { name: string }) =>
    `«\u00a0${name}\u00a0» est compressé d’une façon peu courante\u00a0: refaites le ZIP avec la compression usuelle (deflate).`,
  zipOther: ({ name }: { name: string }) =>
    `«\u00a0${name}\u00a0» ne contient pas ce qu’annonce le sommaire du ZIP\u00a0: refaites-le.`,
  zipEmpty: "Ce ZIP ne contient aucun document que Guichet lit.",
  zipTooLarge: ({ files, megabytes }: { files: number; megabytes: number }) =>
    `Ce ZIP est trop volumineux\u00a0: ${files.toLocaleString("fr")} documents et ${megabytes}\u00a0Mo au plus, une fois décompressés. Envoyez-le en plusieurs.`,
  synonymNotFound: "Aucun groupe de synonymes ne porte cet identifiant.",
  invalidSynonym: "Ce groupe ne peut pas être ajouté\u00a0: corrigez les mots.",
  synonymCount: "Indiquez de 2 à 10 mots différents.",
  synonymLength: "Un mot compte de 1 à 60 caractères.",
  synonymMeaningless: ({ word }: { word: string }) =>
    `«\u00a0${word}\u00a0» ne contient aucun mot que l’assistant recherche.`,
  tooManySynonyms:
    "Un projet garde 200 groupes de synonymes au plus. Supprimez-en un avant d’en ajouter un autre.",
  chosenNotFound: "Aucune de vos réponses ne porte cet identifiant.",
  invalidChosen: "Cette réponse ne peut pas être enregistrée\u00a0: corrigez les champs indiqués.",
  tooManyChosen: ({ maximum }: { maximum: number }) =>
    `Vous pouvez garder ${maximum} réponses au plus par projet. Supprimez-en une avant d’en ajouter une autre.`,
  chosenLength: ({ maximum }: { maximum: number }) =>
    `Écrivez une réponse de 1 à ${maximum.toLocaleString("fr")} caractères.`,
  chosenMarkerInCode: "Un renvoi comme [^1] ne peut pas se trouver dans du code.",
  chosenMarker: ({ sources }: { sources: number }) =>
    sources === 0
      ? "La réponse renvoie à une source qui n’est pas donnée."
      : `La réponse renvoie à une source qui n’est pas donnée\u00a0: les renvois vont de [^1] à [^${sources}].`,
  chosenQuestions: ({ maximum }: { maximum: number }) =>
    `Indiquez de 1 à ${maximum} formulations, de 2 à 1\u202f000 caractères chacune, avec au moins un mot que l’assistant recherche.`,
  noTeamPage:
    "Il n’y a plus de réponse ici. Elle a pu être supprimée\u00a0: demandez de nouveau à l’assistant.",
  chosenSources: ({ maximum }: { maximum: number }) =>
    `Indiquez ${maximum} sources au plus, prises dans la documentation indexée.`,
  chosenSource: ({ address }: { address: string }) =>
    `Cette URL n’est celle d’aucun passage de la documentation indexée\u00a0: ${address}`,
  setFull: ({ maximum }: { maximum: number }) =>
    `L’évaluation d’un projet compte ${maximum} questions au plus. Supprimez-en avant d’en ajouter d’autres.`,
  setQuestionNotFound: "Cette question ne fait plus partie de l’évaluation.",
  setRunNotFound: "Cette évaluation n’est plus gardée.",
  setEmpty: "L’évaluation de ce projet est vide.",
  setRunning: "L’évaluation est déjà en cours.",
  invalidSetQuestion: "Cette question ne peut pas être ajoutée\u00a0: corrigez les champs indiqués.",
  setQuestion: "Écrivez une question de 2 à 1\u202f000 caractères.",
  setText: ({ maximum }: { maximum: number }) => `Le texte attendu compte ${maximum} caractères au plus.`,
  setPage: "Indiquez l’URL d’une page, ou son chemin, par exemple /guide/installation.",
  setExpects: "Dites ce que la réponse doit citer\u00a0: une page, un texte, ou les deux.",
  importTooLong: "Cette liste est trop longue\u00a0: 300\u202f000 caractères au plus.",
  importEmpty: "Collez une liste de questions.",
  importTooMany: ({ maximum }: { maximum: number }) => `Une liste compte ${maximum} questions au plus.`,
  importLine: ({ line }: { line: number }) =>
    `La ligne ${line.toLocaleString("fr")} n’est pas un objet JSON avec une «\u00a0question\u00a0».`,
  importColumns: "La première ligne doit nommer les colonnes\u00a0: question;page;texte.",
  unreadableFolder: "Ce dossier n’existe pas ou ne peut pas être lu.",
  emptyFolder: "Ce dossier ne contient aucune page à lire.",
  unreadableFeed: "Cette source ne peut pas être lue pour le moment. Vérifiez son URL.",
}

/** The link to the page below a quotation that is cut, in the language of the documentation. */
export const goesOn: Record<Language, string> = { fr: "Suite sur la page", en: "More on the page" }

/** Above an answer that another edition than the page's gave, in the language of the documentation. */
export const fromOtherEdition: Record<Language, (label: string) => string> = {
  fr: (label) =>
    `La documentation de cette page ne répond pas. Voici ce que dit une autre version\u00a0: ${label}.`,
  en: (label) =>
    `The documentation of this page does not answer, but that of another version does (${label}).`,
}

export const answerWords = { goesOn, fromOtherEdition }

/** How a site is called, and what its owner says more. */
export type SiteWords = Pick<Project, "kindWord" | "noAnswerMore" | "language">

const usual: Readonly<Record<string, Record<Language, string>>> = {
  documentation: { fr: "la documentation", en: "the documentation" },
  site: { fr: "ce site", en: "this site" },
}

/** In the other language than the project's, an owner's own word is unknown. */
export function wordFor({ kindWord, language: own }: SiteWords, language: Language): string {
  return usual[kindWord]?.[language] ?? (language === own ? kindWord : (usual["site"]?.[language] as string))
}

/**
 * The text of a `no_answer`: to a question, to a greeting, to thanks. The specification (part 2 A2, rule 1) asks each
 * of them to say that the documentation does not answer, and to suggest other words.
 */
export function noAnswer(site: SiteWords, language: Language, to: "question" | "greeting" | "thanks") {
  const word = wordFor(site, language)
  const sentence = refusals[language](word.charAt(0).toUpperCase() + word.slice(1))[to]
  return to === "question" && site.noAnswerMore ? `${sentence}\n\n${site.noAnswerMore}` : sentence
}

/** The site's word begins each sentence: no preposition runs into its article. */
const refusals = {
  fr(site: string) {
    const says = `${site} ${/^(?:Les|Ces|Nos|Vos|Mes) /.test(site) ? "ne répondent pas" : "ne répond pas"}`
    return {
      question: `${says} à cette question. Essayez de la reformuler, avec d’autres mots ou plus de précisions.`,
      greeting: `Bonjour\u202f! ${says} à un salut\u00a0: posez votre question en une phrase.`,
      thanks: `Avec plaisir\u202f! ${says} à un remerciement\u00a0: s’il vous reste une question, posez-la en une phrase.`,
    }
  },
  en(site: string) {
    // No article tells the number of an English word.
    const says = `${site} ${/^Th(?:e documentation|is site)$/.test(site) ? "does not" : "cannot"} answer`
    return {
      question: `${says} this question. Try rephrasing it, with other words or more detail.`,
      greeting: `Hello. ${says} a greeting, so ask your question in one sentence.`,
      thanks: `You are welcome. ${says} thanks. If you have another question, ask it in one sentence.`,
    }
  },
}

/** The settings of a project's widget as it reads them: not the form, nor what concerns pages alone. */
export function widgetLook(project: Project, { contact, logo, stateSite, ...look }: WidgetSettings) {
  return {
    ...look,
    text_color: look.color && textColorOn(look.color),
    style: widgetStyle(look),
    project_language: project.language,
    texts: widgetTexts(project),
  }
}

/** Texts of the widget that name the site, or that it needs only where its owner wants messages. */
function widgetTexts(site: SiteWords) {
  const isDocumentation = site.kindWord === "documentation"
  const [fr, en] = [wordFor(site, "fr"), wordFor(site, "en")]
  return {
    fr: {
      assistant: isDocumentation ? "Assistant de la documentation" : `Questions sur ${fr}`,
      searching: `Recherche dans ${fr}…`,
      notice: `Les réponses sont produites automatiquement d’après ${fr}\u00a0: vérifiez les sources. N’indiquez aucune donnée personnelle.`,
      write: "Nous écrire",
      write_failed: "Le formulaire ne s’ouvre pas\u00a0: vérifiez votre connexion, puis réessayez.",
      thanks: "Merci pour votre avis.",
      why: "Pourquoi\u202f?",
      reasons: {
        wrong: "Elle est fausse",
        incomplete: "Elle est incomplète",
        outdated: "Elle n’est plus à jour",
        other: "Autre raison",
      },
    },
    en: {
      assistant: isDocumentation ? "Documentation assistant" : `Questions about ${en}`,
      searching: `Searching ${en}…`,
      notice: `Answers are produced automatically from ${en}, so check the sources. Do not enter personal data.`,
      write: "Write to us",
      write_failed: "The form does not open. Check your connection, then try again.",
      thanks: "Thank you for your opinion.",
      why: "Reason",
      reasons: {
        wrong: "It is wrong",
        incomplete: "It is incomplete",
        outdated: "It is out of date",
        other: "Another reason",
      },
    },
  }
}
