import type { words as english } from "./english/reading.en.ts"
import type { Translation } from "./wording.ts"

/** Why a page was left out, or a page, a feed or a project could not be read, in French. */
export const words: Translation<typeof english> = {
  at: ({ place, why }) => `${place}\u00a0: ${why}`,

  // Pages
  robotsMeta: "Sa balise meta «\u00a0robots\u00a0» le demande.",
  searchOff: "Son en-tête l’exclut de la recherche.",
  frontMatterSays: ({ name, value }) => `Son en-tête dit «\u00a0${name}\u00a0: ${value}\u00a0».`,
  futureDate: ({ name, day }) => `Elle n’est publiée qu’à partir du ${day} (${name}).`,
  pastDate: ({ name, day }) => `Elle n’est plus publiée depuis le ${day} (${name}).`,
  nestedTooDeep: "Ses balises sont imbriquées par centaines.",
  textTooLong: ({ characters }) => `Son texte compte ${number(characters)} caractères.`,
  tooManyCharacters: ({ most }) => `Plus de ${number(most)} caractères.`,
  tooManyLines: ({ most }) => `Plus de ${number(most)} lignes.`,
  tooManyTags: ({ most }) => `Plus de ${number(most)} balises.`,
  tooManyBytes: ({ most }) => `Plus de ${number(most)} octets.`,
  fileTooLarge: ({ bytes, most }) =>
    `Elle pèse ${tenths(bytes / megabyte)}\u00a0Mo, ${number(most / megabyte)}\u00a0Mo au plus.`,
  noText: "Elle ne contient pas de texte tant que ses scripts n’ont pas été exécutés.",
  nothingLeft:
    "Hors de ses menus, bandeaux, parties masquées et liens isolés, elle ne contient pas de texte.",
  onlyLinks: "Son texte n’est fait que de liens vers d’autres pages.",
  listOfPosts: "C’est une liste d’articles qui ont chacun leur page.",
  leadsTo: ({ page }) => `Elle mène ses visiteurs à ${page}.`,
  binaryFile: "C’est un fichier binaire.",
  brokenFile: ({ error }) => `Le fichier est abîmé (${error})\u00a0: enregistrez-le à nouveau.`,
  oldOffice: "Son format date d’avant 2007\u00a0: enregistrez-le en DOCX ou en PDF.",
  otherArchive: "C’est une archive qui n’est ni un DOCX ni un ODT.",
  zipTooLarge: ({ most, megabytes }) =>
    `Plus de ${number(most)} fichiers ou de ${number(megabytes)}\u00a0Mo une fois décompressé.`,
  otherData:
    "Ce sont des données, ou une partie de la description d’une API (OpenAPI), pas une description entière.",
  tooManySheets: ({ most }) => `Plus de ${number(most)} pages\u00a0: publiez-le en plusieurs fichiers.`,
  unnamedLetters: "Ses polices ne disent pas quelles lettres elles dessinent.",
  notUtf8: "Ce texte n’est pas en UTF-8\u00a0: convertissez-le.",
  noContentType: "Le site ne dit pas de quel type de contenu il s’agit.",
  notAnAddress: "Ce n’est pas une URL.",
  samePageAs: ({ page }) => `La même que ${page}.`,
  otherFileRead: "Un autre fichier de la même page a été lu.",
  linkToFolder: "Un lien symbolique vers un dossier n’est pas suivi.",
  linkOutOfFolder: "Un lien symbolique mène hors du dossier.",
  linkToNowhere: "Un lien symbolique ne mène nulle part.",
  pageTemplate: "C’est un modèle d’autres pages.",
  pagePart: "C’est une partie d’autres pages.",
  contentsOrErrorPage: "C’est un sommaire ou une page d’erreur.",
  notInContents: "Elle n’est pas dans SUMMARY.md\u00a0: elle n’est pas publiée.",
  notPublished: "Les réglages du site ou son en-tête ne la publient pas.",
  otherVersion: ({ version }) =>
    `Elle est d’une autre version de la documentation\u00a0: la version ${version} est lue.`,
  outsidePages: "Ce fichier est hors des pages du site.",
  otherLanguage: ({ language }) => `Elle n’est pas dans la langue lue (${language}).`,
  notRegularFile: "Ce n’est pas un fichier ordinaire.",

  // Parts of a page
  ownerPart: "Le site demande de ne pas la lire.",
  hiddenPart: "Elle est masquée, et rien sur la page ne l’ouvre.",
  navigationPart: "C’est un menu, un en-tête, un pied de page ou une liste de liens.",
  cookiesPart: "C’est un bandeau de cookies.",
  promotionPart: "Elle ne sert qu’à partager, à s’abonner ou à donner un avis.",
  formPart: "C’est un formulaire.",
  asidePart: "C’est un encart à côté du texte.",
  generatedPart: "C’est une mention du logiciel qui a fait le site.",
  outsidePart: "Elle est hors de l’élément qui contient le texte de la page.",
  repeatedPart: "La plupart des pages du site la répètent.",
  unreadablePart: "Cette partie du fichier est abîmée ou d’un format qui n’est pas lu.",
  drawingPart: "C’est un graphique ou un schéma\u00a0: ses mots ne sont pas lus.",
  referencePart: "Cette référence ne mène à aucune partie du fichier ni d’un autre qui est lu avec lui.",
  scannedPart:
    "Ces pages n’ont que des images ou des tracés, sans texte\u00a0: faites-en reconnaître le texte (OCR), puis publiez le document à nouveau.",
  limitPart: "Elle vient après la limite de ce qui est lu.",

  // Limits of reading one page or list
  processorTime: ({ seconds }) => `Sa lecture a pris plus de ${number(seconds)}\u00a0secondes de calcul.`,
  elapsedTime: ({ seconds }) => `Sa lecture a pris plus de ${number(seconds)}\u00a0secondes.`,
  memory: ({ megabytes }) => `Sa lecture a pris plus de ${number(megabytes)}\u00a0Mo de mémoire.`,
  parserEnded: "Le programme qui la lisait s’est arrêté.",
  calledOff: "La lecture a été arrêtée.",
  listParsing: ({ why }) => why,

  // Sites
  answered: ({ status }) => `Le site a répondu HTTP ${status}.`,
  notFound: "Introuvable.",
  hostSilent: ({ host }) => `${host} ne répond plus.`,
  comeBackLater: ({ seconds }) => `Le site demande de revenir dans ${seconds}\u00a0secondes.`,
  stalled: ({ seconds }) => `Rien n’est arrivé pendant ${number(seconds)}\u00a0secondes.`,
  unfinished: ({ seconds }) => `Le site n’a pas fini de répondre en ${number(seconds)}\u00a0secondes.`,
  otherEncoding: ({ encoding }) => `Elle est compressée en ${encoding}, qui n’était pas demandé.`,
  brokenGzip: "La compression gzip est abîmée.",
  tooManyRedirects: ({ most }) => `Plus de ${most} redirections.`,
  redirectsElsewhere: ({ site }) => `Elle redirige vers ${site}, qui n’est pas un site du projet.`,
  elsewhere: ({ site }) => `Elle est sur ${site}, qui n’est pas un site du projet.`,
  privateAddress: ({ host }) =>
    `${host} est dans un réseau privé\u00a0: GUICHET_FEED_ALLOW_PRIVATE=true permet d’y lire.`,
  privateHost: ({ host }) =>
    `${host} mène à un réseau privé\u00a0: GUICHET_FEED_ALLOW_PRIVATE=true permet d’y lire.`,
  unknownHost: ({ host }) => `Le nom de domaine ${host} n’a pas pu être trouvé.`,
  connectionRefused: "Le site refuse la connexion.",
  connectionClosed: "Le site a coupé la connexion.",
  proxyFailed: ({ error }) =>
    `Le proxy de sortie n’a pas établi la connexion (${error})\u00a0: GUICHET_OUTBOUND_PROXY le nomme, et il doit permettre CONNECT vers des adresses IP.`,
  badCertificate: ({ error }) => `Pas de connexion sûre avec le site\u00a0: ${error}`,

  // Feeds and lists of pages
  notHttp: "Ce n’est pas une URL en http ou https.",
  tooManyRules: "Il a trop de règles pour une URL aussi longue.",
  tooManyPages: ({ most }) => `Plus de ${number(most)} pages\u00a0: le reste n’est pas lu.`,
  repeatedSegments: "Le chemin de son URL se répète.",
  calendar: ({ most }) => `Plus de ${number(most)} URL ne diffèrent que par une date.`,
  onlyParameter: ({ count, name }) =>
    `${number(count)} liens ne diffèrent que par «\u00a0${name}\u00a0»\u00a0: ajoutez ce paramètre à ceux de la source pour les lire un par un.`,
  manyQueries: ({ most }) => `Plus de ${number(most)} URL ne diffèrent que par leurs paramètres.`,
  facets: "Les segments de son URL sont ceux d’une page déjà vue, dans un autre ordre.",
  tooManyCrawled: ({ most }) =>
    `Les liens mènent à plus de ${number(most)} pages\u00a0: le reste n’est pas lu.`,
  tooManySitemaps: ({ most }) =>
    `robots.txt nomme plus de ${most} plans du site\u00a0: celui-là et les suivants ne sont pas lus.`,
  tooFar: ({ count, most }) =>
    count === 1
      ? `Un lien est à plus de ${most} liens de la première page\u00a0: il n’est pas suivi.`
      : `${number(count)} liens sont à plus de ${most} liens de la première page\u00a0: ils ne sont pas suivis.`,
  moreTraps: ({ count }) =>
    count === 1
      ? "Un autre lien de la forme d’une suite sans fin n’est pas suivi."
      : `${number(count)} autres liens de la forme d’une suite sans fin ne sont pas suivis.`,
  tooManyLinks: ({ page }) =>
    `La page ${page} a trop de liens\u00a0: celui-là et les suivants ne sont pas suivis.`,
  printsPages: "Elle rassemble, pour l’impression, d’autres pages qui sont lues.",
  otherFiles: ({ count, ending }) =>
    count === 1
      ? `Un fichier ${ending} n’est pas lu.`
      : `${number(count)} fichiers ${ending} ne sont pas lus.`,
  tooManyDocuments: ({ most }) => `Plus de ${number(most)} documents liés\u00a0: le reste n’est pas lu.`,
  addressesTooLong: ({ most }) => `Plus de ${number(most)} caractères d’URL\u00a0: le reste n’est pas lu.`,
  longAddresses: ({ count, most }) =>
    count === 1
      ? `Une URL de plus de ${number(most)} caractères.`
      : `${number(count)} URL de plus de ${number(most)} caractères.`,
  noSitemap: ({ places }) =>
    `Aucun plan de site n’a été trouvé (cherché\u00a0: ${places}). Indiquez l’URL de la liste elle-même, choisissez «\u00a0Liens à suivre\u00a0», ou désignez les pages.`,
  htmlNotSitemap: "C’est une page HTML, pas un plan de site\u00a0: indiquez l’URL de la liste elle-même.",
  htmlNotText: "C’est une page HTML, pas un texte.",
  otherXml: ({ kind, line }) =>
    `C’est un autre XML (ligne ${line}\u00a0: <${kind}>), ni plan de site, ni RSS, ni Atom.`,
  notSitemap: ({ line }) =>
    `Ce n’est ni un XML ni une liste d’URL\u00a0: la ligne ${line} ne commence pas par http:// ou https://.`,
  listCutOff: ({ line }) =>
    `La liste s’arrête à la ligne ${line}, avant sa fin\u00a0: elle doit être envoyée entière.`,
  entryWithoutAddress: ({ line, element }) =>
    `L’entrée de la ligne ${line} n’a pas de <${element}>\u00a0: écrivez-y l’URL de la page.`,
  tooManyPatterns: ({ most }) => `${most} motifs au plus.`,
  badPattern: ({ pattern, characters, wildcards }) =>
    `«\u00a0${pattern}\u00a0» n’est pas un motif\u00a0: ${characters} caractères au plus, sans espace, avec au plus ${wildcards} jokers (* ou **).`,
  excludedBy: ({ pattern }) => `Le motif ${pattern} l’exclut.`,
  notIncluded: "Elle ne correspond à aucun motif de «\u00a0Pages à lire\u00a0».",
  allElsewhere: ({ site }) =>
    `Toutes ses pages sont sur d’autres sites (${site})\u00a0: déclarez cette URL dans les réglages du projet.`,
  allUnwanted:
    "Les motifs de «\u00a0Pages à lire\u00a0» et «\u00a0Pages à exclure\u00a0» ne retiennent aucune page\u00a0: modifiez-les.",
  noPage: "Aucune page n’y figure.",
  emptyText: "Il ne contient pas de texte.",
  listsTooDeep: ({ deep, most }) =>
    `Des listes dans des listes, sur plus de ${deep} niveaux ou plus de ${number(most)} en tout.`,
  notAFolder: ({ folder }) => `${folder} n’est pas un dossier.`,
  emptyFolder: ({ folder }) =>
    `${folder} ne contient aucun fichier .md, .mdx, .markdown, .html, .pdf, .docx ou .odt.`,
  leftFolder: "Il n’est plus dans le dossier.",

  // Git repositories
  gitNone: "Aucun dépôt Git ne se trouve à cette URL.",
  gitNotFound: "Ce dépôt n’existe pas, ou demande un jeton\u00a0: vérifiez l’URL et le jeton.",
  gitMoved: "Ce dépôt a changé d’URL\u00a0: indiquez la nouvelle.",
  gitOld: "Ce serveur n’a pas la version 2 du protocole de Git (Git 2.18 ou plus récent).",
  gitEmpty: "Ce dépôt est vide.",
  gitNoBranch: ({ branch }) => `Ce dépôt n’a ni branche ni étiquette ${branch}.`,
  gitNoFolder: ({ folder }) => `Ce dépôt n’a pas de dossier ${folder}.`,
  gitTooLarge: ({ megabytes }) =>
    `Ce dépôt est trop volumineux\u00a0: son dernier état compte plus de ${number(megabytes)}\u00a0Mo.`,
  gitTooManyFiles: ({ files }) =>
    `Ce dépôt contient plus de ${number(files)} fichiers, ou trop de texte\u00a0: désignez un dossier, par exemple #main:docs.`,
  gitBroken: "Le serveur a envoyé un dépôt qui ne peut pas être lu.",
  gitUnpacking: ({ why }) => `Le dépôt n’a pas pu être lu\u00a0: ${why}`,

  // Indexing
  tooMuchRemoved: ({ removed, stored }) =>
    `${number(removed)} pages sur ${number(stored)} seraient retirées.`,
  interrupted: "Elle a été interrompue.",
  indexingMemory: ({ megabytes }) =>
    `Elle a pris plus de ${number(megabytes)}\u00a0Mo de mémoire (GUICHET_INDEXING_MEMORY_MB).`,
  indexingStuck: "Elle n’avançait plus.",
  storeUnusable: ({ error }) => `Le stockage partagé ne peut pas être utilisé (${error}).`,
  archiveTooLarge: ({ megabytes }) => `Son archive dépasserait ${number(megabytes)}\u00a0Mo.`,
}

const megabyte = 1024 * 1024

function number(value: number): string {
  return value.toLocaleString("fr")
}

/** `6,0` */
function tenths(value: number): string {
  return value.toLocaleString("fr", { minimumFractionDigits: 1, maximumFractionDigits: 1 })
}
