import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { insertProject } from "../../src/accounts/project.ts"
import { type NewProject, newProject } from "../../src/accounts/projects/record.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { fieldsOf } from "../../src/http/record/fields.ts"
import { type Api, apiOf } from "./api.ts"
import { indexFolder, origin } from "./ask.ts"
import { type Service, temporaryFolder } from "./service.ts"
import { aService } from "./service-builder.ts"

const v2 = { name: "v2", label: "Version 2", rule: "/v2/" }
const v1 = { name: "v1", label: "Version 1", rule: "/v1/" }
/** The first is the default. */
export const editions = [v2, v1]

export const port = "Quel est le port par défaut du serveur ?"
/** What one version alone, or neither, answers. */
export const ofVersion1 = "Comment envoyer un fax ?"
export const ofVersion2 = "Comment partager le tableau de bord ?"
export const ofBoth = "Quelle est la licence du logiciel ?"

const settings = (version: number, port: number) =>
  `# Réglages du serveur\n\n## Port par défaut\n\nEn version ${version}, le port par défaut du serveur est ${port}.\n`

/** Two versions that contradict one another, and a page of both. */
const pages: Record<string, string> = {
  "v1/reglages.md": settings(1, 3000),
  "v2/reglages.md": settings(2, 4000),
  "v1/fax.md": "# Envoyer un fax\n\nPour envoyer un fax, branchez le télécopieur sur la prise rouge.\n",
  "v2/tableau.md":
    "# Partager le tableau de bord\n\nPour partager le tableau de bord, ouvrez le menu Partage et copiez le lien.\n",
  "licence.md": "# Licence\n\nLa licence du logiciel est la licence publique de l’Union européenne.\n",
}

/** A service with a documentation in two versions. */
export interface VersionedSite extends Service {
  projectId: string
  api: Api
  /** What a visitor gets who asks on a page of `from`. */
  ask(
    page: string | undefined,
    question: string,
    more?: { previous?: string[]; from?: string },
  ): Promise<Answered>
  /** Addresses that a search on a page finds. */
  search(page: string | undefined, q: string): Promise<string[]>
}

export interface Answered {
  id: string
  answer: string
  status: string
  /** Paths of its sources. */
  sources: string[]
}

export async function versionedSite(
  changes: Partial<NewProject> = { editions },
  texts: Record<string, string> = pages,
  settings: Record<string, string> = { GUICHET_EMBEDDING: "none" },
): Promise<VersionedSite> {
  const service = await aService().withSettings(settings).started()
  const { app, url } = service
  const wanted = fieldsOf({ name: "Guide", site: origin, ...changes }, newProject)
  const { id } = await insertProject(app.db, await defaultWorkspaceId(app.db), wanted, app.clock.now())
  using folder = temporaryFolder()
  for (const [name, text] of Object.entries(texts)) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true })
    writeFileSync(join(folder.path, name), text)
  }
  const api = await apiOf(service)
  const project = { id, origins: [origin] } as Parameters<typeof indexFolder>[1]
  await indexFolder(app, { ...project, language: "fr", answers: "extractive" }, folder.path)
  const post = async (path: string, from: string, fields: object) => {
    const response = await fetch(url + path, {
      method: "POST",
      headers: { "content-type": "application/json", origin: from },
      body: JSON.stringify({ project: id, ...fields }),
    })
    const body = await response.json()
    if (!response.ok) throw new Error(JSON.stringify(body))
    return body
  }
  return Object.assign(service, {
    projectId: id,
    api,
    async ask(page: string | undefined, question: string, { previous = [] as string[], from = origin } = {}) {
      const body = await post("/api/v1/ask", from, { question, page, previous })
      return { ...body, sources: body.sources.map(pathOf) }
    },
    async search(page: string | undefined, q: string) {
      return (await post("/api/v1/search", origin, { q, page })).items.map(pathOf)
    },
  })
}

export function pathOf({ url }: { url: string }): string {
  return new URL(url).pathname
}
