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
    `Le certificat du serveur est auto-signé, ou signé par une autorité interne\u00a0: ${addAuthority}`,
  certificate_chain: () =>
    `Cette machine ne reconnaît pas l’autorité qui a signé le certificat du serveur\u00a0: le serveur doit envoyer ses certificats intermédiaires\u202f; s’il le fait déjà, ${addAuthority}`,
  plain_http: () =>
    "Le serveur ne répond pas en TLS sur ce port\u00a0: vérifiez le port et le début de l’URL (http:// ou https://, smtp:// ou smtps://).",
  tls_version: () =>
    "Le serveur n’accepte aucune version de TLS encore sûre\u00a0: activez-y TLS 1.2 ou 1.3.",
  tls_handshake: () =>
    "La connexion chiffrée n’a pas pu être établie avec le serveur\u00a0: vérifiez le port et le début de l’URL (http:// ou https://, smtp:// ou smtps://), puis ses réglages TLS.",
}

const addAuthority =
  "ajoutez cette autorité à celles de la machine (update-ca-certificates), ou indiquez son fichier PEM dans NODE_EXTRA_CA_CERTS."
