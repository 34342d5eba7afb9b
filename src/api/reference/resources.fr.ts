/** A page of the reference, and a tag of `openapi.json`. */
export interface Resource {
  title: string
  /** Beginnings of addresses below `/api/v1`, without ids: `projects/feeds`. The longest that fits counts. */
  paths: readonly string[]
  /** Anchors that the one page of before had for what is here now. */
  formerAnchors?: readonly string[]
}

/** By its name, in the order of the menu. */
export const resources = {
  visitors: {
    title: "Questions des visiteurs",
    paths: ["ask", "search", "answers", "projects/widget", "projects/contact"],
    formerAnchors: ["ask"],
  },
  projects: { title: "Projets et apparence", paths: ["projects", "projects/widget-settings"] },
  indexing: {
    title: "Documentation et lectures",
    paths: [
      "projects/feeds",
      "projects/index-runs",
      "projects/documents",
      "projects/pages",
      "projects/left-out-pages",
    ],
  },
  uploads: { title: "Fichiers de la documentation", paths: ["projects/feeds/uploads"] },
  answers: {
    title: "Questions et réponses",
    paths: ["projects/answers", "projects/answer-statistics", "projects/trials"],
  },
  gaps: { title: "Questions sans réponse", paths: ["projects/gaps", "projects/gap-mails"] },
  "chosen-answers": { title: "Vos réponses", paths: ["projects/chosen-answers"] },
  synonyms: { title: "Synonymes", paths: ["projects/synonyms"] },
  evaluation: {
    title: "Évaluation",
    paths: ["projects/evaluation-questions", "projects/evaluation-runs"],
  },
  forms: { title: "Formulaires", paths: ["forms"] },
  responses: {
    title: "Messages reçus",
    paths: ["forms/responses"],
  },
  persons: {
    title: "Données d’une personne",
    paths: ["exports", "erasures"],
    formerAnchors: ["exports", "erasures"],
  },
  endpoints: { title: "Destinations des webhooks", paths: ["endpoints"] },
  deliveries: { title: "Livraisons", paths: ["deliveries", "endpoints/deliveries"] },
  messages: { title: "Messages à relever", paths: ["messages"] },
  tokens: { title: "Jetons", paths: ["tokens"] },
  operators: { title: "Opérateurs", paths: ["operators"] },
  workspaces: {
    title: "Espaces, consommation et journal",
    paths: ["workspaces", "usage", "journal"],
    formerAnchors: ["usage", "journal"],
  },
  service: {
    title: "État du service",
    paths: ["service", "checks", "mail-tests"],
    formerAnchors: ["checks", "mail-tests"],
  },
} satisfies Record<string, Resource>

export type ResourceName = keyof typeof resources

/** `/api/v1/projects/{id}/feeds/{feedId}` → `indexing`. Throws for an address that belongs to none: it is a defect. */
export function resourceAtPath(path: string): ResourceName {
  const nouns = path
    .split("/")
    .slice(3)
    .filter((part) => !/^[:{]/.test(part))
    .map((part) => part.split(".", 1)[0])
  for (const length of [3, 2, 1]) {
    const place = nouns.slice(0, length).join("/")
    const entry = Object.entries(resources as Record<string, Resource>).find(([, { paths }]) =>
      paths.includes(place),
    )
    if (entry) return entry[0] as ResourceName
  }
  throw new Error(`${path} has no place in the reference`)
}
