import type { words as english, Node } from "./english/checks.en.ts"
import type { Translation } from "./wording.ts"

/** The result of a check of the service, in French. */
export const words: Translation<typeof english> = {
  databaseAway: "Non vérifié\u00a0: la base de données est inaccessible.",
  databaseReadOnly: "Elle refuse les écritures\u00a0: vérifiez l’espace libre du disque.",
  databasePooled:
    "Les sessions ne sont pas conservées entre les requêtes\u00a0: PgBouncer doit être en mode session (pool_mode = session).",
  databaseWritable: "Elle accepte les écritures.",
  databaseSound: "Elle est saine et accepte les écritures.",
  databaseDamaged: "Elle est abîmée\u00a0: restaurez une sauvegarde.",
  indexesOutdated: ({ projects }) => `Le service les reconstruit\u00a0: ${projects.join(", ")}.`,
  indexesMissing: ({ projects }) =>
    `Projets avec une source à lire et sans index\u00a0: ${projects.join(", ")}.`,
  vectorsFollow: ({ projects }) =>
    `Les mots répondent, la recherche par le sens se prépare\u00a0: ${projects.join(", ")}.`,
  indexesPresent: "Chaque projet lu a son index.",
  storageNotSet: "Il n’est pas configuré\u00a0: les index restent sur cette machine.",
  storageWorks: ({ milliseconds }) => `Un fichier y est écrit, relu et effacé (${milliseconds} ms).`,
  storageForgets: "Ce qui vient d’y être écrit ne peut pas être relu.",
  diskFree: ({ megabytes }) => `${spaceText(megabytes)} libres.`,
  diskNearlyFull: ({ megabytes, least }) =>
    `${spaceText(megabytes)} libres\u00a0: en dessous de ${spaceText(least)}, les envois de formulaires sont refusés.`,
  backupYours:
    "Elles sont à votre charge\u00a0: PostgreSQL se sauvegarde de son côté (pg_dump), et la clé secrète se garde à part.",
  backupNotSet:
    "Aucune n’est faite\u00a0: donnez un dossier à GUICHET_BACKUP_DIR, ou lancez vous-même guichet backup.",
  backupNone: ({ folder }) =>
    `Il n’y en a aucune dans ${folder}\u00a0: voyez le journal du service (back up).`,
  backupMade: ({ hours, megabytes, folder }) =>
    `La dernière date de ${hours.toLocaleString("fr")} h et fait ${spaceText(megabytes)}, dans ${folder}.`,
  backupLate: ({ hours, megabytes, folder }) =>
    `La dernière date de ${hours.toLocaleString("fr")} h et fait ${spaceText(megabytes)}, dans ${folder}\u00a0: voyez le journal du service (back up), l’espace libre et les droits de ce dossier.`,
  clock: ({ now }) => `Il est ${secondText(now)} (UTC).`,
  clockApart: ({ now, seconds }) =>
    `Il est ${secondText(now)} (UTC)\u202f; cette machine ${seconds > 0 ? "avance" : "retarde"} de ${Math.abs(seconds).toLocaleString("fr")} s sur PostgreSQL\u00a0: réglez les deux par NTP.`,
  clockSetBack: ({ now, seconds }) =>
    `Il est ${secondText(now)} (UTC), ${seconds} s avant ce qui est enregistré\u00a0: l’horloge a reculé.`,
  namesResolved: "Les noms de domaine sont trouvés.",
  namesNotResolved: ({ error }) => `Les noms de domaine ne sont pas trouvés (${error}).`,
  mailNotSet: "Il n’est pas configuré\u00a0: aucun e-mail n’est envoyé.",
  mailAccepted: "Le serveur accepte les e-mails de ce service.",
  mailRefused: ({ error }) => `Le serveur d’e-mails ne convient pas\u00a0: ${error}`,
  noModel: "Aucun\u00a0: les réponses sont tirées de la documentation.",
  meaningOff: "Non\u00a0: les passages sont trouvés par leurs mots seuls.",
  meaningReady: ({ milliseconds, busyQuestions }) =>
    `Le modèle intégré fonctionne (${milliseconds} ms par question).${busyFor(busyQuestions)}`,
  meaningProvider: "Les vecteurs viennent du modèle de votre fournisseur.",
  meaningBroken: ({ why }) =>
    `Les passages sont trouvés par leurs mots seuls\u00a0: le modèle intégré ne fonctionne pas (${why}). Le service le réessaie de lui-même\u202f; vérifiez la mémoire libre, et que le dossier BUN_TMPDIR a de la place et permet d’y exécuter un programme. GUICHET_EMBEDDING=none s’en passe.`,
  meaningBusy: ({ questions }) =>
    `Les passages sont trouvés par leurs mots seuls pour le moment\u00a0: le modèle intégré est trop occupé, pour ${questionCount(questions)} jusqu’ici. Un processeur de plus y remédie.`,
  meaningUnsupported: ({ why }) =>
    `Les passages sont trouvés par leurs mots seuls\u00a0: ${why}, dont le modèle intégré a besoin. Choisissez une machine qui l’a, ou mettez GUICHET_EMBEDDING à none pour vous en passer.`,
  noAvx2: "le processeur n’a pas AVX2",
  modelEnded: "son processus s’est arrêté",
  modelTime: "il a pris trop de temps",
  modelMemory: ({ megabytes }) => `il a pris plus de ${megabytes} Mo de mémoire`,
  authorities: ({ count }) =>
    `Cette machine fait confiance à ${count.toLocaleString("fr")} autorités de certification.`,
  authoritiesNone:
    "Cette machine n’a aucune autorité de certification, seules celles de Guichet servent\u00a0: installez ca-certificates.",
  authoritiesUnread: ({ setting, path, error }) =>
    `${setting}=${path} est inutilisable (${error})\u00a0: indiquez un fichier PEM que le service peut lire.`,
  forwardingTrusted: ({ proxies }) =>
    proxies
      ? `X-Forwarded-For est accepté depuis ${proxies}, et n’est venu de nulle part ailleurs depuis un jour.`
      : "X-Forwarded-For n’est accepté de personne, et n’est venu de nulle part depuis un jour.",
  forwardingUntrusted: ({ at, proxies }) =>
    `Le ${secondText(at)} (UTC), X-Forwarded-For est venu d’ailleurs que de ${proxies || "vos proxys"}\u00a0: ajoutez votre proxy à GUICHET_TRUSTED_PROXIES, sinon tous les visiteurs comptent pour un seul.`,
  publicUrlLocal: ({ url }) => `${url}\u00a0: donnez à GUICHET_PUBLIC_URL l’URL que les visiteurs utilisent.`,
  publicUrlLeadsHere: ({ url }) => `${url} mène bien ici.`,
  publicUrlTls: ({ url, why }) => `${url}\u00a0: ${why}`,
  publicUrlLeadsElsewhere: ({ url, status }) =>
    `${url} répond HTTP ${status}\u00a0: ce n’est pas ce service.`,
  deliveriesDue: ({ seconds }) => oldest(seconds),
  deliveriesStuck: ({ seconds }) => oldest(seconds),
  deliveriesOnTime: "Rien n’est en retard.",
  answersFine: "Chacune de vos réponses a ses sources, et aucune évaluation n’a baissé.",
  answersSetAside: ({ projects }) =>
    `Certaines de vos réponses ne sont plus données, car leurs sources ont quitté l’index\u00a0: ${projects.join(", ")}.`,
  answersFell: ({ projects }) => `L’évaluation a baissé\u00a0: ${projects.join(", ")}.`,
  node: nodeLine,
  unlikeNode: ({ arithmetic, ...node }) =>
    `${nodeLine(node)} Son processeur (${arithmetic}) calcule autrement que celui d’une autre machine\u00a0: leurs vecteurs diffèrent un peu, et une question peut recevoir une autre réponse selon la machine. Prenez des machines au même processeur.`,
  noResult: ({ seconds }) => `Pas de résultat en ${seconds} s.`,
}

function busyFor(count: number): string {
  return count === 0 ? "" : ` Il a été trop occupé pour ${questionCount(count)} depuis le démarrage.`
}

function nodeLine({ host, version, id, seconds }: Node): string {
  return `${host}, version ${version}, dernier signe de vie il y a ${seconds.toLocaleString("fr")} s (${id}).`
}

function questionCount(count: number): string {
  return `${count.toLocaleString("fr")} ${count < 2 ? "question" : "questions"}`
}

function oldest(seconds: number): string {
  return `La plus ancienne attend depuis ${seconds.toLocaleString("fr")} s.`
}

/** `412 Mo`, `68 Go`. */
function spaceText(megabytes: number): string {
  const [size, unit] = megabytes < 10_000 ? [megabytes, "Mo"] : [Math.floor(megabytes / 1024), "Go"]
  return `${size.toLocaleString("fr")}\u00a0${unit}`
}

/** `2026-11-20 15:20:25` */
function secondText(time: string): string {
  return time.replace("T", " ").replace(/\.\d+Z$/, "")
}
