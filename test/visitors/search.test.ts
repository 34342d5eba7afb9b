import { describe, expect, test } from "bun:test"
import { applyProjectChange } from "../../src/accounts/project.ts"
import { origin, type Reply, type Site } from "../support/ask.ts"
import { type VersionedSite, versionedSite } from "../support/editions.ts"
import { aService } from "../support/service-builder.ts"

// `POST /api/v1/search`: what a page's visitor is shown while typing.

interface Marked {
  text: string
  marks: { from: number; to: number }[]
}

function search(
  site: Site,
  fields: Record<string, unknown>,
  headers: Record<string, string> = {},
): Promise<Reply> {
  return site.send(
    {
      headers: { "content-type": "application/json", origin, ...headers },
      body: JSON.stringify({ project: site.project.id, ...fields }),
    },
    "/api/v1/search",
  )
}

/** The text with its marked words in brackets. */
function shown({ text, marks }: Marked): string {
  return marks
    .toReversed()
    .reduce((told, { from, to }) => `${told.slice(0, from)}[${told.slice(from, to)}]${told.slice(to)}`, text)
}

async function found(site: Site, q: string): Promise<{ title: string; sections: string[] }[]> {
  const { status, body } = await search(site, { q })
  expect(status).toBe(200)
  return body.items.map(({ title, sections }: { title: Marked; sections: { title: Marked }[] }) => ({
    title: shown(title),
    sections: sections.map((section) => shown(section.title)),
  }))
}

async function refused(site: Site, fields: Record<string, unknown>, headers: Record<string, string> = {}) {
  const { status, body } = await search(site, fields, headers)
  return { status, ...body.error }
}

describe("a search finds pages by the words of their titles", () => {
  test("with the beginning of the last word, which is marked", async () => {
    await using site = await aService().withIndexedProject().started()
    const [first, second] = await found(site, "ins")
    expect(first?.title).toBe("[Ins]taller Guichet")
    expect(first?.sections).toContain("[Ins]taller le paquet Debian")
    expect(second?.title).toBe("[Ins]taller la fenêtre de questions")
  })

  test("whatever their accents, case and elisions", async () => {
    await using site = await aService().withIndexedProject().started()
    for (const q of ["verifier la signature", "VÉRIFIER SIGNATURE", "vérifier d’une signature"])
      expect((await found(site, q))[0]?.title).toBe("[Vérifier] la [signature] d’un webhook")
  })

  test("with typing errors, and in another form of the word", async () => {
    await using site = await aService().withIndexedProject().started()
    for (const q of ["sauvegrade", "restuarer", "sauvegardes restaurées"])
      expect((await found(site, q))[0]?.title).toMatch(/^\[?Sauvegarder\]? et \[?restaurer\]?$/)
    expect((await found(site, "instalation"))[0]?.title).toBe("[Installer] Guichet")
  })

  test("and a section by its own words and those of its page", async () => {
    await using site = await aService().withIndexedProject().started()
    const [first] = await found(site, "webhook methode")
    expect(first?.title).toBe("Vérifier la signature d’un [webhook]")
    expect(first?.sections[0]).toBe("La [méthode]")
  })
})

test("what no title says is found in the text, and shown with the words around it", async () => {
  await using site = await aService().withIndexedProject().started()
  const { body } = await search(site, { q: "sessionStorage" })
  const excerpts = body.items.flatMap(({ sections }: { sections: { excerpt: Marked | null }[] }) =>
    sections.flatMap(({ excerpt }) => (excerpt ? [shown(excerpt)] : [])),
  )
  expect(excerpts.join("\n")).toContain("[sessionStorage]")
})

test("a word is found, and marked, where titles and texts write it in parts or in full", async () => {
  const sections = [
    "## Réseau\n\nLe Wi-Fi est gratuit, même au jardin.",
    "## Consultations\n\nPrenez rendez-vous au guichet.",
    "## Outils\n\nInstallez d’abord Node.js, en version 22.",
    "## Que faire aujourd’hui ?\n\nVoyez le programme.",
    "## Chiens\n\nLes chiens restent dehors.",
  ]
  const filler = "Cette page dit tout de la maison, et de ce que chacun peut y faire en semaine. ".repeat(3)
  await using site = await versionedSite(
    {},
    { "maison.md": `# La maison\n\n${sections.map((text) => `${text} ${filler}`).join("\n\n")}\n` },
  )
  const first = async (q: string) => {
    const response = await fetch(`${site.url}/api/v1/search`, {
      method: "POST",
      headers: { "content-type": "application/json", origin },
      body: JSON.stringify({ project: site.projectId, q }),
    })
    const { items } = (await response.json()) as {
      items: { sections: { title: Marked; excerpt: Marked | null }[] }[]
    }
    const section = items[0]?.sections[0]
    return section && [shown(section.title), section.excerpt ? shown(section.excerpt).slice(0, 60) : null]
  }
  expect(await first("wifi")).toEqual(["Réseau", expect.stringContaining("Le [Wi-Fi] est gratuit")])
  expect(await first("rdv")).toEqual(["Consultations", expect.stringContaining("Prenez [rendez-vous] au")])
  expect(await first("nodejs")).toEqual(["Outils", expect.stringContaining("d’abord [Node.js]")])
  expect(await first("aujourdhui")).toEqual(["Que faire [aujourd’hui] ?", null])
})

describe("what the owner settled for questions counts for searches", () => {
  const texts = {
    "voiture.md": "# Louer une voiture\n\n## Rendre les clés\n\nLes clés se rendent au guichet.\n",
    "carte.md": "# Demander une carte d’assuré\n\nLa carte arrive par la poste.\n",
    "recette.md": "# Assurer une recette\n\nUne carte postale suffit.\n",
    "annonce.md": "# Parking\n\nDes places sont réservées aux automobiles.\n",
  }
  const added = (site: VersionedSite, ...words: string[]) =>
    site.api.post(`/api/v1/projects/${site.projectId}/synonyms`, { words })

  test("a word finds what its synonyms find in titles, sections and texts, marked, and is corrected to nothing else", async () => {
    await using site = await versionedSite({}, texts)
    expect(await site.search(undefined, "bagnole")).toEqual([])
    await added(site, "bagnole", "voiture", "automobile")
    expect(await site.search(undefined, "bagnole")).toEqual(["/voiture", "/annonce"])
    expect(await site.search(undefined, "louer bagnole")).toEqual(["/voiture"])
    expect(await site.search(undefined, "voiture")).toContain("/annonce")
  })

  test("a phrase stands for a word, and a word for a phrase that stands whole in a title", async () => {
    await using site = await versionedSite({}, texts)
    await added(site, "carte vitale", "carte d’assuré", "vitale")
    for (const q of ["carte vitale", "ma carte Vitale", "vitale", "demander vitale"])
      expect((await site.search(undefined, q))[0]).toBe("/carte")
    expect(await site.search(undefined, "demander vitale")).not.toContain("/recette")
  })

  test("a group counts at once, and no longer once it is removed", async () => {
    await using site = await versionedSite({}, texts)
    const { body } = await added(site, "tuture", "voiture")
    expect(await site.search(undefined, "tuture")).toEqual(["/voiture"])
    await site.api.delete(`/api/v1/projects/${site.projectId}/synonyms/${body.id}`)
    expect(await site.search(undefined, "tuture")).not.toContain("/carte")
  })

  test("in the edition of the page alone", async () => {
    await using site = await versionedSite()
    await added(site, "télécopie", "fax")
    expect(await site.search("/v1/", "télécopie")).toEqual(["/v1/fax"])
    expect(await site.search("/v2/", "télécopie")).toEqual([])
  })

  test("news, legal pages and what is past stand behind others, unless the search asks for them", async () => {
    await using site = await versionedSite(
      {},
      {
        "blog/piscine.md":
          "---\ndate: 2020-01-01\n---\n\n# Piscine fermée\n\nLes horaires de la piscine changent.\n",
        "mentions-legales.md":
          "# Mentions légales de la piscine\n\nLes horaires de la piscine sont publiés par la ville.\n",
        "piscine.md": "# Se baigner à la piscine du centre\n\nLes horaires de la piscine sont affichés.\n",
      },
    )
    expect((await site.search(undefined, "piscine"))[0]).toBe("/piscine")
    expect((await site.search(undefined, "horaires"))[0]).toBe("/piscine")
    expect((await site.search(undefined, "mentions légales piscine"))[0]).toBe("/mentions-legales")
  })
})

test("what stands nowhere finds nothing", async () => {
  await using site = await aService().withIndexedProject().started()
  expect(await found(site, "xyzzyq")).toEqual([])
  expect(await found(site, "?!…")).toEqual([])
})

describe("a search is refused", () => {
  test("like a question: unknown project, undeclared origin, assistant switched off", async () => {
    await using site = await aService().withIndexedProject().started()
    expect(await refused(site, { q: "a", project: "unknownunknown" })).toMatchObject({
      status: 404,
      code: "project_not_found",
    })
    expect(await refused(site, { q: "a" }, { origin: "https://ailleurs.fr" })).toMatchObject({
      status: 403,
      code: "origin_not_allowed",
    })
    await applyProjectChange(site.service.app.db, site.project.id, { assistant_enabled: false })
    expect(await refused(site, { q: "a" })).toMatchObject({ status: 403, code: "assistant_disabled" })
  })

  test("without a text, with one that is too long, and with a body over 4 kB", async () => {
    await using site = await aService().withIndexedProject().started()
    const sentences = {
      missing: "La recherche manque ou n’est pas un texte.",
      long: "La recherche est trop longue\u00a0: écrivez au plus 200 caractères.",
      large: "La requête dépasse 4\u00a0Ko.",
    }
    expect(await refused(site, {})).toMatchObject({ status: 400, message: sentences.missing })
    expect(await refused(site, { q: " \u200b " })).toMatchObject({ status: 400, message: sentences.missing })
    expect(await refused(site, { q: "a".repeat(201) })).toMatchObject({
      status: 400,
      message: sentences.long,
    })
    expect(await refused(site, { q: "a".repeat(5000) })).toMatchObject({
      status: 400,
      message: sentences.large,
    })
  })

  test("past 240 of a visitor in a minute; other visitors search on", async () => {
    await using site = await aService()
      .withSettings({ GUICHET_TRUSTED_PROXIES: "127.0.0.1" })
      .withIndexedProject()
      .started()
    const from = (address: string) => ({ "x-forwarded-for": address })
    for (let time = 0; time < 240; time++)
      expect((await search(site, { q: "le" }, from("203.0.113.1"))).status).toBe(200)
    const { status, headers, body } = await search(site, { q: "le" }, from("203.0.113.1"))
    expect({ status, code: body.error.code, after: headers.get("retry-after") }).toEqual({
      status: 429,
      code: "rate_limited",
      after: "1",
    })
    expect((await search(site, { q: "le" }, from("203.0.113.2"))).status).toBe(200)
    site.clock.move(1000)
    expect((await search(site, { q: "le" }, from("203.0.113.1"))).status).toBe(200)
  })
})

test("a search leaves nothing behind: no question, no count, no line of the log", async () => {
  await using site = await aService().withIndexedProject().started()
  const { db } = site.service.app
  await search(site, { q: "sauvegarde secrète" })
  for (const table of ["answer", "recent_ask", "limit_count"] as const)
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
})

test("a page of another site may read why it was refused", async () => {
  await using site = await aService().withIndexedProject().started()
  const { headers } = await search(site, { q: "a" }, { origin: "https://ailleurs.fr" })
  expect(headers.get("access-control-allow-origin")).toBe("https://ailleurs.fr")
})
