import type { Check, CheckName } from "../../ops/checks/check.ts"

/** French words of the page with the state of the service. */
export const words = {
  ownOnly:
    "Seul ce qui concerne cet espace est montré. L’état de la machine l’est aux propriétaires du premier espace de l’installation.",
  allWell: "Tout fonctionne.",
  notWell: (count: number) =>
    count === 1 ? "Un point demande votre attention." : `${count} points demandent votre attention.`,
  part: "Élément",
  state: "État",
  detail: "Constat",
  parts: {
    database: "Base de données",
    index: "Index des documentations",
    storage: "Stockage partagé",
    disk: "Espace disque",
    clock: "Horloge",
    dns: "Résolution des noms",
    backup: "Sauvegardes",
    smtp: "Envoi d’e-mails",
    model: "Modèle de langage",
    meaning: "Recherche par le sens",
    authorities: "Autorités de certification",
    proxies: "Proxys de confiance",
    public_url: "URL publique",
    deliveries: "Livraisons en attente",
    answers: "Réponses choisies et évaluation",
    node: "Nœud",
  } satisfies Record<CheckName, string>,
  states: { ok: "bon", warning: "à surveiller", failed: "en défaut" } satisfies Record<
    Check["state"],
    string
  >,
}
