import { mkdirSync } from "node:fs"
import { join } from "node:path"
import type { BrowserContextOptions } from "playwright-core"
import { listProjects } from "../../src/workspaces/project.ts"
import { startBrowser } from "../support/browser.ts"
import { askedBefore, startFirst } from "../support/console.ts"
import { password } from "../support/operator.ts"

// `bun test/browser/console-screenshots.ts FOLDER`: every page of the console, to be looked at.

const folder = Bun.argv[2]
if (!folder) {
  process.stderr.write("usage: bun test/browser/console-screenshots.ts FOLDER\n")
  process.exit(2)
}
mkdirSync(folder, { recursive: true })

const sizes: [name: string, options: BrowserContextOptions][] = [
  ["light", { colorScheme: "light", viewport: { width: 1200, height: 800 } }],
  ["dark", { colorScheme: "dark", viewport: { width: 1200, height: 800 } }],
  ["320", { colorScheme: "light", viewport: { width: 320, height: 640 } }],
]

await using browser = await startBrowser()
for (const [name, options] of sizes) await shoot(name, options)

async function shoot(size: string, options: BrowserContextOptions): Promise<void> {
  await using first = await startFirst()
  const { service, site } = first
  await using page = await browser.page(`${service.url}/console`, options)
  let number = 0
  const picture = (name: string) =>
    page.screenshot({
      path: join(folder as string, `${size}-${String(++number).padStart(2, "0")}-${name}.png`),
      fullPage: true,
    })
  const press = (name: string) => page.getByRole("button", { name, exact: true }).click()

  await picture("first-start")
  await page.goto(await first.setupLink())
  await page.getByLabel("Adresse e-mail").fill("camille@exemple.fr")
  await page.getByLabel("Mot de passe").fill("court")
  await press("Créer le compte")
  await picture("setup-refused")
  await page.getByLabel("Mot de passe").fill(password)
  await press("Créer le compte")
  await picture("no-project")
  await page.getByLabel("Nom").fill("Documentation")
  await page.getByLabel("Adresse du site").fill("docs.exemple.fr")
  await press("Créer le projet")
  await picture("project-refused")
  await page.getByLabel("Adresse du site").fill(site.url)
  await press("Créer le projet")
  await picture("no-feed")
  await press("Ajouter et lire")
  await picture("indexing")
  await page.getByRole("button", { name: "Lire maintenant" }).waitFor({ timeout: 60_000 })
  await page.goto(page.url().replace(/[?#].*/, ""))
  await picture("indexed")
  await page.getByRole("link", { name: /Écartées/ }).click()
  await picture("left-out")
  await page.getByRole("link", { name: "Projet", exact: true }).click()
  await picture("project")
  await page.getByLabel("Question", { exact: true }).fill("Comment renvoyer un webhook ?")
  await press("Poser la question")
  await picture("trial-answered")
  await page.getByLabel("Question", { exact: true }).fill("Qui a peint la Joconde ?")
  await press("Poser la question")
  await picture("trial-refused")
  await page.getByRole("link", { name: "Questions" }).click()
  await picture("no-question")
  const [project] = await listProjects(service.app.db)
  await askedBefore(service, project?.id ?? "")
  await page.reload()
  await picture("questions")
  await page.getByRole("link", { name: "Projets" }).click()
  await picture("projects")
  await page.goto(`${service.url}/console/nowhere`)
  await picture("unknown-page")
  await page.locator("summary").click()
  await press("Se déconnecter")
  await page.getByLabel("Adresse e-mail").fill("camille@exemple.fr")
  await page.getByLabel("Mot de passe").fill("un autre mot de passe")
  await press("Se connecter")
  await picture("sign-in-refused")
  process.stdout.write(
    `${size}: ${number} pages; console errors: ${page.problems.length}\n${page.problems.join("\n")}\n`,
  )
}
