import type { words as english } from "./tls.en.ts"

/** Why the certificate or the encryption of a server cannot be trusted, and what helps, in French. */
export const words: typeof english = {
  certificate_expired: () =>
    "Le certificat du serveur a expiré\u00a0: faites-le renouveler\u202f; s’il est à jour, réglez l’horloge de cette machine.",
  certificate_not_yet_valid: () =>
    "Le certificat du serveur n’est pas encore valable\u00a0: réglez l’horloge de cette machine, ou attendez.",
  certificate_name: () =>
    "Le certificat du serveur est fait pour un autre nom\u00a0: utilisez ce nom, ou faites ajouter celui-ci au certificat.",
  certificate_self_signed: () =>
    `Le certificat du serveur est signé par lui-même ou par une autorité à lui\u00a0: ${addAuthority}`,
  certificate_chain: () =>
    `Personne que cette machine connaisse ne se porte garant du certificat du serveur\u00a0: faites envoyer par le serveur ses certificats intermédiaires\u202f; s’il le fait, ${addAuthority}`,
  plain_http: () =>
    "Le serveur ne parle pas TLS sur ce port\u00a0: vérifiez le port et le début de l’URL (http:// ou https://, smtp:// ou smtps://).",
  tls_version: () =>
    "Le serveur ne parle aucune version de TLS encore sûre\u00a0: faites-lui parler TLS 1.2 ou 1.3.",
  tls_handshake: () =>
    "Le chiffrement n’a pas pu être convenu avec le serveur\u00a0: vérifiez le port et le début de l’URL (http:// ou https://, smtp:// ou smtps://), puis ses réglages TLS.",
}

const addAuthority =
  "ajoutez cette autorité à celles de la machine (update-ca-certificates), ou nommez son fichier PEM dans NODE_EXTRA_CA_CERTS."
