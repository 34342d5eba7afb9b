import { retryScheduleIn } from "../../webhooks/messages/retry-schedule.ts"
import { counted } from "../../wording/counted.fr.ts"
import { testReceiverName } from "../../wording/endpoint-name.fr.ts"

/** The sentences of the pages about endpoints, their deliveries and the test receiver. */

const { attempts, wholeHours } = retryScheduleIn("fr")

export const words = {
  webhooks: "Webhooks",
  intro: `Chaque message reçu par un formulaire est envoyé, signé, à ces destinations. Un envoi qui échoue est tenté de nouveau\u00a0: ${attempts}\u00a0tentatives en tout, sur un peu plus de ${wholeHours}.`,
  byToken: "Votre application vient plutôt lire les messages et les questions par l’API\u202f?",
  makeToken: "Créez-lui un jeton d’accès",
  newEndpoint: "Ajouter une destination",
  url: "URL",
  urlHint: "En https, port 443, avec un nom de domaine public. Par exemple https://app.exemple.fr/guichet.",
  description: { label: "Description", hint: "Pour vous y retrouver\u00a0: elle n’est pas envoyée." },
  add: "Ajouter la destination",
  limits: "N’envoyer que les messages de certains formulaires",
  limitsHint: "Sans choix, ceux de tous les formulaires.",
  whose: "Projets et formulaires dont les messages sont envoyés",
  everyProject: "Tous les projets, présents et à venir",
  moreBoxes: "Enregistrez d’abord\u00a0: ce qui n’est pas enregistré est perdu en changeant de page.",
  moreBoxesLater: "Les autres pourront être choisis une fois la destination ajoutée.",
  emptiedHint:
    "Les formulaires qui avaient été choisis n’existent plus\u00a0: rien n’est envoyé à cette destination tant que vous n’en choisissez pas d’autres.",
  everyForm: "Tous les formulaires",
  limitedTo: (names: string) => `Seulement\u00a0: ${names}`,
  limitedToNothing: "Aucun formulaire\u00a0: ceux qui avaient été choisis n’existent plus",
  formOf: (form: string, project: string) => `${form} (${project})`,
  wholeProject: (name: string) => `Tous ceux du projet «\u00a0${name}\u00a0»`,
  events: "Événements envoyés",
  eventNames: {
    "form.response.created": "Message reçu par un formulaire",
    "endpoint.failing": "Une autre destination est en panne",
    "project.index_failed": "Une documentation n’a pas pu être lue",
    "questions.unanswered": "Questions sans réponse, chaque jour",
  },
  testType: "Événement",
  turns: "Ordre et débit",
  inOrder: "Un message après l’autre, dans l’ordre",
  inOrderHint:
    "Le suivant ne part qu’une fois le précédent livré, abandonné ou annulé\u00a0: un message en échec retient tous les autres.",
  rate: {
    label: "Messages au plus",
    hint: "Répartis sur la période\u202f; vide, aussi vite que votre application répond.",
  },
  ratePer: "Par",
  ratePeriods: { second: "seconde", minute: "minute", hour: "heure" },
  waitsForRate: "en attente de son tour",
  waitsForOrder: "en attente de la livraison ",
  theOneBefore: "qui est avant elle",
  waitedTooLong: "aucune\u00a0: annulée après 30\u00a0jours d’attente de son tour, elle peut être renvoyée",
  waitsShort: "attend son tour",
  isHeld: (held: string, isOne: boolean) =>
    isOne ? "1\u00a0message est en attente de " : `${beginning(held)} messages sont en attente de `,
  theFirstOne: "cette livraison",
  isHeldEnd: "\u00a0: elle part d’abord. La renvoyer ou l’annuler libère les suivantes.",
  cancelDelivery: "Annuler",
  cancelDeliveryConfirm: "Ne plus tenter cette livraison\u202f?",
  cancelledOne: "La livraison est annulée.",
  conditions: "Conditions sur les valeurs",
  conditionsHint:
    "D’un formulaire choisi ici, seuls partent les messages dont le champ a l’une de ces valeurs. Le tri se fait à l’arrivée du message\u00a0: ce qui attend déjà part quand même.",
  newCondition: "Champ d’une nouvelle condition",
  noCondition: "(aucun)",
  offerValues: "Proposer ses valeurs",
  conditionOn: (field: string, form: string) => `«\u00a0${field}\u00a0», ${form}`,
  valuesHint: "Valeurs, une par ligne. Sans aucune, la condition est retirée.",
  ticked: "case cochée",
  ownHeaders: "En-têtes personnalisés",
  headersHint: "Par exemple une clé que demande votre passerelle.",
  hiddenValue: "(chiffrée, jamais affichée)",
  inactive: "désactivée",
  manage: "Gérer",
  endpoint: "Destination",
  saved: "Les réglages de la destination sont enregistrés.",
  removed: "La destination est supprimée.",
  created: "La destination est enregistrée.",
  secretTitle: "Secret de signature",
  secretOnce:
    "Voici le secret qui signe les messages. Il n’est affiché qu’une fois\u00a0: copiez-le maintenant dans votre application.",
  secret: "Secret",
  secretHint:
    "Le secret prouve que les messages viennent de Guichet. Renouvelez-le s’il a pu être vu\u00a0: l’ancien continue de signer pendant 24\u00a0heures, à côté du nouveau.",
  renew: "Renouveler le secret",
  renewConfirm: "Renouveler le secret de cette destination\u202f?",
  renewed: "Le secret est renouvelé. L’ancien signe encore pendant 24\u00a0heures.",
  settings: "Réglages de la destination",
  state: "Envois",
  stateActive: "Envoyer les messages à cette destination",
  stateInactive: "Ne rien envoyer (ce qui attend est annulé et pourra être rejoué)",
  test: "Envoyer un message d’essai",
  testHint: "Un message au format réel, aux données inventées, envoyé par le même chemin que les autres.",
  replay: "Rejouer les échecs",
  since: "Depuis le",
  replayed: (count: number) =>
    count === 0
      ? "Il n’y avait rien à rejouer."
      : count === 1
        ? "Une livraison est rejouée."
        : `${count} livraisons sont rejouées.`,
  remove: "Supprimer la destination",
  removeHint: "Plus rien ne lui sera envoyé, et ce qui attend est annulé.",
  removeConfirm: "Supprimer cette destination\u202f?",

  states: {
    pending: "en attente",
    delivered: "livrée",
    failed: "échouée",
    cancelled: "annulée",
  },
  failing: "en échec (réessayée ou abandonnée)",
  seeFailing: "Voir les livraisons en échec",
  deliveryTo: (endpoint: string, form: string | undefined) =>
    form === undefined ? `Livraison à ${endpoint}` : `Livraison à ${endpoint}, de «\u00a0${form}\u00a0»`,
  testDeliveryTo: (endpoint: string) => `Livraison à ${endpoint}, d’un message d’essai`,
  toRemovedAddress: "une destination supprimée",
  lastAttempt: (result: string) => `Dernière tentative\u00a0: ${result}.`,
  lastAttemptAt: (place: string, result: string) => `Dernière tentative (${place})\u00a0: ${result}.`,
  place: (ip: string, port: string) => `${ip}, port\u00a0${port}`,
  messageHint: "webhook-id",
  removedAddress: "destination supprimée",
  createdAt: "Créée",
  nextAttempt: "Prochaine tentative",
  noNext: "aucune",
  inFlight: "en cours",
  noAttempt: "Aucune tentative n’a encore été faite.",
  kinds: { automatic: "automatique", manual: "manuelle" },
  withStatus: (outcome: string, status: number) => `${outcome} (HTTP ${status})`,
  redirected: (status: number) => `redirection refusée (HTTP ${status})`,
  milliseconds: (ms: number) => `${ms.toLocaleString("fr")}\u00a0ms`,
  answerTo: (number: number) => `Tentative ${number}`,
  emptyAnswer: "(corps vide)",
  payload: "Contenu envoyé",
  payloadErased: "Le contenu a été effacé, avec le message reçu ou après 30\u00a0jours.",
  resend: "Renvoyer",
  resendHint: "Le même message est envoyé tout de suite, avec le même webhook-id.",
  alreadyDelivered:
    "Ce message a déjà été livré. Une application qui suit le format reconnaît son webhook-id et ne le traite pas deux fois. Le renvoyer quand même\u202f?",
  resendOneAnyway: "Renvoyer quand même",
  cannotResend: (reason: string) => `Cette livraison ne peut pas être renvoyée. ${reason}`,
  resentOne: "Le message part maintenant.",
  tested: "Le message d’essai part maintenant.",
  endpoints: "Destinations",
  deliveries: "Livraisons",

  // How a destination fares
  good: "fonctionne",
  idle: "pas encore utilisée",
  warn: "tentatives en échec",
  bad: "messages abandonnés",
  day: "24\u00a0heures",
  week: "7\u00a0jours",
  delivered: "livrés",
  failedAttempts: "tentatives échouées",
  deliveredOf: (number: number) => (number < 2 ? "livré" : "livrés"),
  failedOf: (number: number) => counted(number, "tentative échouée", "tentatives échouées"),
  givenUpOf: (number: number) => counted(number, "abandonné", "abandonnés"),
  pending: "En attente",
  atLeast: (number: number) => `plus de ${number.toLocaleString("fr")}`,
  number: (number: number) => number.toLocaleString("fr"),
  lastDelivered: "Dernière réussite",
  neverDelivered: "aucune",
  failingSince: (since: string, answer: string) =>
    `Depuis le ${since}, aucune tentative n’a réussi. Dernier résultat\u00a0: ${answer}.`,
  someFailed: (failed: number) =>
    `${counted(failed, "tentative a échoué", "tentatives ont échoué")} depuis 24\u00a0heures.`,
  recovered: (since: string | undefined) =>
    since === undefined ? "Fonctionne de nouveau." : `Fonctionne de nouveau depuis le ${since}.`,
  failedBefore: (failed: number) =>
    `Avant cela, ${counted(failed, "tentative avait échoué", "tentatives avaient échoué")} en 24\u00a0heures\u202f; plus rien n’attend d’être réessayé.`,
  stillTried: (retried: string) => `Guichet réessaie tout seul ce qui a échoué (${retried}).`,
  abandoned: (number: string, isOne: boolean) =>
    isOne
      ? `1\u00a0message n’a pas pu être livré après ${attempts}\u00a0tentatives\u00a0: Guichet ne l’enverra plus de lui-même.`
      : `${beginning(number)} messages n’ont pas pu être livrés après ${attempts}\u00a0tentatives\u00a0: Guichet ne les enverra plus de lui-même.`,
  replayThem: "Les rejouer",
  toReplay: (number: string) => `${number} à rejouer`,
  sparkline: (delivered: number, failed: number) =>
    `30\u00a0jours\u00a0: ${counted(delivered, "livraison", "livraisons")}, ${counted(failed, "tentative échouée", "tentatives échouées")}`,
  dayColumn: "Jour",

  // The log
  columns: {
    chosen: "Choisir",
    at: "Date",
    person: "Personne",
    endpoint: "Destination",
    state: "État",
    result: "Résultat",
    attempts: "Tentatives",
    number: "N°",
    kind: "Type",
    duration: "Durée",
  },
  choose: (person: string) => `Choisir la livraison de ${person}`,
  nobody: "(effacé ou sans nom)",
  testMessage: "message d’essai",
  testsIncluded: "Messages d’essai compris.",
  removedForm: "formulaire supprimé",
  ofEight: (made: number) => `${made}/8`,
  beingResent: "renvoi en cours",
  chooseAll: "Tout cocher sur cette page",
  resendChosen: "Renvoyer les livraisons choisies",
  noneChosen: "Choisissez au moins une livraison.",
  someDelivered: (number: number) =>
    number === 1
      ? "Une des livraisons choisies a déjà été livrée. Une application qui suit le format reconnaît son webhook-id et ne la traite pas deux fois. Renvoyer quand même\u202f?"
      : `${number} des livraisons choisies ont déjà été livrées. Une application qui suit le format reconnaît leur webhook-id et ne les traite pas deux fois. Renvoyer quand même\u202f?`,
  resendAnyway: (number: number) => `Renvoyer ${counted(number, "livraison", "livraisons")}`,
  resent: (number: number) =>
    number === 0
      ? "Rien n’a été renvoyé."
      : `${counted(number, "livraison est renvoyée", "livraisons sont renvoyées")} maintenant.`,
  notResent: (number: number) =>
    `${counted(number, "livraison ne peut pas être renvoyée", "livraisons ne peuvent pas être renvoyées")}\u00a0: contenu effacé, ou destination désactivée ou supprimée.`,
  kept: "Les livraisons sont gardées 30\u00a0jours.",
  noDelivery: "Aucune livraison ne correspond à ce choix.",
  noDeliveryYet:
    "Aucune livraison pour le moment\u00a0: elles apparaîtront dès qu’un formulaire sera rempli.",
  cutShort:
    "La recherche s’est arrêtée avant la fin\u00a0: elle a déjà parcouru beaucoup de messages. Précisez-la, ou voyez la page suivante.",
  filter: {
    title: "Autres filtres",
    all: "Toutes",
    failing: "En échec",
    form: "Formulaire",
    period: "Période",
    text: "Personne, valeur saisie ou webhook-id",
    any: "tous",
    anyEndpoint: "toutes",
    show: "Afficher",
    reset: "Tout afficher",
  },
  periods: { "1": "24 heures", "7": "7 jours", "30": "30 jours" },
  results: {
    "2xx": "2xx (livré)",
    "3xx": "3xx (redirection)",
    "4xx": "4xx (refusé)",
    "5xx": "5xx (erreur)",
    timeout: "délai dépassé",
    dns: "nom introuvable",
    connection: "connexion impossible",
    tls: "certificat refusé",
    protocol: "réponse HTTP illisible",
    private_address: "réseau privé",
    interrupted: "interrompu",
  },
  exactly: (status: string) => `HTTP ${status}`,

  // One delivery
  formResponse: "Message reçu",
  openResponse: "Ouvrir le message reçu",
  siblings: "Autres destinations",
  siblingsHint: "Le même message aux autres destinations.",
  requestHeaders: "En-têtes de la requête",
  notSent: "Aucune requête n’est partie.",
  derivedHeaders:
    "Reconstitués\u00a0: Guichet ne garde pas les requêtes. L’hôte (host) est celui de l’URL actuelle, l’agent (user-agent) celui de la version installée, et vos en-têtes ceux d’aujourd’hui. L’horodatage (webhook-timestamp) est l’heure où la tentative a commencé\u00a0: la signature vient juste avant l’envoi, 10\u00a0secondes plus tard au plus.",
  notKept: "v1,… (recalculée à chaque tentative, jamais gardée)",
  requestBody: "Corps de la requête",
  responseHeaders: "En-têtes de la réponse HTTP",
  responseBody: "Corps de la réponse HTTP",
  noHeaders: "Aucun en-tête.",
  noResponse: "L’application n’a rien répondu.",
  erasedAnswer: "Effacé, ou rien n’a été gardé.",
  shortened: (shown: string, whole: string) =>
    `Les ${shown} premiers caractères sur ${whole}\u00a0: l’API donne le contenu entier.`,
  curl: "La même requête avec curl",
  curlHint:
    "Sans signature valable\u00a0: pour voir si votre application est joignable. Un renvoi, lui, est signé.",

  // Replay
  replayTitle: "Rejouer",
  replayIntro: (all: string, cancelled: string, counts: { failed: number; cancelled: number }) =>
    `Livraisons qui peuvent repartir\u00a0: ${all}${ofCancelled(cancelled, counts)}. Messages d’essai compris.`,
  replayNothing:
    "Depuis ce jour, aucune livraison n’a été abandonnée ou annulée\u00a0: il n’y a rien à rejouer.",
  replayWaiting: (number: string, isOne: boolean) =>
    isOne
      ? "1\u00a0livraison attend sa prochaine tentative, que Guichet fera de lui-même. Elle peut aussi être renvoyée sans attendre, depuis «\u00a0Livraisons\u00a0»."
      : `${beginning(number)} livraisons attendent leur prochaine tentative, que Guichet fera de lui-même. Elles peuvent aussi être renvoyées sans attendre, depuis «\u00a0Livraisons\u00a0».`,
  seeWaiting: "Voir ce qui attend",
  replaySinceHint: "Le jour où la livraison a été abandonnée ou annulée.",
  replayCount: "Compter",
  replayHint:
    "Renvoie les livraisons comptées plus haut\u00a0: celles qui ont échoué ou ont été annulées, y compris ce qui est arrivé pendant que la destination était désactivée.",
  testFirst: "D’abord un message d’essai",
  testFirstHint:
    "Un seul, aux données inventées, montre si l’application répond de nouveau avant que tout reparte.",
  testPending: "Le message d’essai est en route…",
  testGood: "Le message d’essai est passé\u00a0: l’application répond.",
  testBad: (outcome: string) => `Le message d’essai a échoué\u00a0: ${outcome}. Rien d’autre n’est reparti.`,
  testWarning:
    "Le message d’essai vient d’échouer\u00a0: le reste échouera sans doute aussi. Corrigez d’abord l’application.",
  replayAnyway: "Rejouer quand même",
  replayResults: (delivered: number, failed: number, stopped: number) =>
    `${counted(delivered, "livrée", "livrées")}, ${failed.toLocaleString("fr")}\u00a0en échec${alsoStopped(stopped)}`,
  replayRunning: (sent: string, all: string, results: string | undefined) =>
    results === undefined
      ? `${sent} sur ${all} sont parties.`
      : `${sent} sur ${all} sont parties\u00a0: ${results}.`,
  replayDone: (results: string | undefined) =>
    results === undefined
      ? "Tout est parti. Les résultats sont dans «\u00a0Livraisons\u00a0»."
      : `C’est fini\u00a0: ${results}.`,
  neverSent: "Messages déjà reçus",
  neverSentHint: (number: string, exactly: number) =>
    exactly === 1
      ? "Un message reçu ces 30\u00a0derniers jours n’a jamais été envoyé à cette destination."
      : `${beginning(number)} messages reçus ces 30\u00a0derniers jours n’ont jamais été envoyés à cette destination.`,
  sendNeverSent: "Envoyer les messages déjà reçus",
  cancelReplay: "Arrêter",
  cancelled: (number: number) =>
    number === 0
      ? "Tout était déjà parti."
      : `${counted(number, "livraison ne partira", "livraisons ne partiront")} pas.`,
  seeDeliveries: "Voir les livraisons",

  // The test receiver
  testReceiver: testReceiverName,
  testReceiverIntro:
    "Une destination dans Guichet même\u00a0: elle reçoit les vrais messages, signés, par le même chemin qu’une application, et montre ce qui arrive. Idéale pour commencer, ou pour simuler une panne.",
  addTestReceiver: "Créer la boîte d’essai",
  addOwn: "Ajouter mon application",
  requests: "Requêtes reçues",
  noRequest:
    "Rien n’est encore arrivé. Un formulaire rempli ou un message d’essai paraîtra ici, sans recharger la page.",
  nowYours: "Votre application peut recevoir la même chose.",
  requestsKept:
    "Les 50 dernières requêtes, pendant 24\u00a0heures. Elles sont effacées avec le message reçu.",
  answerTitle: "Ce qu’elle répond",
  answerHint: "Pour voir comment Guichet se comporte quand une application va mal.",
  answers: {
    ok: "200\u00a0: tout va bien",
    error: "500\u00a0: une erreur",
    redirect: "302\u00a0: une redirection (comptée comme un échec)",
    silence: "rien pendant 20\u00a0secondes (délai dépassé)",
  },
  answered: "La boîte d’essai répondra ainsi dès maintenant.",
  signatures: {
    right: "signature valide",
    wrong: "signature non valide",
    late: "signature valide, horodatage trop ancien",
  },
  headers: "En-têtes",
  body: "Corps",

  // Code to verify
  verify: "Vérifier la signature",
  verifyHint:
    "Le code qui vérifie un message, avec votre secret\u202f; curl en envoie un, signé, à votre URL. Mettez le secret dans une variable d’environnement avant de publier ce code.",
}

function ofCancelled(text: string, { failed, cancelled }: { failed: number; cancelled: number }): string {
  if (cancelled === 0) return ""
  if (failed === 0) return cancelled < 2 ? ", annulée" : ", toutes annulées"
  return cancelled < 2 ? `, dont ${text} annulée` : `, dont ${text} annulées`
}

function alsoStopped(stopped: number): string {
  return stopped === 0 ? "" : `, ${counted(stopped, "arrêtée", "arrêtées")}`
}

/** A number, in words or not, at the beginning of a sentence. */
function beginning(number: string): string {
  return number.charAt(0).toUpperCase() + number.slice(1)
}
