import { recipeCode } from "./recipe-code.ts"

/** How a tool that is not programmed takes what Guichet sends. */
export interface Recipe {
  name: string
  /** Where it was followed to its end; else it says that it was not. */
  tried?: string
  steps: readonly string[]
  verifying: string
  code?: string
}

const destination =
  "Dans Guichet, ajoutez une destination avec cette URL, et gardez son secret. Puis envoyez un message d’essai\u00a0: ses données inventées montrent les champs."
const throughOthers = "Par n8n, Make ou Zapier, qui vérifient la signature comme dit plus haut."

export const words = {
  title: "Brancher n8n, Make, Zapier, Brevo ou Google Sheets",
  link: "Brancher n8n, Make, Zapier…",
  intro:
    "Ces recettes suivent la documentation de chaque outil. Celle de n8n a été essayée dans n8n\u202f; le code des autres l’est avec Guichet, mais pas dans leur outil\u00a0: si un nom y a changé, cherchez le plus proche.",
  untried: "non essayée dans l’outil",
  fields:
    "Ce que la personne a saisi est dans data.values, sous le nom de variable de chaque champ\u202f; son adresse e-mail est dans data.email. Un message peut arriver deux fois\u00a0: data.id permet de ne le traiter qu’une fois.",
  whySign:
    "L’URL que donne un tel outil est secrète, mais qui la connaît peut y envoyer n’importe quoi. La signature prouve que le message vient de Guichet.",
  verifying: "Vérifier la signature",
  code: (name: string) => `Code pour ${name}`,
  recipes: [
    {
      name: "n8n",
      tried: "essayée dans n8n 2.8",
      steps: [
        "Dans un workflow, ajoutez le nœud «\u00a0Webhook\u00a0»\u00a0: méthode POST, réponse «\u00a0When Last Node Finishes\u00a0», option «\u00a0Raw Body\u00a0».",
        "Copiez son URL de production, et activez le workflow\u00a0: l’URL de test ne répond que pendant l’édition.",
        destination,
      ],
      verifying:
        "Ajoutez ensuite un nœud «\u00a0Code\u00a0» (JavaScript) avec ce code et votre secret. Chez vous, n8n doit permettre le module crypto\u00a0: NODE_FUNCTION_ALLOW_BUILTIN=crypto. Si la signature est fausse, le workflow s’arrête et la livraison échoue.",
      code: recipeCode.n8n,
    },
    {
      name: "Make",
      steps: [
        "Dans un scénario, ajoutez «\u00a0Webhooks\u00a0», «\u00a0Custom webhook\u00a0», puis «\u00a0Add\u00a0». Dans les réglages avancés, activez «\u00a0Get request headers\u00a0» et «\u00a0JSON pass-through\u00a0».",
        "Copiez l’URL, et activez le scénario avec une exécution immédiate.",
        destination,
        "Ajoutez «\u00a0JSON\u00a0», «\u00a0Parse JSON\u00a0» pour lire le corps reçu.",
      ],
      verifying:
        "Posez un filtre après le webhook\u00a0: l’en-tête webhook-signature contient cette formule, où SECRET est votre secret sans «\u00a0whsec_\u00a0» et «\u00a0value\u00a0» le corps reçu. Make répond avant le filtre\u00a0: ce qu’il écarte compte comme livré.",
      code: recipeCode.make,
    },
    {
      name: "Zapier",
      steps: [
        "Dans un Zap, choisissez le déclencheur «\u00a0Webhooks by Zapier\u00a0», événement «\u00a0Catch Raw Hook\u00a0» (offre payante)\u00a0: lui seul donne le corps exact et les en-têtes.",
        "Copiez l’URL du déclencheur.",
        destination,
      ],
      verifying:
        "Ajoutez «\u00a0Code by Zapier\u00a0», «\u00a0Run JavaScript\u00a0», avec quatre entrées\u00a0: id, timestamp et signature, les trois en-têtes webhook-…, et body, le corps. Zapier répond toujours que tout va bien\u00a0: «\u00a0livré\u00a0» veut dire reçu, pas traité.",
      code: recipeCode.zapier,
    },
    {
      name: "Brevo",
      steps: [
        "Les webhooks entrants de Brevo ne lisent que le premier niveau du JSON, et les valeurs d’un message sont plus bas\u00a0: passez par n8n, Make ou Zapier.",
        "Après la vérification, ajoutez leur étape Brevo qui crée ou met à jour un contact, avec data.email.",
        "N’inscrivez que les personnes qui l’ont voulu\u00a0: posez un filtre sur data.consent.status, qui doit valoir «\u00a0confirmed\u00a0».",
      ],
      verifying: throughOthers,
    },
    {
      name: "Google Sheets",
      steps: [
        "Passez par n8n, Make ou Zapier, et ajoutez leur étape Google Sheets qui ajoute une ligne, avec les champs de data.values.",
        "Un script Google (Apps Script) ne convient pas directement\u00a0: il répond souvent par une redirection, qui compte comme un échec, et ne voit pas les en-têtes.",
      ],
      verifying: throughOthers,
    },
  ] satisfies Recipe[],
}
