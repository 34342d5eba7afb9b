import { afterAll, beforeAll, expect, test } from "bun:test"
import { type Api, apiOf } from "../support/api.ts"
import { describeInBrowser, startBrowser, type TestBrowser } from "../support/browser.ts"
import type { Counter } from "../support/counter.ts"
import { aService } from "../support/service-builder.ts"

// A field's name hides the property of its form, and a form's or picture's name that of the document. No name keeps
// form.js and widget.js from their work.

/** Runs in the page: every property name of a prototype chain, the ones that stand for all objects among them. */
const namesOf = (kind: string) => {
  const names = new Set<string>()
  for (let at = (window as never as Record<string, { prototype: object }>)[kind]?.prototype; at; ) {
    for (const name of Object.getOwnPropertyNames(at)) names.add(name)
    at = Object.getPrototypeOf(at)
  }
  return [...names]
}

describeInBrowser("names that a page gives", () => {
  let counter: Counter
  let browser: TestBrowser
  let api: Api
  beforeAll(async () => {
    ;[counter, browser] = await Promise.all([aService().withWebsite().started(), startBrowser()])
    api = await apiOf(counter.service)
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  async function formWith(names: string[]) {
    const fields = names.map((name) => ({ name, label: name, type: "text" }))
    const made = await api.post("/api/v1/forms", {
      project: counter.project.id,
      name: "Contact",
      fields: [{ name: "nom", label: "Votre nom", type: "text", required: true }, ...fields],
    })
    expect(made.status).toBe(201)
    return made.body as { id: string; public_id: string }
  }
  const received = async ({ id }: { id: string }) =>
    (await api.get(`/api/v1/forms/${id}/responses`)).body.items as { values: Record<string, string> }[]
  const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll('"', "&quot;")

  test("a form whose fields bear every property's name is refused beside its field, then sent", async () => {
    await using blank = await browser.page(counter.page("/vide"))
    const all = await blank.evaluate(namesOf, "HTMLFormElement")
    expect(all.length).toBeGreaterThan(250)
    // A form has at most a hundred fields, so the names of events stand in the page's HTML alone.
    const builtByOwners = all.filter((name) => /^(?!on)[a-z][a-z0-9_]*$/.test(name)).slice(0, 99)
    const form = await formWith(builtByOwners)
    const inputs = all.map((name, n) =>
      n % 2 === 0 || builtByOwners.includes(name)
        ? `<input name="${escaped(name)}" value="x">`
        : `<button type="button" id="${escaped(name)}"></button>`,
    )
    const html = `<main><h1>A</h1><form action="${counter.service.url}/f/${form.public_id}" method="post">
      <input name="nom" id="own-name">${inputs.join("")}<button id="send-all">Envoyer</button></form></main>`
    // The tools of this test stumble over such a form, so it is used by the elements of the page alone.
    await using page = await browser.page(counter.page("/noms", html))
    const says = (text: string) => page.waitForFunction((it) => document.body.textContent?.includes(it), text)
    const press = () => page.evaluate(() => document.getElementById("send-all")?.click())
    await press()
    await says("Remplissez ce champ.")
    expect(await page.evaluate(() => (document.activeElement as HTMLInputElement).id)).toBe("own-name")
    await page.keyboard.type("Camille")
    expect(await page.evaluate(() => document.querySelectorAll(".guichet-problem").length)).toBe(0)
    await press()
    await says("Votre message a bien été envoyé.")
    const shown = await page.evaluate(() => document.getElementById("own-name")?.checkVisibility())
    expect(shown).toBe(false)
    expect(page.url()).toEndWith("/noms")
    const [sent] = [...(await received(form)), ...(await held(form))]
    expect(sent?.values).toMatchObject({ nom: "Camille", elements: "x", style: "x", reset: "x" })
    expect(page.problems.filter((problem) => !problem.includes("400"))).toEqual([])
  })

  const held = async ({ id }: { id: string }) =>
    (await api.get(`/api/v1/forms/${id}/responses?state=held`)).body.items as {
      values: Record<string, string>
    }[]

  test("a document whose pictures and forms bear the names of its properties shows the widget, and sends", async () => {
    const form = await formWith([])
    await using blank = await browser.page(counter.page("/vide-2"))
    const all = (await blank.evaluate(namesOf, "Document")).filter(
      (name) => !/^(constructor|toString)$/.test(name),
    )
    const clobbers = all.map((name, n) =>
      n % 2 === 0
        ? `<img data-of-page name="${escaped(name)}">`
        : `<form data-of-page name="${escaped(name)}"></form>`,
    )
    const html = `<main><h1>A</h1><form action="${counter.service.url}/f/${form.public_id}" method="post">
      <input name="nom" value="Camille"><input name="currentScript"><button id="send">Envoyer</button></form></main><p id="guichet"></p>${clobbers.join("")}`
    await using page = await browser.page(counter.page("/documents", html))
    const isReady = () => page.evaluate(() => (window.guichet as { ready?: boolean }).ready === true)
    for (const end = Date.now() + 20_000; !(await isReady()) && Date.now() < end; ) await Bun.sleep(20)
    expect(
      await page.evaluate(() => typeof (document as never as Record<string, unknown>)["createElement"]),
    ).toBe("object")
    await page.evaluate(() => {
      const query = Document.prototype.querySelector
      ;(query.call(document, "#send") as HTMLElement).click()
      // The tools of this test need a document of their own.
      for (const each of Document.prototype.querySelectorAll.call(document, "[data-of-page]")) each.remove()
    })
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    await page.getByRole("button", { name: "Poser une question" }).waitFor()
    expect(page.problems).toEqual([])
  })

  test("what the page breaks while a form is sent ends in a sentence", async () => {
    const form = await formWith([])
    const html = `<main><h1>A</h1><form action="${counter.service.url}/f/${form.public_id}" method="post">
      <label>Votre nom <input name="nom" value="Camille"></label><button>Envoyer</button></form></main>`
    await using page = await browser.page(counter.page("/casse", html))
    const sent = (reply: { status: number; body: string; contentType: string }) =>
      page.route(/\/f\/\w+$/, (route) =>
        route.fulfill({ ...reply, headers: { "access-control-allow-origin": "*" } }),
      )
    // The sign-in page of a network answers 200 to everything.
    await sent({ status: 200, body: "<h1>Wi-Fi</h1>", contentType: "text/html" })
    await page.getByRole("button", { name: "Envoyer" }).click()
    expect(await page.getByRole("alert").textContent()).toContain("Le service ne répond pas comme prévu")
    await page.evaluate(() => {
      FormData.prototype.set = () => {
        throw new Error("of the page")
      }
    })
    await page.getByRole("button", { name: "Envoyer" }).click()
    expect(await page.getByRole("alert").textContent()).toContain("Le service ne répond pas comme prévu")
    expect(await page.getByText("Envoi en cours…").count()).toBe(0)
  })
})
