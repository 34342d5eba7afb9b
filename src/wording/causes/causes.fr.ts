import type { FailureCause } from "../../outbound/failure.ts"

/** Why an attempt had no answer: a name for lists and within sentences, and what the owner can do. */
interface Cause {
  name: string
  advice: string
}

export const causes: Readonly<Record<FailureCause, Cause>> = {
  dns_not_found: {
    name: "nom de domaine introuvable",
    advice: "Vérifiez le nom de l’URL et la zone DNS de ce domaine\u00a0: aucun serveur n’y est déclaré.",
  },
  dns_unavailable: {
    name: "serveurs DNS sans réponse",
    advice:
      "Les serveurs DNS de ce domaine n’ont pas répondu. C’est souvent passager\u202f; sinon, voyez avec votre bureau d’enregistrement.",
  },
  refused: {
    name: "connexion refusée",
    advice:
      "Rien n’écoute à cette adresse IP, ou aucun chemin n’y mène\u00a0: démarrez votre application ou son serveur web, ouvrez le port 443, et vérifiez-la dans la zone DNS.",
  },
  unreachable: {
    name: "machine injoignable",
    advice:
      "Aucun chemin ne mène à cette adresse IP\u00a0: vérifiez que la machine est en marche, son pare-feu et la zone DNS.",
  },
  closed: {
    name: "connexion coupée",
    advice:
      "La connexion a été coupée avant toute réponse\u00a0: regardez le journal de votre application, et du serveur web ou du pare-feu placé devant elle.",
  },
  connection_timeout: {
    name: "pas de connexion en 10\u00a0secondes",
    advice:
      "L’adresse IP ne répond pas, comme derrière un pare-feu qui ignore les connexions\u00a0: ouvrez le port 443, et vérifiez-la dans la zone DNS.",
  },
  answer_timeout: {
    name: "pas de réponse en 10\u00a0secondes",
    advice:
      "La connexion a été prise, mais la réponse n’est pas venue à temps\u00a0: que votre application réponde 2xx tout de suite, et traite le message ensuite.",
  },
  certificate_expired: {
    name: "certificat expiré",
    advice:
      "Faites renouveler le certificat de ce serveur, et rechargez le serveur web s’il montre encore l’ancien.",
  },
  certificate_not_yet_valid: {
    name: "certificat pas encore valable",
    advice: "Attendez le début de sa validité, ou faites-en émettre un autre.",
  },
  certificate_name: {
    name: "certificat d’un autre nom",
    advice:
      "Faites ajouter le nom de l’URL au certificat, ou enregistrez l’URL sous un nom que le certificat porte.",
  },
  certificate_self_signed: {
    name: "certificat auto-signé",
    advice:
      "Faites émettre un certificat par une autorité reconnue\u00a0: Let’s Encrypt, par exemple, est gratuite.",
  },
  certificate_chain: {
    name: "chaîne de certificats incomplète",
    advice:
      "Faites envoyer par le serveur ses certificats intermédiaires avec le sien (souvent «\u00a0fullchain.pem\u00a0»)\u202f; s’il le fait, l’autorité n’est pas reconnue.",
  },
  plain_http: {
    name: "pas de HTTPS sur ce port",
    advice: "Le serveur y répond sans chiffrement\u00a0: activez HTTPS (TLS) sur le port 443.",
  },
  tls_version: {
    name: "version de TLS trop ancienne",
    advice: "Activez TLS 1.2 ou 1.3 sur ce serveur.",
  },
  tls_handshake: {
    name: "chiffrement refusé",
    advice:
      "Le serveur n’a pas voulu de la connexion chiffrée\u00a0: vérifiez ses réglages TLS, et qu’il sert bien le nom de l’URL.",
  },
  not_http: {
    name: "réponse qui n’est pas du HTTP",
    advice: "Autre chose qu’un serveur web répond sur ce port\u00a0: vérifiez ce qui écoute sur le port 443.",
  },
  answer_too_large: {
    name: "réponse trop longue",
    advice: "Plus de 64\u00a0Ko sont venus sans statut HTTP\u00a0: vérifiez ce qui écoute sur le port 443.",
  },
  proxy: {
    name: "serveur mandataire en échec",
    advice:
      "Le serveur mandataire par lequel Guichet sort n’a pas ouvert la connexion\u00a0: la personne qui administre Guichet en trouve la raison dans le journal.",
  },
}

/** Advice to the owner about a status; undefined where it says nothing. */
export function adviceFor(status: number): string | undefined {
  if (status >= 300 && status < 400)
    return "Les redirections ne sont pas suivies\u00a0: enregistrez l’URL définitive."
  if (status === 401 || status === 403)
    return "Votre application n’a pas voulu du message\u00a0: vérifiez qu’elle connaît le secret actuel de cette destination, et que son horloge est à l’heure."
  if (status === 404 || status === 405 || status === 410)
    return "Rien n’attend de message à cette URL\u00a0: vérifiez son chemin, et que votre application y accepte POST."
  if (status === 413) return "Votre serveur refuse une requête de cette taille\u00a0: acceptez 256\u00a0Ko."
  if (status === 429) return "Votre serveur limite les requêtes\u00a0: relevez cette limite pour Guichet."
  if (status >= 500)
    return "L’erreur est dans votre application\u00a0: son journal, à cette heure, dit laquelle."
  return undefined
}
