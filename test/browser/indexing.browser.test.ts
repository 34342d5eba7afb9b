import { afterAll, beforeAll, expect, test } from "bun:test"
import { join } from "node:path"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import { pagesRead } from "../support/documentation-site.ts"
import type { FirstStart } from "../support/first-start.ts"
import { password, signedIn } from "../support/operator.ts"
import { temporaryFolder } from "../support/service.ts"
import { aService } from "../support/service-builder.ts"
import { faultsOf } from "../support/sound.ts"

// A documentation is read from the console, with the embedded model in its own process.

const question = "Comment vérifier la signature d’un webhook ?"
const withModel = { GUICHET_EMBEDDING: "local" }

describeInBrowser("the progress of an indexing", () => {
  let browser: TestBrowser
  beforeAll(async () => {
    browser = await startBrowser()
  })
  afterAll(() => browser[Symbol.asyncDispose]())

  test("words answer as soon as the pages are read, then the passages that have their meaning are counted, without anybody doing anything", async () => {
    await using first = await aService().withSettings(withModel).withOwner().started()
    await using page = await indexingPage(browser, first)
    const texts = await record(page)
    await readSitemap(page, first)
    await page.getByText("par les mots\u202f; le sens suit").waitFor()
    await page.getByText("L’assistant répond déjà par les mots").waitFor()
    // The rest of the page follows, such as the list of the pages read.
    await page.getByRole("heading", { name: "Pages", exact: true }).waitFor()
    const early = await askFrom(first, question)
    expect(early.status).toBe("answered")
    await page.getByText(/sens\s: [1-9]\d* passages? sur/).waitFor()
    expect(await faultsOf(page)).toEqual([])
    const bar = page.getByRole("progressbar")
    expect(Number(await bar.getAttribute("value"))).toBeGreaterThan(0)
    await page.getByText("par les mots et par le sens").waitFor({ timeout: 180_000 })
    await page.getByRole("button", { name: "Lire maintenant" }).waitFor()

    const { passages } = await live(first)
    const told = (await texts()).flatMap((text) => [
      ...text.matchAll(/Préparation de la recherche par le sens : (\d+) passages? sur (\d+)\./g),
    ])
    expect(new Set(told.map(([, , total]) => Number(total)))).toEqual(new Set([passages]))
    const counts = told.map(([, done]) => Number(done))
    expect(counts).toEqual(counts.toSorted((one, other) => one - other))
    // The outcome is still that of the reading: the vectors that were made since tell of no page.
    const outcome = `${pagesRead} pages indexées, dont ${pagesRead} nouvelles ou modifiées ; aucune retirée, 2 écartées`
    expect(await stateOf(page)).toContain(outcome)
    expect(page.problems).toEqual([])
  })

  test("a model that does not start is told of with the reason and what helps, and words answer", async () => {
    using folder = temporaryFolder()
    const preload = join(folder.path, "broken.ts")
    await Bun.write(preload, 'if (process.argv.includes("embed-for-parent")) process.exit(1)')
    const settings = { ...withModel, BUN_OPTIONS: `--preload=${preload}` }
    await using first = await aService().withSettings(settings).withOwner().started()
    await using page = await indexingPage(browser, first)
    await readSitemap(page, first)
    const broken = page.getByText("le modèle intégré ne fonctionne pas (son processus s’est arrêté)")
    await page.getByText("Pages indexées", { exact: true }).waitFor()
    await broken.waitFor()
    await page.getByText("par les mots seuls", { exact: true }).waitFor()
    await page.getByRole("button", { name: "Lire maintenant" }).waitFor()
    const state = await stateOf(page)
    expect(state).toContain("Le service le réessaie de lui-même")
    expect(state).toContain("GUICHET_EMBEDDING=none")
    // The service may have tried again meanwhile, and then tells of that instead of the reading.
    expect(state).toContain(`Pages indexées\n${pagesRead}\n`)
    expect(await faultsOf(page)).toEqual([])
    expect((await askFrom(first, question)).status).toBe("answered")
    await page.goto(`${first.service.url}/console/settings/health`)
    await broken.waitFor()
  })
})

/** The page of a new project, seen by its owner. */
async function indexingPage(browser: TestBrowser, { service, site }: FirstStart): Promise<QuietPage> {
  const owner = await signedIn(service)
  const made = await owner.post("/console/projects", { name: "Documentation", site: site.url })
  const page = await browser.page(`${service.url}/console/sign-in`, {})
  await page.getByLabel("E-mail").fill(owner.email)
  await page.getByLabel("Mot de passe").fill(password)
  await page.getByRole("button", { name: "Se connecter", exact: true }).click()
  await page.getByRole("heading", { level: 1 }).waitFor()
  await page.goto(`${service.url}${made.location?.split("?")[0]}`)
  return page
}

async function readSitemap(page: QuietPage, { site }: FirstStart): Promise<void> {
  await page.getByLabel("URL", { exact: true }).fill(`${site.url}/sitemap.xml`)
  await page.getByRole("button", { name: "Ajouter et lire" }).click()
}

/** Every text that the state of the index takes on, also between two looks of the test. */
async function record(page: QuietPage): Promise<() => Promise<string[]>> {
  const texts: string[] = []
  await page.exposeFunction("keepText", (text: string) => void texts.push(text))
  await page.addInitScript(() => {
    const keep = () => {
      const text = document.getElementById("indexing-state")?.textContent
      if (text) (window as unknown as { keepText(text: string): void }).keepText(text)
    }
    new MutationObserver(keep).observe(document, { childList: true, characterData: true, subtree: true })
  })
  return async () => texts.map(withPlainSpaces)
}

const stateOf = async (page: QuietPage) => withPlainSpaces(await page.locator("#indexing-state").innerText())

const withPlainSpaces = (text: string) => text.replace(/[\u00a0\u202f]/g, " ")

const live = ({ service }: FirstStart) =>
  service.app.db.selectFrom("generation").select("passages").where("live", "=", 1).executeTakeFirstOrThrow()

async function askFrom({ service, site }: FirstStart, question: string): Promise<{ status: string }> {
  const { id } = await service.app.db.selectFrom("project").select("id").executeTakeFirstOrThrow()
  const reply = await fetch(`${service.url}/api/v1/ask`, {
    method: "POST",
    headers: { "content-type": "application/json", origin: site.url },
    body: JSON.stringify({ project: id, question }),
  })
  return (await reply.json()) as { status: string }
}
