export const webhookFields: Record<string, Record<string, string>> = {
  Endpoint: {
    id: "Identifiant de la destination.",
    kind: "`https` pour votre application, `test` pour la boîte d’essai de Guichet, une par espace et sans `url`.",
    test_answer:
      "Réponse de la boîte d’essai : `ok` (200), `error` (500), `redirect` (302) ou `silence` (rien pendant 20 secondes) ; `null` pour une application.",
    url: "URL de votre application : `https`, port 443, nom de domaine public.",
    description: "Texte libre qui aide à la reconnaître.",
    active: "Faux pour ne plus rien lui envoyer ; ce qui était en attente est annulé.",
    limited: "Vrai si elle ne reçoit que les formulaires de `projects` et `forms`.",
    projects:
      "Projets dont elle reçoit les formulaires ; vide, comme `forms`, pour tous les formulaires de l’espace.",
    forms: "Formulaires qu’elle reçoit, en plus de ceux de `projects`.",
    conditions:
      "Conditions sur les valeurs : d’un formulaire cité ici, seuls partent les messages dont le champ a l’une des valeurs. 10 au plus, jugées à la création du message ; ce qui attend déjà part.",
    "conditions.form": "Formulaire concerné.",
    "conditions.field": "Nom de variable du champ.",
    "conditions.values":
      "Valeurs acceptées, comme elles sont dans `values` : 20 au plus. Pour des cases à cocher, une suffit.",
    headers:
      "En-têtes personnalisés, envoyés avec chaque message : 10 au plus, de 4 096 octets chacun. Leurs valeurs sont chiffrées et jamais montrées ; à l’écriture, la liste remplace la précédente.",
    "headers.name":
      "Nom de l’en-tête. Refusés : ceux que Guichet ou HTTP écrivent (`webhook-*`, `content-*`, `host`, `user-agent`…).",
    "headers.value":
      "Valeur, en ASCII sur une ligne. Absente lors d’une modification, celle qui est enregistrée sous ce nom est gardée, tant que l’URL garde son nom de domaine.",
    events:
      "Événements envoyés : `form.response.created` sans choix ; `endpoint.failing`, `project.index_failed` et `questions.unanswered` si vous les demandez.",
    in_order:
      "Vrai pour un message après l’autre, dans l’ordre : un message en échec retient tous les suivants jusqu’à ce qu’il soit livré, abandonné ou annulé.",
    rate: "Débit : les tentatives automatiques sont réparties sur la période ; `null`, aussi vite que l’application répond.",
    "rate.messages": "Messages par période : de 1 à 1000.",
    "rate.per": "Période : `second`, `minute` ou `hour`.",
    created_at: "Date d’ajout.",
    failing: "Renseigné quand toutes les tentatives échouent depuis 24 heures.",
    "failing.since": "Premier échec de la série.",
    "failing.last_at": "Dernier échec.",
    "failing.answer": "Statut HTTP reçu, issue de la tentative, ou `gone` pour un statut 410.",
    "failing.cause": "Cause du dernier échec, comme celle d’une tentative.",
    secret: "Secret de signature `whsec_…`, montré cette seule fois.",
  },
  TestRequest: {
    id: "Identifiant de la requête reçue.",
    at: "Date de réception.",
    headers: "En-têtes, comme ils sont arrivés.",
    "headers.name": "Nom de l’en-tête.",
    body: "Corps, comme il est arrivé.",
    signature: "`right`, `wrong`, ou `late` quand l’horodatage s’écarte de plus de 5 minutes.",
    answer: "Réponse donnée par la boîte d’essai.",
  },
  Messages: {
    items: "Messages, du plus ancien au plus récent.",
    "items.id": "Identifiant du message, celui de l’en-tête `webhook-id`.",
    "items.body": "Corps exact, celui d’une livraison.",
    next_cursor: "À passer dans `after` la fois suivante, même quand rien n’est venu ; n’expire jamais.",
    more: "Vrai quand il en reste à lire tout de suite.",
  },
  Secret: { secret: "Nouveau secret de signature ; l’ancien signe encore pendant 24 heures." },
  Delivery: {
    id: "Identifiant de la livraison.",
    endpoint_id: "Identifiant de la destination.",
    state: "En attente, livrée, en échec ou annulée.",
    attempts_made: "Tentatives automatiques déjà faites, sur 8.",
    last_cause: "Cause d’échec de la dernière tentative.",
    next_attempt_at: "Date de la prochaine tentative automatique.",
    waits_for:
      "Ce qu’attend une livraison dont c’est le tour plus tard : `order`, une autre avant elle, ou `rate`, le débit ; ses tentatives commencent après. `null` si elle n’attend pas.",
    held_by: "Livraison qui la précède et la retient, pour `order`.",
    cancel_reason:
      "`waited` pour une livraison annulée d’elle-même après 30 jours d’attente de son tour, qui peut être renvoyée\u202f; `null` sinon.",
    attempts: "Tentatives, de la plus ancienne à la plus récente.",
    payload: "Corps exact du message, à l’octet près ; `null` s’il a été effacé.",
  },
  Attempt: {
    number: "Numéro de la tentative.",
    kind: "Automatique, ou demandée à la main.",
    at: "Début de la tentative.",
    outcome: "Issue de la tentative.",
    status: "Statut HTTP reçu, s’il y en a eu un.",
    duration_ms: "Durée, en millisecondes.",
    cause:
      "Pourquoi aucune réponse n’est venue, quand cela a un nom ; `null` si `outcome` dit tout, comme `http_status` et `private_address`, et pour les tentatives d’avant cette version.",
    address: "Adresse IP et port d’une tentative qui a échoué là ; jamais pour `private_address`.",
    response_excerpt: "Début de la réponse reçue.",
    response_headers: "En-têtes de la réponse reçue : 16 au plus, de 200 octets chacun, jamais de cookie.",
    "response_headers.name": "Nom de l’en-tête.",
  },
  DeliveryTaken: { delivery_id: "Identifiant de la livraison à suivre." },
  Replay: {
    messages:
      "`undelivered` (par défaut) pour ce qui n’a pas été livré, `never_sent` pour les messages reçus que la destination n’a jamais eus, comme ceux d’avant son ajout.",
    since:
      "Date à partir de laquelle renvoyer ce qui a échoué, a été annulé ou est arrivé pendant une désactivation.",
  },
  ReplayTaken: {
    count: "Nombre de livraisons qui repartent.",
    replayed_at: "Date du renvoi, qui sert à l’arrêter.",
  },
  ReplayCancellation: { replayed_at: "Date du renvoi à arrêter, donnée à son départ." },
  ReplayCancelled: { count: "Nombre de livraisons qui ne partiront pas." },
  NewTest: { type: "Événement du message d’essai ; `form.response.created` sans choix." },
  EndpointFailing: {
    endpoint_id: "Destination en échec ; jamais celle qui reçoit ce message.",
    url: "Son URL.",
    description: "Sa description.",
    since: "Premier échec de la série.",
    last_at: "Dernier échec.",
    answer: "Statut HTTP reçu, issue de la tentative, ou `gone` pour un statut 410.",
    cause: "Cause du dernier échec, comme celle d’une tentative.",
  },
  ProjectIndexFailed: {
    project_id: "Projet dont la lecture a échoué.",
    project_name: "Son nom.",
    failed_at: "Date de l’échec.",
    message: "Ce qui s’est passé, en français.",
    reason: "Précision, si elle est connue.",
  },
  QuestionsUnanswered: {
    project_id: "Projet concerné.",
    project_name: "Son nom.",
    day: "Jour des questions, dans le fuseau horaire de l’installation.",
    questions: "Questions différentes, de la plus récente à la plus ancienne : 50 au plus.",
    "questions.id": "Identifiant de la réponse qui n’a pas répondu.",
    "questions.question": "Question posée.",
    "questions.asked_at": "Date de la question.",
    more: "Vrai s’il y en a d’autres, dans la console.",
  },
  WebhookMessage: {
    type: "Type d’événement : `form.response.created`.",
    data: "Le message reçu.",
  },
  QuestionsUnansweredMessage: { data: "Les questions." },
  ProjectIndexFailedMessage: { data: "L’échec." },
  EndpointFailingMessage: { data: "La destination en échec." },
}
