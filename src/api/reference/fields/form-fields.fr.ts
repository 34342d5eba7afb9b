import { retryScheduleIn } from "../../../webhooks/messages/retry-schedule.ts"

const formResponse = {
  id: "Identifiant du message reçu.",
  form_id: "Identifiant du formulaire.",
  form_public_id: "Identifiant public du formulaire.",
  form_name: "Nom du formulaire.",
  values:
    "Une valeur par champ, sous son nom de variable ; une case cochée vaut `oui`. Un champ `file` vaut les noms de ses fichiers, un par ligne ; dans le message d’un webhook, leurs liens, un par ligne, valables 30 jours.",
  email: "Adresse e-mail donnée dans le formulaire, ou `null`.",
  consent: "Preuve du consentement ; `null` si la case n’est pas cochée.",
  "consent.status": "`pending` tant que le lien de confirmation n’a pas été suivi, `confirmed` sinon.",
  "consent.text": "Texte du consentement montré à la personne.",
  "consent.at": "Date à laquelle la case a été cochée.",
  page: "URL de la page d’origine, sans paramètres.",
  created_at: "Date de réception.",
  progress: "Avancement : `todo`, `doing` ou `done`.",
  assignee: "Identifiant de l’opérateur qui s’en occupe, ou `null`.",
  files: "Fichiers joints, dans l’ordre de l’envoi ; un message indésirable n’en garde pas.",
  "files.id": "Identifiant du fichier.",
  "files.field": "Nom de variable du champ.",
  "files.name": "Nom du fichier, nettoyé, avec une extension de son type.",
  "files.media_type": "Type du fichier, jugé sur son contenu.",
  "files.bytes": "Taille en octets.",
}
const notes = {
  notes: "Notes de l’espace, les plus anciennes d’abord.",
  "notes.id": "Identifiant de la note.",
  "notes.author": "Qui l’a écrite : le nom qu’avait l’opérateur ou le jeton.",
  "notes.text": "Texte de la note.",
  "notes.created_at": "Date de la note.",
}

export const formFields: Record<string, Record<string, string>> = {
  Form: {
    id: "Identifiant du formulaire.",
    public_id: "Identifiant public, dans l’URL à laquelle les pages envoient.",
    project: "Identifiant du projet auquel appartient le formulaire.",
    name: "Nom du formulaire.",
    fields: "Champs, dans l’ordre où ils s’affichent.",
    "fields.name":
      "Nom de variable : minuscules, chiffres et `_` ; `page`, `consent` et `guichet_…` sont réservés.",
    "fields.label": "Libellé affiché.",
    "fields.type":
      "Type du champ ; `paragraph` est un texte à lire entre les champs, son libellé, sur plusieurs lignes s’il le faut ; `page` commence une étape de la page du formulaire. Ni l’un ni l’autre n’a de valeur.",
    "fields.required": "Vrai si le champ est obligatoire.",
    "fields.help": "Texte d’aide, sous le libellé.",
    "fields.placeholder": "Exemple affiché dans le champ vide.",
    "fields.min": "Plus petite valeur acceptée, pour le type `number` seulement.",
    "fields.max": "Plus grande valeur acceptée, pour le type `number` seulement.",
    "fields.integer": "Vrai pour n’accepter que des nombres entiers, pour le type `number` seulement.",
    "fields.accept":
      "Types de fichiers acceptés, jugés sur leur contenu, pour le type `file` seulement ; `pdf`, `image` et `document` sans rien.",
    "fields.files": "Nombre de fichiers au plus, 10 au plus, pour le type `file` seulement ; 1 sans rien.",
    "fields.megabytes":
      "Taille de chaque fichier en Mo, 20 au plus, pour le type `file` seulement ; 10 sans rien. Un envoi en porte 25 en tout.",
    "fields.when":
      "Quand le champ s’affiche et est demandé ; sans elle, toujours. Sinon, sa valeur est vide.",
    "fields.when.match": "`all` : toutes les conditions ; `any` : l’une d’elles suffit.",
    "fields.when.conditions": "Conditions sur les réponses à des champs qui viennent avant.",
    "fields.when.conditions.field": "Nom de variable d’un champ qui vient avant.",
    "fields.when.conditions.test":
      "`is` : a l’une des valeurs ; `is_not` : n’en a aucune ; `filled` : est rempli ou coché.",
    "fields.when.conditions.values": "Valeurs à comparer, `oui` pour une case cochée ; aucune avec `filled`.",
    "fields.options": "Choix proposés, pour les types à choix seulement.",
    "fields.options.value":
      "Valeur envoyée ; aucune ne figure deux fois, et aucune ne contient de virgule dans `checkboxes`.",
    "fields.options.label": "Libellé du choix.",
    consent: "Case de consentement ; `null` pour aucune.",
    "consent.text": "Texte affiché à côté de la case.",
    "consent.confirmation":
      "Vrai pour faire confirmer par un lien envoyé par e-mail ; il faut alors un champ `email`.",
    redirect_url: "Page vers laquelle le navigateur continue après l’envoi.",
    retention_days: `Nombre de jours de conservation des messages reçus, 2 au moins, car la dernière tentative d’une livraison vient après ${retryScheduleIn("fr").lastAfter} ; \`null\` pour les garder.`,
    notify: "Adresses e-mail prévenues à chaque nouveau message, dix au plus ; chacune confirme d’abord.",
    notify_pending: "Celles qui n’ont pas encore confirmé, et ne reçoivent rien.",
    notify_contents: "Vrai si ces e-mails montrent ce qui a été saisi, faux s’ils ne contiennent qu’un lien.",
    owner_mail:
      "La première adresse e-mail de `notify` et `notify_contents`, pour les programmes d’avant ; `null` pour aucune.",
    "owner_mail.to": "Adresse e-mail prévenue.",
    "owner_mail.contents": "Vrai si l’e-mail montre ce qui a été saisi, faux s’il ne contient qu’un lien.",
    hosted: "Vrai si le formulaire a sa propre page, à l’URL `action`.",
    receipt: "Vrai pour envoyer un accusé de réception à la personne ; il faut alors un champ `email`.",
    button: "Texte du bouton d’envoi ; `null` pour le texte habituel.",
    thanks: "Remerciement affiché après l’envoi ; `null` pour le texte habituel.",
    opens_at:
      "Date à partir de laquelle le formulaire prend des messages, dans le fuseau de Guichet sans autre précision ; `null` pour aucune.",
    closes_at:
      "Date à partir de laquelle il n’en prend plus (409), un jour seul comptant jusqu’à sa fin ; `null` pour aucune.",
    max_responses:
      "Nombre de messages qu’il prend au plus (409 ensuite), sans les indésirables ; un message effacé rend sa place. `null` pour ne pas limiter.",
    proof_of_work:
      "Vrai si le navigateur doit fournir une preuve de travail avant l’envoi (JavaScript est alors nécessaire, et l’assistant ne propose pas ce formulaire).",
    prefill:
      "Vrai si l’URL de sa page peut remplir ses champs par leur nom de variable (`?prenom=Camille`), jamais les champs `hidden` et `file` ni la case de consentement.",
    action: "URL à laquelle une page envoie le formulaire, et celle de sa page quand il en a une.",
  },
  FormResponse: formResponse,
  FollowedResponse: { ...formResponse, ...notes },
  FormResponseChange: {
    assignee: "Identifiant d’un membre de l’espace, ou `null` pour personne.",
  },
  NoticeLink: { to: "Adresse e-mail de `notify` qui n’a pas encore confirmé." },
  NewNote: { text: "Texte de la note." },
  Person: { email: "Adresse e-mail de la personne." },
  PersonalData: {
    items: "Messages reçus dans lesquels cette adresse e-mail a été donnée.",
    ...Object.fromEntries(
      Object.entries({ ...formResponse, ...notes }).map(([path, text]) => [`items.${path}`, text]),
    ),
    "items.files.content": "Contenu du fichier, en base64.",
    "items.state": "Reçu, retenu ou indésirable.",
    "items.consent_confirmed_at": "Date à laquelle le lien de confirmation a été suivi.",
    "items.answer_id": "Identifiant de la réponse que la personne avait lue avant d’écrire, ou `null`.",
    "items.question": "Question qu’elle avait posée à l’assistant ; `null` si elle n’est plus gardée.",
  },
  Erased: { erased: "Nombre de messages effacés." },
}
