import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { insertProject, type Project } from "../../src/accounts/project.ts"
import type { NewProject } from "../../src/accounts/projects/record.ts"
import { defaultWorkspaceId } from "../../src/accounts/workspace.ts"
import { indexProject } from "../../src/indexing/indexing.ts"
import { saveFeed } from "../../src/reading/feed.ts"
import { manyPosts } from "./many-posts.ts"
import { type Part, type Service, temporaryFolder } from "./service.ts"

/**
 * What a site owner has: a service with a project and its documentation, read and indexed for real, and a
 * site on another port whose pages load the widget and the form helper under a policy that allows nothing
 * else.
 */
export interface Counter extends Service {
  project: Project
  /** Origin of the site, which is declared. */
  site: string
  /** Puts a page on the site and returns its address. `head` stands before the scripts. */
  page(path: string, body?: string, options?: PageOptions): string
}

export interface PageOptions {
  lang?: string
  head?: string
  /** Attributes of the widget's tag. */
  widget?: string
  scripts?: string
  policy?: string
}

const documents: Record<string, string> = {
  "mot-de-passe": `# Mot de passe

## Réinitialiser son mot de passe

Pour réinitialiser votre mot de passe, ouvrez la page de connexion puis suivez le lien « Mot de passe oublié ». Un message vous est envoyé avec un lien valable une heure.

Depuis un terminal, un administrateur réinitialise le mot de passe d’un compte ainsi :

\`\`\`sh
compte mot-de-passe --reinitialiser camille@exemple.fr
\`\`\`

## Choisir un bon mot de passe

- Prenez au moins **douze** caractères.
- N’employez jamais le même mot de passe sur *deux* sites.
- Gardez-le dans un gestionnaire de mots de passe.
`,
  factures: `# Factures

## Télécharger une facture

Chaque facture se télécharge en PDF depuis la page Facturation de votre compte, le lendemain du paiement.

## Délais de paiement

Une facture se paie à trente jours. Passé ce délai, un rappel est envoyé par courrier électronique.
`,
  export: `# Exporter ses données

## Formats d’export

| Format | Contenu |
|---|---|
| CSV | les lignes, une par commande |
| JSON | les commandes avec leurs articles |

L’export complet est préparé pendant la nuit et reste disponible sept jours.
`,
}

export const answerable = "Comment réinitialiser mon mot de passe ?"
export const foreign = "Qui a peint la Joconde ?"

/** For `aService().withWebsite()`. */
export function website(changes: Partial<NewProject> = {}, more: Record<string, string> = {}): Part<Counter> {
  return async (plan) => {
    const pages = new Map<string, { html: string; policy: string }>()
    const server = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch(request) {
        const page = pages.get(new URL(request.url).pathname)
        if (!page)
          return new Response("<!doctype html><title>404</title>", { status: 404, headers: htmlHeaders })
        return new Response(page.html, {
          headers: { ...htmlHeaders, "content-security-policy": page.policy },
        })
      },
    })
    const site = `http://127.0.0.1:${server.port}`
    plan.resources.defer(() => server.stop(true))
    plan.settings = { ...manyPosts, ...plan.settings }
    return async (service) => {
      const { app } = service
      const workspaceId = await defaultWorkspaceId(app.db)
      const project = await insertProject(
        app.db,
        workspaceId,
        { name: "Guide", site, ...changes },
        app.clock.now(),
      )
      await indexDocuments(service, project, { ...documents, ...more })

      function page(
        path: string,
        body = "<main><h1>Page</h1><p>Texte.</p></main>",
        options: PageOptions = {},
      ): string {
        const { lang = "fr", head = "", widget = "", scripts } = options
        const tags =
          scripts ??
          `<script src="${service.url}/widget.js" data-project="${project.id}" ${widget} defer></script><script src="${service.url}/form.js" defer></script>`
        const policy = `default-src 'none'; script-src ${service.url} 'nonce-page'; connect-src ${service.url}; form-action ${service.url} 'self'`
        const html = `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Page</title>${head}${tags}</head><body>${body}</body></html>`
        pages.set(path, {
          html,
          policy: options.policy ?? policy,
        })
        return site + path
      }

      return { project, site, page }
    }
  }
}

const htmlHeaders = { "content-type": "text/html; charset=utf-8" }

async function indexDocuments(
  { app }: Service,
  project: Project,
  files: Record<string, string>,
): Promise<void> {
  using folder = temporaryFolder()
  for (const [path, markdown] of Object.entries(files)) {
    const file = join(folder.path, `${path}.md`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, markdown)
  }
  const source = { kind: "dir", address: folder.path, baseUrl: project.site, urlStyle: "clean" } as const
  const { feed } = await saveFeed(app.db, project.id, source, app.clock.now())
  const signal = new AbortController().signal
  await indexProject(app.indexing, project, { feeds: [feed], force: false, signal, onProgress() {} })
}
