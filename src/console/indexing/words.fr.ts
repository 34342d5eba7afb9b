import type { Generator } from "../../reading/generators/names.ts"
import { siteGenerators } from "../../reading/generators/table.ts"
import type { KindName } from "../../reading/kinds/table.ts"

const onSite = "Sur le site du projet, ou un autre site déclaré."

export const words = {
  title: "Documentation",
  state: "État",
  created: "Le projet est créé. Indiquez maintenant où lire sa documentation.",
  createdRead: "Le projet est créé, et la lecture de sa documentation commence.",
  feedAdded: "La source est ajoutée\u00a0: sa lecture commence.",
  feedChanged: "La source est modifiée\u00a0: sa lecture commence.",
  feedRemoved: "Le retrait de la source est demandé.",
  started: "La lecture est demandée.",
  scheduled: "Le rythme de lecture est enregistré.",
  notIndexed: "La documentation n’a pas encore été lue\u00a0: l’assistant ne peut pas répondre.",
  addFirst: "Ajoutez ci-dessous le site, son plan, un fichier llms.txt ou des pages.",
  builtAt: "Index construit",
  lastRun: "Dernière lecture",
  searchBy: {
    title: "Recherche",
    both: "par les mots et par le sens",
    wordsFirst: "par les mots\u202f; le sens suit",
    words: "par les mots seuls",
  },
  going: "Indexation en cours",
  waiting: "La lecture va commencer.",
  givenWay: (done: number) =>
    `La lecture a laissé la place à d’autres et reprendra à son tour\u00a0: ${number(done)} ${done < 2 ? "page est déjà lue" : "pages sont déjà lues"}.`,
  phases: {
    reading: (done: number, total: number | null) =>
      `Lecture des pages\u00a0: ${number(done)}${total === null ? (done < 2 ? " lue" : " lues") : outOf(total)}.`,
    building: (done: number, total: number | null) =>
      `Construction de l’index\u00a0: ${number(done)}${total === null ? "" : outOf(total)}.`,
    embedding: (done: number, total: number | null) =>
      `Préparation de la recherche par le sens\u00a0: ${number(done)} ${done < 2 ? "passage" : "passages"}${total === null ? "" : outOf(total)}.`,
  },
  vectorsWaiting: "La recherche par le sens va se préparer.",
  wordsAnswer: "L’assistant répond déjà par les mots\u202f; le sens s’y ajoutera de lui-même.",
  staysLive: "L’index précédent continue de répondre pendant ce temps.",
  interrupted: "La dernière lecture a été interrompue. L’index précédent continue de répondre.",
  outcome: (documents: number, unchanged: number, removed: number, skipped: number, seconds: number) =>
    `${counted(documents, "page indexée", "pages indexées")}, dont ${counted(documents - unchanged, "nouvelle ou modifiée", "nouvelles ou modifiées")}\u202f; ${counted(removed, "retirée", "retirées")}, ${counted(skipped, "écartée", "écartées")}. Durée\u00a0: ${seconds.toLocaleString("fr", { maximumFractionDigits: 1 })}\u00a0s.`,
  failed: "La dernière lecture a échoué.",
  particulars: "Précisions",
  readNow: "Lire maintenant",
  readForced: "Lire et accepter ce retrait",
  readForcedConfirm: "Plus de la moitié des pages seront retirées de l’index. Continuer\u202f?",
  feeds: "Sources",
  feedsHint: "Où lire les pages de la documentation.",
  kinds: {
    site: "Site entier",
    sitemap: "Plan du site",
    llms: "Fichier llms.txt",
    pages: "Pages désignées",
    git: "Dépôt Git",
    upload: "Fichiers envoyés",
    crawl: "Liens à suivre",
    dir: "Dossier du serveur",
  },
  namedPages: (count: number) => counted(count, "page", "pages"),
  noFeed: "Aucune source pour le moment.",
  lastRead: (at: string) => `Lu le ${at}`,
  neverRead: "Pas encore lu",
  under: (baseUrl: string) => `publié sous ${baseUrl}`,
  readAs: (generator: Generator) => `lu comme un site ${siteGenerators[generator].name}`,
  remove: "Retirer",
  removeNamed: (name: string) => `Retirer ${name}`,
  removeFeedConfirm: "Retirer cette source et ses pages de l’index\u202f?",
  feedSettings: "Réglages",
  feedSettingsOf: (address: string) => `Réglages de ${address}`,
  linkedDocuments: {
    label: "Lire aussi les documents liés (PDF, DOCX, ODT)",
    hint: "Ceux que les pages désignent par un lien, sur les sites du projet, 500 au plus. Un lien mène le visiteur à la bonne page du PDF.",
  },
  withDocuments: "avec les documents liés",
  files: "Fichiers",
  sendFiles: "Envoyer et lire",
  filesLabel: "Fichiers à lire",
  filesHint: (kinds: readonly string[], megabytes: number) =>
    `${kinds.join(", ")}, ou un ZIP qui en contient, même dans un autre ZIP\u202f; ${megabytes}\u00a0Mo au plus par envoi. Un fichier du même nom est remplacé.`,
  servedFiles:
    "Guichet sert lui-même ces fichiers, en pièces jointes\u00a0: toute personne qui en a l’URL peut les télécharger, et les passages cités y mènent.",
  standingFiles: (address: string) =>
    `Les passages cités mènent à ces fichiers sous ${address}\u00a0: publiez-les là sous les mêmes noms.`,
  filesSent: "Les fichiers sont gardés\u00a0: leur lecture commence.",
  fileRemoved: "Le fichier est retiré\u00a0: sa page quitte l’index à cette lecture.",
  noFile: "Aucun fichier pour le moment.",
  filesLeftOut: "Fichiers des ZIP qui n’ont pas été gardés",
  filesLeftOutHint:
    "Corrigez-les, puis envoyez à nouveau le ZIP sous le même nom, ou ces fichiers seuls\u00a0: ils quittent alors cette liste.",
  removeFileConfirm: "Retirer ce fichier, et sa page de l’index\u202f?",
  servedByGuichet: "servis par Guichet",
  protectedSite: "Site protégé",
  protectedHint:
    "Ce que le site demande avant de montrer ses pages, par exemple «\u00a0Cookie\u00a0: session=…\u00a0» ou «\u00a0Authorization\u00a0: Basic …\u00a0». Envoyé en https, au nom de domaine de cette source seulement, même après une redirection.",
  protectedWarning:
    "Tout ce qui est lu ainsi pourra être cité à n’importe quel visiteur de votre site, sans mot de passe. N’indiquez qu’un accès dont toutes les pages peuvent être publiques.",
  definedHeaders: (names: readonly string[]) => `En-têtes définis\u00a0: ${names.join(", ")}`,
  newFeed: "Ajouter une source",
  otherKind: "Choisir un autre type",
  further: "Autres choix",
  tryAnother:
    "Rien n’a encore pu être lu\u00a0: indiquez une autre URL ou, pour un site sans plan, choisissez «\u00a0Liens à suivre\u00a0». Une source qui ne convient pas se retire de la liste.",
  kindHints: {
    site: "Toutes ses pages\u00a0: leur plan (sitemap) est trouvé tout seul.",
    sitemap: "Un fichier sitemap.xml, quand il n’est pas trouvé tout seul.",
    llms: "Un fichier qui liste les pages, en Markdown.",
    crawl: "Pour un site sans plan\u00a0: ses liens sont suivis depuis une page.",
    pages: "Quelques pages, indiquées une par une.",
    git: "Les fichiers dont un générateur (Hugo, MkDocs…) fait le site.",
    upload: "PDF, Word, OpenDocument ou Markdown, depuis votre ordinateur.",
  } satisfies Record<Exclude<KindName, "dir">, string>,
  address: "URL",
  onSite,
  addressHints: {
    crawl: `La page où commencer. ${onSite}`,
    pages: `Celle du site. ${onSite}`,
    git: "En https, et s’il le faut avec sa branche et son dossier\u00a0: https://git.exemple.fr/docs.git#main:guide.",
    upload:
      "Si ces fichiers sont aussi sur votre site\u00a0: l’URL de leur dossier. Sinon, laissez vide\u00a0: Guichet les sert lui-même.",
  } as Partial<Record<KindName, string>>,
  baseUrl: "URL sous laquelle ses pages sont publiées",
  baseUrlHint: "Sur un site déclaré du projet. Sans elle, celle du site.",
  gitToken: {
    label: "Jeton d’accès",
    hint: "Pour un dépôt privé\u00a0: un jeton qui ne permet que de lire ce dépôt, seul ou sous la forme «\u00a0nom:jeton\u00a0». Il est gardé chiffré, et n’est plus montré.",
  },
  gitTokenKept: "Un jeton est enregistré. Un autre le remplace.",
  crawlDepth: "Profondeur\u00a0: liens depuis la première page",
  crawlPages: "Nombre de pages au plus",
  crawlMost: (most: number) => `De 1 à ${number(most)}.`,
  crawlParameters: {
    label: "Paramètres d’URL à garder",
    hint: "Un nom par ligne, par exemple id\u00a0: ceux qui distinguent une page d’une autre. Les autres paramètres sont retirés des URL.",
  },
  crawled: (depth: number, pages: number) =>
    `${counted(pages, "page au plus", "pages au plus")}, à ${counted(depth, "lien", "liens")} de la première`,
  keptParameters: (names: readonly string[]) => `Paramètres gardés\u00a0: ${names.join(", ")}`,
  namedPagesHint: "Une URL complète par ligne.",
  include: "Pages à lire",
  exclude: "Pages à exclure",
  patternsHint:
    "Un motif par ligne, par exemple /guide/** ou /blog/*\u00a0: * vaut dans un segment de l’URL, ** à travers. Sans motif, toutes les pages sont lues.",
  onlyPages: (patterns: readonly string[]) => `seulement ${patterns.join(", ")}`,
  withoutPages: (patterns: readonly string[]) => `sans ${patterns.join(", ")}`,
  add: "Ajouter et lire",
  addUpload: "Ajouter, puis envoyer les fichiers",
  schedule: "Rythme",
  scheduleHint: "La documentation est relue d’elle-même\u202f; seul ce qui a changé est réindexé.",
  onDemandHint:
    "La documentation n’est relue que si quelqu’un le demande, ici ou par la commande guichet index. Avec un rythme, elle l’est d’elle-même.",
  every: "Relire la documentation",
  periods: (hours: number) => {
    if (hours % 168 === 0) return hours === 168 ? "chaque semaine" : `toutes les ${hours / 168} semaines`
    if (hours < 1) return `toutes les ${number(Math.round(hours * 60))}\u00a0minutes`
    if (hours % 24 === 0) return hours === 24 ? "chaque jour" : `tous les ${hours / 24} jours`
    return hours === 1 ? "chaque heure" : `toutes les ${hours.toLocaleString("fr")} heures`
  },
  onDemand: "seulement à la demande",
  pagesTitle: "Pages",
  pageTable: { indexed: "Pages indexées", left_out: "Pages écartées" },
  indexedPages: (count: number) => `Indexées (${number(count)})`,
  leftOutPages: (count: number) => `Écartées (${number(count)})`,
  search: "Chercher dans les URL et les titres",
  searchButton: "Chercher",
  page: "Page",
  readAt: "Lue le",
  reason: "Raison",
  noPage: "Aucune page ici.",
  formats: {
    pdf: "PDF",
    docx: "Document Word",
    odt: "Document OpenDocument",
    openapi: "Description d’API (OpenAPI)",
  },
  pageKinds: { news: "Actualités ou versions", legal: "Page légale", reference: "Référence technique" },
  pageKindsHint:
    "Les pages qui portent une mention (actualités et notes de version, pages légales, référence technique) passent après les autres, sauf quand la question les demande.",
  whatWasRead: "Ce qui a été lu",
  whatWasReadOf: (title: string) => `Le texte de la page «\u00a0${title}\u00a0» dont viennent les réponses.`,
  textRead: "Texte lu",
  textGoesOn: "Le texte lu continue\u202f; seul son début est montré.",
  leftOutParts: "Parties laissées de côté",
  noLeftOutPart: "Aucune partie n’a été laissée de côté.",
  part: "Partie",
  reasons: {
    robots: "Le fichier robots.txt du site interdit de la lire.",
    noindex: "Elle demande elle-même à ne pas être indexée (noindex).",
    too_large: "Elle est trop grande.",
    not_found: "Elle n’existe plus à cette URL.",
    unreadable: "Son contenu n’est pas lisible comme du texte.",
    not_html: "Ce n’est ni une page ni un document qui se lit (PDF, DOCX, ODT, OpenAPI).",
    not_markdown: "C’est une page HTML dans un dossier de pages Markdown, où elles seules sont lues.",
    empty: "Elle ne contient pas de texte de documentation.",
    redirect: "Elle ne fait que mener à une autre page.",
    list: "Elle ne fait que mener à d’autres pages.",
    duplicate: "La même page a déjà été lue.",
    foreign_host: "Elle n’est pas sur un site déclaré du projet.",
    not_published: "Elle n’est pas encore publiée, ou ne l’est plus.",
    trap: "Son URL a la forme d’une suite sans fin\u00a0: calendrier, filtres combinés, segments répétés, ou paramètre qui n’est pas suivi.",
    limit: "Elle dépasse une limite de ce qui est lu.",
    not_kept: "Ce fichier d’un ZIP n’a pas été gardé à l’envoi.",
    excluded: "Un motif de la source l’exclut.",
    too_complex: "Son analyse dépasse la limite de temps ou de mémoire.",
    scanned:
      "C’est un document numérisé\u00a0: il ne contient que des images. Faites-en reconnaître le texte (OCR), puis publiez-le à nouveau.",
    encrypted: "Elle ne s’ouvre qu’avec un mot de passe\u00a0: publiez-la sans.",
    failed: "Elle n’a pas pu être lue cette fois\u00a0: sa dernière version connue est gardée.",
  },
}

function outOf(total: number): string {
  return ` sur ${number(total)}`
}

function number(value: number): string {
  return value.toLocaleString("fr")
}

/** French takes the singular up to 1,9, zero included. */
function counted(count: number, one: string, many: string): string {
  return `${count === 0 ? "aucune" : number(count)}\u00a0${Math.abs(count) < 2 ? one : many}`
}
