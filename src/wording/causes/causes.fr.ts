import type { FailureCause } from "../../outbound/failure.ts"
import { type FailedAttempt, type RefusalKind, refusalCause } from "../../webhooks/messages/refusal-cause.ts"

/** Why an attempt had no answer: a name for lists and within sentences, and what the owner can do. */
interface Cause {
  name: string
  advice: string
}

export const causes: Readonly<Record<FailureCause, Cause>> = {
  dns_not_found: {
    name: "nom de domaine introuvable",
    advice: "Vérifiez le nom de domaine de l’URL, et sa zone DNS\u00a0: aucun serveur n’y est déclaré.",
  },
  dns_unavailable: {
    name: "serveurs DNS sans réponse",
    advice:
      "Les serveurs DNS de ce domaine n’ont pas répondu. C’est souvent passager\u202f; sinon, voyez avec votre bureau d’enregistrement.",
  },
  refused: {
    name: "connexion refusée",
    advice:
      "Aucun serveur ne répond à cette adresse IP, ou elle est injoignable\u00a0: démarrez votre application ou son serveur web, ouvrez le port 443, et vérifiez que la zone DNS donne la bonne adresse IP.",
  },
  unreachable: {
    name: "machine injoignable",
    advice:
      "Le réseau ne mène pas à cette adresse IP\u00a0: vérifiez que la machine est en marche, puis son pare-feu et la zone DNS.",
  },
  closed: {
    name: "connexion coupée",
    advice:
      "La connexion a été coupée avant toute réponse\u00a0: consultez le journal de votre application, puis celui du serveur web ou du pare-feu placé devant elle.",
  },
  connection_timeout: {
    name: "pas de connexion en 10\u00a0secondes",
    advice:
      "L’adresse IP ne répond pas, souvent à cause d’un pare-feu\u00a0: ouvrez le port 443, et vérifiez que la zone DNS donne la bonne adresse IP.",
  },
  answer_timeout: {
    name: "pas de réponse en 10\u00a0secondes",
    advice:
      "La connexion a abouti, mais la réponse a trop tardé\u00a0: votre application doit répondre 2xx tout de suite, et traiter le message ensuite.",
  },
  certificate_expired: {
    name: "certificat expiré",
    advice:
      "Faites renouveler le certificat de ce serveur, puis rechargez le serveur web s’il présente encore l’ancien.",
  },
  certificate_not_yet_valid: {
    name: "certificat pas encore valable",
    advice: "Attendez le début de sa validité, ou faites-en émettre un autre.",
  },
  certificate_name: {
    name: "certificat d’un autre nom",
    advice:
      "Faites ajouter le nom de domaine de l’URL au certificat, ou enregistrez une URL dont le nom y figure.",
  },
  certificate_self_signed: {
    name: "certificat auto-signé",
    advice:
      "Faites émettre un certificat par une autorité reconnue\u00a0: Let’s Encrypt, par exemple, est gratuite.",
  },
  certificate_chain: {
    name: "chaîne de certificats incomplète",
    advice:
      "Le serveur doit envoyer ses certificats intermédiaires avec le sien (souvent le fichier «\u00a0fullchain.pem\u00a0»)\u202f; s’il le fait déjà, l’autorité n’est pas reconnue.",
  },
  plain_http: {
    name: "pas de HTTPS sur ce port",
    advice: "Le serveur répond sans chiffrement\u00a0: activez HTTPS (TLS) sur le port 443.",
  },
  tls_version: {
    name: "version de TLS trop ancienne",
    advice: "Activez TLS 1.2 ou 1.3 sur ce serveur.",
  },
  tls_handshake: {
    name: "chiffrement refusé",
    advice:
      "Le serveur a refusé la connexion chiffrée\u00a0: vérifiez ses réglages TLS, et qu’il connaît le nom de domaine de l’URL.",
  },
  not_http: {
    name: "réponse qui n’est pas du HTTP",
    advice: "Ce n’est pas un serveur web qui répond\u00a0: vérifiez quel programme occupe le port 443.",
  },
  answer_too_large: {
    name: "réponse trop longue",
    advice:
      "Plus de 64\u00a0Ko sont arrivés sans statut HTTP\u00a0: vérifiez quel programme occupe le port 443.",
  },
  proxy: {
    name: "serveur mandataire en échec",
    advice:
      "Le serveur mandataire par lequel passent les envois n’a pas ouvert la connexion\u00a0: la personne qui administre Guichet en trouvera la raison dans le journal du service.",
  },
}

/** How the owner mends what a receiver answered with a failing status. `named` is what the cause names. */
const refusals: Readonly<Record<RefusalKind, (named: string | null) => string>> = {
  redirect: (url) =>
    url === null
      ? "Les redirections ne sont pas suivies\u00a0: enregistrez l’URL définitive."
      : `Les redirections ne sont pas suivies\u00a0: enregistrez l’URL définitive, ${url}.`,
  redirectToItself: () =>
    "Votre application redirige vers la même URL, car elle se croit appelée sans HTTPS\u00a0: le serveur web placé devant elle doit lui transmettre X-Forwarded-Proto, et elle doit en tenir compte.",
  redirectToSignIn: (url) =>
    `Votre application demande de se connecter (redirection vers ${url})\u00a0: rendez cette URL accessible sans connexion\u202f; la signature prouve d’où vient le message.`,
  csrf: () =>
    "La protection CSRF de votre application refuse le message, qui ne vient pas d’un de ses formulaires\u00a0: désactivez-la pour cette URL (csrf_exempt dans Django ou Flask-WTF, ignoringRequestMatchers dans Spring)\u202f; la signature la remplace.",
  csrfOrSignature: () =>
    "Votre application a refusé le message\u00a0: si elle protège ses formulaires (CSRF) ou filtre les requêtes, désactivez-le pour cette URL\u202f; sinon, vérifiez qu’elle connaît le secret actuel de cette destination, et que son horloge est à l’heure.",
  signature: () =>
    "Votre application a refusé le message\u00a0: vérifiez qu’elle connaît le secret actuel de cette destination, qu’elle calcule la signature sur le corps brut et non sur le JSON réécrit, et que son horloge est à l’heure.",
  authentication: () =>
    "Un mot de passe ou un jeton est demandé devant votre application\u00a0: rendez cette URL accessible sans lui, ou ajoutez l’en-tête Authorization à cette destination.",
  allowedHosts: () =>
    "Django répond ainsi quand le nom de domaine de l’URL manque dans ALLOWED_HOSTS\u00a0: ajoutez-le\u202f; s’il y est, le journal de Django dit ce qui ne va pas.",
  host: () =>
    "Votre application ne connaît pas le nom de domaine de l’URL\u00a0: ajoutez-le aux noms qu’elle accepte (TRUSTED_HOSTS dans Flask, allowed_hosts dans FastAPI).",
  appendSlash: () =>
    "Django attend une URL qui finit par «\u00a0/\u00a0» (APPEND_SLASH)\u00a0: enregistrez-la ainsi\u202f; si elle finit déjà ainsi, le journal de Django donne l’erreur.",
  unreadable: () =>
    "Votre application n’a pas su lire le message\u00a0: elle doit lire le corps JSON, et non les champs d’un formulaire ou les paramètres de l’URL.",
  mediaType: () =>
    "Votre application refuse le JSON à cette URL\u00a0: faites-lui accepter application/json.",
  field: (field) =>
    field === null
      ? "Votre application attend autre chose\u00a0: adaptez-la au message tel qu’il est envoyé (type, timestamp, data, dans le corps JSON)."
      : `Votre application attend «\u00a0${field}\u00a0»\u00a0: adaptez-la au message tel qu’il est envoyé (type, timestamp, data, dans le corps JSON).`,
  method: (methods) =>
    methods === null
      ? "Votre application n’accepte pas POST à cette URL\u00a0: ajoutez-le, ou vérifiez le chemin et le «\u00a0/\u00a0» final."
      : `Votre application n’accepte pas POST à cette URL, mais ${methods}\u00a0: ajoutez-le, ou vérifiez le chemin et le «\u00a0/\u00a0» final.`,
  notFound: () =>
    "Votre application ne connaît pas cette URL\u00a0: vérifiez son chemin, et qu’elle y accepte POST.",
  alreadySeen: () =>
    "Si ce message était déjà reçu, votre application doit répondre 2xx\u00a0: un renvoi porte le même webhook-id.",
  size: () =>
    "Votre serveur refuse une requête de cette taille\u00a0: acceptez 256\u00a0Ko (client_max_body_size dans nginx, limit dans Express, MAX_CONTENT_LENGTH dans Flask).",
  rate: () => "Votre serveur limite le nombre de requêtes\u00a0: relevez cette limite pour Guichet.",
  gateway: () =>
    "Le serveur web placé devant votre application n’arrive pas à la joindre\u00a0: vérifiez qu’elle est démarrée, et sur quel port il la cherche.",
  server: () => "L’erreur est dans votre application\u00a0: son journal, à cette heure-là, dit laquelle.",
  refused: () =>
    "Votre application refuse le message\u00a0: sa réponse, plus bas, et son journal disent pourquoi. Elle doit répondre 2xx une fois le message traité.",
}

/** Advice to the owner about a failed attempt at `url`; undefined where there is nothing to say. */
export function adviceFor(attempt: FailedAttempt, url: string | undefined): string | undefined {
  if (attempt.cause !== null) return causes[attempt.cause].advice
  const refusal = refusalCause(attempt, url)
  return refusal && refusals[refusal.kind](refusal.named)
}
