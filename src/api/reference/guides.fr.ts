import { retryScheduleIn } from "../../webhooks/messages/retry-schedule.ts"
import { type GuideCode, guideSamples } from "./guide-samples.ts"

/** A guide: paragraphs, and code by language. Text between backquotes is code. */
export interface Guide {
  id: string
  title: string
  steps: readonly { text: string; code?: GuideCode }[]
}

export function listGuides(publicUrl: string): readonly Guide[] {
  const samples = guideSamples(publicUrl)
  const { attempts, wholeHours } = retryScheduleIn("fr")
  return [
    {
      id: "guide-question",
      title: "Poser une question",
      steps: [
        {
          text: "Appelez `POST /api/v1/ask` depuis une page du site du projet ou d’un autre site déclaré. Il n’y a ni jeton ni clé : l’en-tête `Origin`, que le navigateur envoie de lui-même, ouvre la route.",
          code: samples.ask,
        },
        {
          text: "`status` vaut `answered` quand la documentation répond ; chaque repère `[^n]` de `answer` renvoie à la source de même numéro. Il vaut `no_answer` sinon, et `sources` est alors vide : proposez les pages de `POST /api/v1/answers/{id}/related`. Sous un `answered`, la même route donne les passages qui viennent après ceux de la réponse ; dites par `POST /api/v1/answers/{id}/opened` lequel a été ouvert.",
        },
        {
          text: "Pour poursuivre la conversation, passez dans `previous` les `id` des trois dernières réponses. Pour noter une réponse, appelez `POST /api/v1/answers/{id}/feedback`. En cas d’erreur, `error.message` est une phrase en français à afficher telle quelle.",
        },
        {
          text: "Pour recevoir la réponse au fil de sa rédaction, envoyez l’en-tête `Accept` avec `text/event-stream`.",
        },
      ],
    },
    {
      id: "guide-formulaire",
      title: "Recevoir un formulaire",
      steps: [
        {
          text: "Créez le formulaire avec un jeton de la console (ou `guichet token create`).",
          code: samples.newForm,
        },
        {
          text: 'Collez dans une page le code que donne `GET /api/v1/forms/{id}/html` : c’est un `<form>` ordinaire, qui fonctionne sans JavaScript. Vous pouvez aussi envoyer vous-même les valeurs à l’URL `action`, en JSON ; la réponse est alors 201 et `{"id"}`.',
          code: samples.post,
        },
        {
          text: "Lisez ensuite les messages reçus par `GET /api/v1/forms/{id}/responses`, ou faites-les livrer par un webhook.",
        },
      ],
    },
    {
      id: "guide-webhook",
      title: "Recevoir un webhook",
      steps: [
        {
          text: "Déclarez une destination ; la réponse contient le secret de signature, montré cette seule fois. L’URL doit être en `https`, sur le port 443, à un nom de domaine public.",
          code: samples.newEndpoint,
        },
        {
          text: "Vérifiez chaque message comme le dit Standard Webhooks : refusez un `webhook-timestamp` éloigné de plus de 5 minutes, signez `webhook-id.webhook-timestamp.corps` par HMAC-SHA256 avec le secret décodé, et comparez en temps constant avec chaque signature de `webhook-signature`. Répondez 401 si aucune ne convient.",
          code: samples.verify,
        },
        {
          text: `Répondez par un statut 2xx en moins de 10 secondes, même à un \`webhook-id\` déjà vu. Sinon le message est réessayé : ${attempts} tentatives en tout, sur un peu plus de ${wholeHours}. \`POST /api/v1/deliveries/{id}/attempts\` le renvoie à la demande.`,
        },
      ],
    },
  ]
}
