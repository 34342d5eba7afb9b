export const visitorFields: Record<string, Record<string, string>> = {
  AskRequest: {
    project: "Identifiant du projet interrogé.",
    question: "Question du visiteur, de 2 à 1 000 caractères ; les blancs qui l’entourent ne comptent pas.",
    page: "Chemin de la page ouverte, par exemple `/tarifs` ; ses passages sont légèrement favorisés.",
    previous:
      "Identifiants des réponses précédentes de la conversation, trois au plus. Un identifiant inconnu ou de plus de deux heures est ignoré.",
  },
  AskReply: {
    id: "Identifiant de la réponse, à passer dans `previous` à la question suivante.",
    status: "`answered` quand la documentation répond, `no_answer` sinon.",
    answer: "Réponse en Markdown simple ; un repère `[^n]` renvoie à la source de même numéro.",
    sources: "Passages réellement cités ; vide quand `status` vaut `no_answer`.",
  },
  SearchRequest: {
    project: "Identifiant du projet interrogé.",
    q: "Ce que le visiteur a tapé, de 1 à 200 caractères ; le dernier mot peut n’en être que le début.",
    page: "Chemin de la page ouverte, commençant par `/`, de 512 caractères au plus\u00a0: la version de la documentation où chercher.",
  },
  FoundPages: {
    items: "Pages trouvées, la meilleure d’abord, huit au plus.",
    "items.url": "URL complète de la page.",
    "items.sections": "Ses sections qui ont les mots cherchés, quatre au plus.",
    "items.sections.title": "Titre de la section.",
    "items.sections.url": "URL complète de la section, ancre comprise s’il y en a une.",
    "items.sections.excerpt":
      "Le texte autour des mots cherchés ; `null` pour une section trouvée par son titre.",
    "items.sections.excerpt.text": "L’extrait, en texte.",
  },
  Feedback: {
    useful: "Vrai si la réponse a aidé le visiteur.",
    reason: "Pourquoi elle n’a pas aidé, si le visiteur l’a dit.",
  },
  OpenedPassage: {
    n: "Numéro du passage ouvert, dans l’ordre de `related`, de 1 à 3. Chacun ne compte qu’une fois.",
  },
  RelatedPages: {
    items:
      "D’un `no_answer`, trois passages au plus qui peuvent aider, d’abord celui qui aurait été cité ; d’un `answered`, deux au plus, ceux qui viennent après les passages cités. Aucun après l’une de vos réponses.",
    "items.url": "URL complète de la page.",
    "items.excerpt":
      "Les lignes du passage qui sont les plus proches de la question, en Markdown simple, 400 caractères au plus ; absentes s’il n’a rien qui se lise. Celles d’un `no_answer` ne sont pas sûres : dites-le, « Peut-être ici ».",
  },
  Error: {
    error: "Ce qui ne va pas.",
    "error.code": "Code stable, destiné aux programmes.",
    "error.message": "Phrase en français, à afficher telle quelle.",
    "error.fields": "Pour chaque champ en faute, une phrase qui dit quoi corriger.",
  },
  WidgetSettings: {
    title: "Titre de la fenêtre, 60 caractères au plus ; `null` pour celui d’usage.",
    introduction:
      "Phrase montrée avant la première question, 300 caractères au plus ; `null` pour celle d’usage.",
    color: "Couleur du bouton et des liens, comme `#0b5c8a` ; `null` pour celle d’usage.",
    position: "Coin de la page où se tient le bouton : `right` ou `left`.",
    theme: "Thème\u00a0: `light`, `dark`, ou `site` pour celui de la page.",
    button: "Texte du bouton, 40 caractères au plus\u202f; `null` pour celui d’usage.",
    language: "Langue de la fenêtre\u00a0: `fr`, `en`, ou `null` pour celle de la page.",
    logo: "URL d’une image d’un site déclaré, montrée sur les pages des formulaires ; `null` pour aucune.",
    search: "Vrai si la fenêtre commence par une recherche de pages, que Ctrl + K ouvre aussi.",
    look: "Apparence de la fenêtre et des formulaires\u00a0: `guichet`, ou `dsfr` pour le système de design de l’État, réservé à ses sites.",
    state_site: "Vrai si le propriétaire confirme que le site est un site de l’État, ce que `dsfr` demande.",
    contact_form:
      "Identifiant du formulaire proposé quand la documentation ne répond pas ; `null` pour aucun.",
    contact_field:
      "Nom du champ qui reçoit la question ; `null` pour la première zone de texte du formulaire.",
    seen_at:
      "Dernière fois qu’une page a chargé la fenêtre, à une minute près ; `null` si aucune ne l’a fait.",
    answers_offered: "Messages des 30 derniers jours avant l’envoi desquels une réponse a été montrée.",
    messages_spared: "Ceux de ces messages qui n’ont alors pas été envoyés.",
  },
  Widget: {
    title: "Titre de la fenêtre ; `null` pour celui d’usage.",
    introduction: "Phrase montrée avant la première question ; `null` pour celle d’usage.",
    color: "Couleur du bouton et des liens ; `null` pour celle d’usage.",
    text_color: "Blanc ou noir, selon ce qui se lit le mieux sur `color`.",
    position: "Coin de la page où se tient le bouton : `right` ou `left`.",
    theme: "Thème\u00a0: `light`, `dark`, ou `site` pour celui de la page.",
    button: "Texte du bouton\u202f; `null` pour celui d’usage.",
    language: "Langue de la fenêtre\u00a0: `fr`, `en`, ou `null` pour celle de la page.",
    project_language: "Langue du projet, pour une page qui ne dit pas la sienne.",
    texts: "Textes de la fenêtre qui nomment le site.",
    "texts.fr": "Les mêmes, en français.",
    ...widgetTexts("fr"),
    "texts.en": "Les mêmes, en anglais.",
    ...widgetTexts("en"),
    contact: "Vrai si le visiteur peut écrire au propriétaire du site.",
    search: "Vrai si la fenêtre commence par une recherche de pages.",
    look: "Apparence\u00a0: `guichet` ou `dsfr`.",
    style: "Règles CSS de cette apparence et de la couleur choisie, que la fenêtre ajoute aux siennes.",
    started:
      "Instant signé de cette réponse, à passer en demandant le formulaire ; absent si le visiteur ne peut pas écrire.",
  },
  ContactForm: {
    form: "Identifiant public du formulaire, à envoyer à `/f/` suivi de lui.",
    html: "Le formulaire en HTML, sans URL d’envoi.",
    field: "Nom du champ qui reçoit la question ; `null` si le formulaire n’en a pas.",
    started: "Valeur de `guichet_started`, à joindre à l’envoi.",
  },
  CheckedMessage: {
    text: "Texte que le visiteur s’apprête à envoyer ; ses 1 000 premiers caractères sont lus.",
  },
  MessageAnswer: {
    status: "`answered` s’il y a une réponse à ce texte, `no_answer` sinon.",
    answer:
      "Réponse en Markdown simple : votre réponse s’il y en a une, sinon ce que cite la documentation ; vide s’il n’y en a pas.",
  },
}

function widgetTexts(language: "fr" | "en"): Record<string, string> {
  const of = `texts.${language}`
  return {
    [`${of}.assistant`]: "Titre d’usage de la fenêtre.",
    [`${of}.searching`]: "Ce qui est affiché pendant la recherche.",
    [`${of}.notice`]: "Avertissement au pied de la fenêtre.",
    [`${of}.write`]: "Texte du bouton qui ouvre le formulaire de contact.",
    [`${of}.write_failed`]: "Ce qui est affiché quand ce formulaire ne s’ouvre pas.",
    [`${of}.thanks`]: "Ce qui est affiché après un avis.",
    [`${of}.why`]: "Ce qui est demandé après « Pas utile ».",
    [`${of}.reasons`]: "Texte de chaque raison.",
    [`${of}.reasons.wrong`]: "Elle est fausse.",
    [`${of}.reasons.incomplete`]: "Elle est incomplète.",
    [`${of}.reasons.outdated`]: "Elle n’est plus à jour.",
    [`${of}.reasons.other`]: "Une autre raison.",
  }
}
