import { describe, expect, test } from "bun:test"
import { localParser } from "../../../../src/reading/parser.ts"
import { feedReader } from "../../../../src/reading/reader.ts"
import { readAll, reasonOf } from "../../../support/feed.ts"
import { type Answer, markdown, page, startSite, testNetwork } from "../../../support/site.ts"

async function reading(pages: (origin: string) => Record<string, Answer>, file = "/llms.txt") {
  await using site = startSite((url) => pages(url.origin)[url.pathname])
  const found = await readAll(feedReader([], testNetwork(), localParser), "llms", site.url + file)
  return { ...found, log: site.log, origin: site.url }
}

const text = (content: string) =>
  new Response(content, { headers: { "content-type": "text/plain; charset=utf-8" } })

describe("an llms.txt", () => {
  test("of one whole text: the parts of a page are read together, whatever anchors they have", async () => {
    const part = (title: string, anchor: string) =>
      `# ${title}\nSource: https://docs.exemple.fr/guide${anchor}\n\nTexte de ${title}.\n`
    await using site = startSite((url) => {
      const parts = ["", "#suite"].map((anchor) => part(`Guide${anchor}`, anchor)).join("\n")
      return url.pathname === "/llms-full.txt" ? text(parts) : undefined
    })
    const reader = feedReader(["https://docs.exemple.fr"], testNetwork(), localParser)
    const { documents } = await readAll(reader, "llms", `${site.url}/llms-full.txt`)
    expect(documents.map(({ url }) => url)).toEqual(["https://docs.exemple.fr/guide"])
    expect(JSON.stringify(documents)).toContain("Texte de Guide#suite.")
  })

  test("leads to its pages, in Markdown and in HTML", async () => {
    const { documents, origin } = await reading((origin) => ({
      "/llms.txt": text(
        `# Guichet\n\n> Un résumé, avec [un lien](/resume) qui n’est pas de la liste.\n\n## Guides\n\n- [Installer](/guide/installer.md): en cinq minutes\n- [Régler](${origin}/guide/regler)\n  - [Détail](guide/detail.md)\n\n\`\`\`\n- [Exemple](/exemple)\n\`\`\`\n\n## Optional\n\n- [Annexe](/annexe)\n`,
      ),
      "/guide/installer.md": markdown("# Installer\n\nCopiez le fichier.\n\n## Vérifier\n\nLancez-le."),
      "/guide/regler": page("Régler"),
      "/guide/detail.md": text("# Détail\n\nUn détail."),
      "/annexe": page("Annexe"),
    }))
    expect(documents.map(({ path }) => path).sort()).toEqual([
      "annexe",
      "guide/detail",
      "guide/installer",
      "guide/regler",
    ])
    const installed = documents.find(({ path }) => path === "guide/installer")
    expect(installed?.url).toBe(`${origin}/guide/installer.md`)
    expect(installed?.sections.map(({ headings, markdown }) => [headings.join(), markdown])).toEqual([
      ["", "Copiez le fichier."],
      ["Vérifier", "Lancez-le."],
    ])
  })

  test("sends visitors to the HTML page where there is one beside the Markdown", async () => {
    const { documents, origin } = await reading(() => ({
      "/llms.txt": text(
        ["a.md", "b.md", "c.html.md", "d/index.md", "e.md"].map((path) => `- [x](/${path})`).join("\n"),
      ),
      ...Object.fromEntries(
        ["a.md", "b.md", "c.html.md", "d/index.md", "e.md"].map((path) => [
          `/${path}`,
          markdown(`# ${path}\n\nTexte.`),
        ]),
      ),
      "/a": page("A"),
      "/b.html": page("B"),
      "/c.html": page("C"),
      "/d/": page("D"),
      "/e": Response.redirect("/connexion", 302),
      "/connexion": page("Connexion"),
    }))
    expect(documents.map(({ path, url }) => `${path} ${url.replace(origin, "")}`).sort()).toEqual([
      "a /a",
      "b /b.html",
      "c /c.html",
      "d /d/",
      "e /e.md",
    ])
  })

  test("of sphinx-llms-txt 0.7, which lists the sources, leads to the pages made of them", async () => {
    const { documents, origin } = await reading(() => ({
      "/llms.txt": text(
        ["index.rst", "installer.rst", "dossier.md", "nu.rst"]
          .map((name) => `- [x](/_sources/${name}.txt)`)
          .join("\n"),
      ),
      "/index.html": page("Accueil"),
      "/installer.html": page("Installer"),
      "/dossier/": page("Dossier"),
      "/_sources/nu.rst.txt": text("Nu\n==\n\nSans page."),
    }))
    expect(documents.map(({ title, url }) => `${title} ${url.replace(origin, "")}`).sort()).toEqual([
      "Accueil /index.html",
      "Dossier /dossier/",
      "Installer /installer.html",
      "Nu /_sources/nu.rst.txt",
    ])
  })

  test("that lists a source whose page would have no address, or stand on another host, reads the source", async () => {
    const { documents } = await reading(() => ({
      "/llms.txt": text(
        "- [A](/_sources//a:b/a.rst.txt)\n- [B](/_sources//ailleurs.example/b.rst.txt)\n- [C](/c)",
      ),
      "/_sources//a:b/a.rst.txt": text("A\n==\n\nUn."),
      "/_sources//ailleurs.example/b.rst.txt": text("B\n==\n\nDeux."),
      "/c": page("C"),
    }))
    expect(documents).toHaveLength(3)
  })

  test("leads to further llms.txt files, and not to the larger editions of itself", async () => {
    const { documents, readings, log } = await reading(() => ({
      "/llms.txt": text(
        "- [Tout](/llms-full.txt)\n- [API](/api/llms.txt)\n- [A](/a)\n- [Vide](/vide/llms.txt)",
      ),
      "/llms-full.txt": text("# Tout"),
      "/api/llms.txt": text("- [Encore](/llms.txt)\n- [Route](/api/route)"),
      "/a": page("A"),
      "/api/route": page("Route"),
      "/vide/llms.txt": text("# Prose\n\nSans lien."),
    }))
    expect(documents.map(({ path }) => path).sort()).toEqual(["a", "api/route", "vide/llms"])
    expect(readings).toHaveLength(3)
    expect(log).not.toContain("GET /llms-full.txt")
  })

  test("obeys robots.txt, and stays on the site", async () => {
    const { of } = await reading(() => ({
      "/robots.txt": text("User-agent: *\nDisallow: /b"),
      "/llms.txt": text("- [A](https://ailleurs.example/a)\n- [B](/b)\n- [C](/c)"),
      "/b": page("B"),
      "/c": page("C"),
    }))
    expect(of("/a")).toBe("left_out: foreign_host")
    expect(of("/b")).toBe("left_out: robots")
    expect(of("/c")).toBe("read")
  })
})

describe("a full text", () => {
  test("is cut at the pages it names", async () => {
    const { documents, of } = await reading(
      (origin) => ({
        "/llms-full.txt": text(
          `# Installer\nSource: ${origin}/guide/installer\n\nCopiez.\n\n\`\`\`md\n# Faux\nSource: ${origin}/faux\n\`\`\`\n\n# Régler\n\nSource: ${origin}/guide/regler\n\nRéglez.\n\n# Ailleurs\nURL: https://ailleurs.example/x\n\nNon.\n`,
        ),
      }),
      "/llms-full.txt",
    )
    expect(documents.map(({ path, title }) => `${path} ${title}`)).toEqual([
      "guide/installer Installer",
      "guide/regler Régler",
    ])
    expect(documents[0]?.sections[0]?.markdown).toStartWith("Copiez.")
    expect(documents[1]?.sections[0]?.markdown).toBe("Réglez.")
    expect(of("ailleurs.example/x")).toBe("left_out: foreign_host")
  })

  test.each<[string, string]>([
    [
      "vitepress-plugin-llms 1.14",
      `---\nurl: /guide/installer.md\ndescription: En bref\n---\n\n# Installer\n\nCopiez.\n\n---\n\nPuis \`url: /non\`.\n\n---\n\n---\nurl: 'https://docs.exemple.fr/guide/regler.md'\n---\n# Régler\n\nRéglez.\n`,
    ],
    [
      "the template of create-fumadocs-app 16.2",
      "# Installer (/guide/installer)\n\nCopiez.\n\n## Route (/guide/non)\n\nNon.\n\n# Régler (/guide/regler)\n\nRéglez.\n",
    ],
    [
      "older sites of Fumadocs",
      "# Installer\nURL: /guide/installer\n\nCopiez.\n\n# Régler\nURL: /guide/regler\n\nRéglez.\n",
    ],
  ])("of %s is cut at the pages it names", async (_, written) => {
    const { documents } = await reading(
      (origin) => ({
        "/llms-full.txt": text(written.replaceAll("https://docs.exemple.fr", origin)),
        "/guide/installer": page("Installer"),
      }),
      "/llms-full.txt",
    )
    expect(documents.map(({ path, title }) => `${path} ${title}`)).toEqual([
      "guide/installer Installer",
      "guide/regler Régler",
    ])
    expect(documents[0]?.url).toEndWith("/guide/installer")
    expect(documents[0]?.sections[0]?.markdown).toStartWith("Copiez.")
    expect(documents[1]?.sections[0]?.markdown).toBe("Réglez.")
  })

  test("is not cut at headings that document a call", async () => {
    const { documents } = await reading(
      () => ({ "/llms-full.txt": text("# API\n\nTexte.\n\n# Lister (/salles)\n\nTexte.") }),
      "/llms-full.txt",
    )
    expect(documents.map(({ path }) => path)).toEqual(["llms-full"])
  })

  test("names a page whose path begins like a host, and the others are read all the same", async () => {
    const { documents } = await reading(
      (origin) => ({
        "/llms-full.txt": text(
          `# A\nSource: ${origin}//a:b/a.md\n\nUn.\n\n# B\nSource: ${origin}/b\n\nDeux.\n`,
        ),
      }),
      "/llms-full.txt",
    )
    expect(documents.map(({ title }) => title)).toEqual(["A", "B"])
  })

  test("is one document where it names none", async () => {
    const { documents, origin } = await reading(
      () => ({ "/llms-full.txt": text("# Guichet\n\n- [Lien](/a)\n\n## Installer\n\nCopiez.") }),
      "/llms-full.txt",
    )
    expect(documents.map(({ path, url }) => ({ path, url }))).toEqual([
      { path: "llms-full", url: `${origin}/llms-full.txt` },
    ])
  })
})

test.each<[string, Answer, RegExp]>([
  ["missing", new Response("", { status: 404 }), /llms\.txt: not found/],
  ["an HTML page", page("404"), /llms\.txt: an HTML page, not a text/],
  ["empty", text(""), /llms\.txt: it holds no text/],
])("an llms.txt that is %s refuses the whole reading", async (_, answer, reason) => {
  expect(await reading(() => ({ "/llms.txt": answer })).catch(reasonOf)).toMatch(reason)
})
