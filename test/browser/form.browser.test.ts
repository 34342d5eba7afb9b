import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Route } from "playwright-core"
import { secondMs } from "../../src/base/clock.ts"
import { type Api, apiOf } from "../support/api.ts"
import { describeInBrowser, type QuietPage, startBrowser, type TestBrowser } from "../support/browser.ts"
import { movableClock } from "../support/clock.ts"
import type { Counter } from "../support/counter.ts"
import { aService } from "../support/service-builder.ts"

// form.js on a page of a declared site, with forms written as the documentation shows them.

describeInBrowser("the form helper", () => {
  let counter: Counter
  let browser: TestBrowser
  let api: Api
  let pages = 0
  /** Stands still: whoever fills a form in takes no time, unless it is moved. */
  const clock = movableClock()
  beforeAll(async () => {
    ;[counter, browser] = await Promise.all([
      aService().withClock(clock).withWebsite().started(),
      startBrowser(),
    ])
    api = await apiOf(counter.service)
  })
  afterAll(async () => {
    await browser[Symbol.asyncDispose]()
    await counter[Symbol.asyncDispose]()
  })

  const fields = [
    { name: "nom", label: "Votre nom", type: "text", required: true },
    { name: "adresse", label: "Votre adresse", type: "email", required: true },
    {
      name: "sujet",
      label: "Sujet",
      type: "radio",
      required: true,
      options: [
        { value: "question", label: "Une question" },
        { value: "idee", label: "Une idée" },
      ],
    },
    { name: "message", label: "Votre message", type: "textarea" },
    { name: "regles", label: "J’accepte les règles", type: "checkbox", required: true },
    { name: "origine", label: "Origine", type: "hidden", required: true },
  ]

  const markup = (action: string, more = "") => `<main><h1>Contact</h1><form action="${action}" method="post">
    <label>Votre nom <input name="nom" required></label>
    <p><label for="a">Votre adresse</label> <input id="a" name="adresse" type="email" aria-describedby="aide"><span id="aide">Pour vous répondre.</span></p>
    <fieldset><legend>Sujet</legend><label><input type="radio" name="sujet" value="question"> Une question</label><label><input type="radio" name="sujet" value="idee"> Une idée</label></fieldset>
    <label>Votre message <textarea name="message"></textarea></label>
    <label><input type="checkbox" name="regles"> J’accepte les règles</label>
    <input type="hidden" name="origine" value="site">${more}
    <button>Envoyer</button></form></main>`

  interface Visited extends QuietPage {
    formId: string
    action: string
  }

  async function visit(described: object = {}, html = markup, options = {}): Promise<Visited> {
    const made = await api.post("/api/v1/forms", {
      project: counter.project.id,
      name: "Contact",
      fields,
      ...described,
    })
    const action = `${counter.service.url}/f/${made.body.public_id}`
    const page = await browser.page(counter.page(`/form-${++pages}`, html(action), options))
    return Object.assign(page, { formId: made.body.id as string, action })
  }

  async function fill(page: QuietPage): Promise<void> {
    await page.getByLabel("Votre nom").fill("Camille")
    await page.getByLabel("Votre adresse").fill("camille@exemple.fr")
    await page.getByLabel("Une idée").check()
    await page.getByLabel("Votre message").fill("Bonjour,\nmerci.")
    await page.getByLabel("J’accepte les règles").check()
  }

  const send = (page: QuietPage) => page.getByRole("button", { name: "Envoyer" }).click()
  const responses = async ({ formId }: Visited, state = "received") =>
    (await api.get(`/api/v1/forms/${formId}/responses?state=${state}`)).body.items

  test("sends a form without leaving the page, and says so where the form was", async () => {
    await using page = await visit()
    const started = page.waitForResponse(/\/start$/)
    await page.goto(`${counter.page("/contact", markup(page.action))}?secret=1#x`)
    await started
    await fill(page)
    clock.move(2 * secondMs)
    await send(page)
    const done = page.getByText("Votre message a bien été envoyé.")
    await done.waitFor()
    expect(await done.evaluate((one) => document.activeElement === one)).toBe(true)
    expect(await done.getAttribute("role")).toBe("status")
    expect(await page.locator("main form").isVisible()).toBe(false)
    expect(page.url()).toBe(`${counter.site}/contact?secret=1#x`)
    const [kept, ...others] = await responses(page)
    expect(others).toEqual([])
    expect(kept).toMatchObject({
      values: {
        nom: "Camille",
        adresse: "camille@exemple.fr",
        sujet: "idee",
        message: "Bonjour,\nmerci.",
        regles: "oui",
        origine: "site",
      },
      page: `${counter.site}/contact`,
    })
    expect(page.problems).toEqual([])
  })

  test("a form that comes with a later page, the script loaded again with it, goes with its start, once", async () => {
    await using page = await visit({}, () => "<main><h1>Avant</h1></main>")
    const started = page.waitForResponse(/\/start$/)
    const bodyOf = (action: string) =>
      `${markup(action)}<script src="${counter.service.url}/form.js" defer></script>`
    await page.evaluate((html) => {
      const body = document.createElement("body")
      body.innerHTML = html
      // As Turbo does: scripts of the new body run again.
      for (const script of body.querySelectorAll("script")) {
        const again = document.createElement("script")
        again.src = script.src
        script.replaceWith(again)
      }
      document.body.replaceWith(body)
    }, bodyOf(page.action))
    await started
    await fill(page)
    const posted = page.waitForRequest((request) => request.method() === "POST")
    clock.move(2 * secondMs)
    await send(page)
    expect((await posted).postData()).toContain("guichet_started")
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    expect(await responses(page)).toHaveLength(1)
  })

  test("what a program sends at once is held, by the signed start that goes along", async () => {
    await using page = await visit()
    const started = page.waitForResponse(/\/start$/)
    await page.reload()
    await started
    await fill(page)
    await send(page)
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    expect([(await responses(page)).length, (await responses(page, "held")).length]).toEqual([0, 1])
  })

  test("shows every error beside its field, and puts the focus into the first", async () => {
    await using page = await visit()
    await page.getByLabel("Votre adresse").fill("camille@")
    await send(page)
    const alert = page.getByRole("alert")
    expect(await alert.textContent()).toBe(
      "Votre message n’a pas été envoyé\u00a0: corrigez les champs indiqués.",
    )
    const problems = page.locator(".guichet-problem:not([role])")
    expect(await problems.allTextContents()).toEqual([
      "Remplissez ce champ.",
      "Indiquez une adresse e-mail complète, par exemple nom@exemple.fr.",
      "Faites un choix dans la liste.",
      "Cochez cette case pour continuer.",
    ])
    const name = page.getByLabel("Votre nom")
    expect(await name.evaluate((one) => document.activeElement === one)).toBe(true)
    expect(await name.getAttribute("aria-invalid")).toBe("true")
    expect(await described(page, "Votre nom")).toEqual(["Remplissez ce champ."])
    expect(await described(page, "Votre adresse")).toEqual([
      "Pour vous répondre.",
      "Indiquez une adresse e-mail complète, par exemple nom@exemple.fr.",
    ])
    expect(await described(page, "Une idée")).toEqual(["Faites un choix dans la liste."])
    expect(await page.locator("fieldset > :last-child").textContent()).toBe("Faites un choix dans la liste.")
    expect(await problems.first().getAttribute("lang")).toBe("fr")
    expect(await responses(page)).toEqual([])
    // The refused post is no error of ours.
    expect(page.problems.filter((problem) => !problem.includes("400"))).toEqual([])
  })

  test("takes an error back as soon as its field is corrected, and leaves the others", async () => {
    await using page = await visit()
    await send(page)
    await page.getByRole("alert").waitFor()
    await page.getByLabel("Votre adresse").fill("c")
    expect(await described(page, "Votre adresse")).toEqual(["Pour vous répondre."])
    expect(await page.getByLabel("Votre adresse").getAttribute("aria-invalid")).toBeNull()
    await page.getByLabel("Une question").check()
    expect(await page.getByLabel("Une idée").getAttribute("aria-invalid")).toBeNull()
    expect(await page.locator(".guichet-problem:not([role])").count()).toBe(2)
    expect(await page.getByRole("alert").count()).toBe(1)
    await fill(page)
    // With the last error gone, the sentence about them all is wrong.
    expect(await page.getByRole("alert").count()).toBe(0)
    await send(page)
    await page.getByText("Votre message a bien été envoyé.").waitFor()
  })

  async function described(page: QuietPage, label: string): Promise<(string | null | undefined)[]> {
    return page
      .getByLabel(label)
      .evaluate((one) =>
        (one.getAttribute("aria-describedby") ?? "")
          .split(" ")
          .map((id) => document.getElementById(id)?.textContent),
      )
  }

  test("what is wrong with a field that nobody sees is said with the rest", async () => {
    await using page = await visit({}, (action) => markup(action).replace(`value="site"`, ""))
    await fill(page)
    await send(page)
    expect(await page.getByRole("alert").textContent()).toBe(
      "Votre message n’a pas été envoyé\u00a0: corrigez les champs indiqués. Remplissez ce champ.",
    )
  })

  test("and stays when the errors beside the fields are corrected", async () => {
    await using page = await visit({}, (action) => markup(action).replace(`value="site"`, ""))
    await send(page)
    await page.getByRole("alert").waitFor()
    await fill(page)
    expect(await page.getByRole("alert").textContent()).toBe("Remplissez ce champ.")
  })

  const keyIn = (body: string | null) => /name="guichet_key"\r\n\r\n([^\r]+)/.exec(body ?? "")?.[1] ?? ""
  const stored = async (page: Visited) => [...(await responses(page)), ...(await responses(page, "held"))]

  test("clicked twice it is sent once, and what was lost on the way is sent by the browser as the same response", async () => {
    await using page = await visit()
    const sent: string[] = []
    await page.route(/\/f\/\w+$/, async (route) => {
      sent.push(keyIn(route.request().postData()))
      // The service keeps the response, and its reply is lost on the way.
      if (sent.length === 1) {
        await route.fetch()
        await route.abort()
      } else await route.continue()
    })
    await fill(page)
    await page.getByRole("button", { name: "Envoyer" }).dblclick()
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    expect(page.url()).toContain("/thanks")
    expect(sent).toEqual([sent[0], sent[0]] as string[])
    expect(sent[0]).not.toBe("")
    expect(await stored(page)).toHaveLength(1)
  })

  test("without a connection it says so and stays, and what was changed since is another response", async () => {
    await using page = await visit()
    const started = page.waitForResponse(/\/start$/)
    await page.reload()
    await started
    const keys = new Set<string>()
    await page.route(/\/f\/\w+(\/start)?$/, (route) => {
      if (route.request().method() === "POST") keys.add(keyIn(route.request().postData()))
      return route.abort()
    })
    await fill(page)
    for (const name of ["Camille", "Dominique"]) {
      await page.getByLabel("Votre nom").fill(name)
      await send(page)
      expect(await page.getByRole("alert").textContent()).toContain("vérifiez votre connexion")
    }
    expect(keys.size).toBe(2)
    await page.unrouteAll()
    await send(page)
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    expect(await stored(page)).toMatchObject([{ values: { nom: "Dominique" } }])
  })

  /** Where the browser has to send the form by itself, as it would without the helper. */
  const alone: [what: string, options: () => object, before: (page: QuietPage) => unknown][] = [
    [
      "the page's policy lets no script connect",
      () => ({
        policy: `default-src 'none'; script-src ${counter.service.url} 'nonce-page'; form-action ${counter.service.url}`,
      }),
      () => {},
    ],
    ["a blocker stops whatever scripts send", () => ({}), (page) => page.route(/\/f\//, blockScripts)],
    ["a blocker stops posts of scripts", () => ({}), (page) => page.route(/\/f\/\w+$/, blockScripts)],
    ["the browser is older than its time limits", () => ({}), (page) => page.addInitScript(withoutTimeout)],
  ]
  const blockScripts = (route: Route) =>
    route.request().resourceType() === "document" ? route.continue() : route.abort()
  const withoutTimeout = () => Reflect.deleteProperty(AbortSignal, "timeout")

  test.each(alone)("the browser sends the form where %s", async (_, options, before) => {
    await using page = await visit({}, markup, options())
    await before(page)
    await page.reload({ waitUntil: "networkidle" })
    await fill(page)
    await send(page)
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    expect(page.url()).toContain("/thanks")
    expect(await stored(page)).toMatchObject([{ values: { nom: "Camille", message: "Bonjour,\nmerci." } }])
  })

  test("a form that is left alone is validated by the browser, as the page wants it", async () => {
    await using page = await visit()
    await page.route(/\/start$/, (route) => route.abort())
    await page.reload({ waitUntil: "networkidle" })
    expect(await page.locator("main form").evaluate((form) => (form as HTMLFormElement).noValidate)).toBe(
      false,
    )
    await send(page)
    expect(await page.locator(":invalid").count()).toBeGreaterThan(0)
    expect(await stored(page)).toEqual([])
  })

  test("a file that is gone since it was chosen is named at its field, and nothing else is blamed", async () => {
    const described = { fields: [{ name: "cv", label: "Votre CV", type: "file", accept: ["text"] }] }
    const html = (action: string) =>
      `<main><form action="${action}" method="post" enctype="multipart/form-data"><label>Votre CV <input type="file" name="cv"></label><button>Envoyer</button></form></main>`
    await using page = await visit(described, html)
    const folder = await mkdtemp(join(tmpdir(), "guichet-gone-"))
    const path = join(folder, "mon cv.txt")
    await writeFile(path, "Camille")
    await page.getByLabel("Votre CV").setInputFiles(path)
    await rm(path)
    await send(page)
    await page.getByText("«\u00a0mon cv.txt\u00a0» n’est plus lisible sur votre appareil").waitFor()
    expect(await page.getByRole("alert").textContent()).toBe(
      "Votre message n’a pas été envoyé\u00a0: corrigez les champs indiqués.",
    )
    expect(await stored(page)).toEqual([])
    await writeFile(path, "Camille")
    await page.getByLabel("Votre CV").setInputFiles(path)
    await send(page)
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    expect(await stored(page)).toMatchObject([{ values: { cv: "mon cv.txt" } }])
    await rm(folder, { recursive: true })
  })

  test("goes on to the form's own page where it has one", async () => {
    const next = counter.page("/merci", "<main><h1>Merci</h1></main>")
    await using page = await visit({ redirect_url: next })
    await fill(page)
    await send(page)
    await page.waitForURL(next)
  })

  test("says what the page wants it to say, and speaks English on an English page", async () => {
    await using own = await visit({}, (action) =>
      markup(action).replace("<form", `<form data-success="À bientôt."`),
    )
    await fill(own)
    await send(own)
    await own.getByText("À bientôt.").waitFor()
    await using english = await visit({}, markup, { lang: "en" })
    await fill(english)
    await send(english)
    await english.getByText("Thank you. Your response has been sent.").waitFor()
  })

  test("takes over a form that comes to the page later, and one whose fields are called action and submit", async () => {
    await using page = await visit({}, () => "<main><h1>Contact</h1></main>")
    await page.evaluate(
      (html) => {
        document.body.append(document.createRange().createContextualFragment(html))
      },
      markup(page.action, `<input name="action" value="x" hidden><input name="submit" hidden>`),
    )
    await send(page)
    await page.getByRole("alert").waitFor()
    expect(page.url()).toContain("/form-")
    // Since when it was there, nobody knows: it is not held for being quick.
    await fill(page)
    await send(page)
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    expect([(await responses(page)).length, (await responses(page, "held")).length]).toEqual([1, 0])
  })

  test("leaves other forms alone, and those that the page's own code deals with", async () => {
    await using page = await visit(
      {},
      (action) => `<main><h1>A</h1>
      <form action="${counter.page("/recherche")}"><label>Chercher <input name="q" required></label><button>Chercher</button></form>
      <form action="${action}" id="own"><button>Envoyer</button></form></main>`,
    )
    expect(
      await page
        .locator("form")
        .first()
        .evaluate((form) => (form as HTMLFormElement).noValidate),
    ).toBe(false)
    await page.evaluate(() =>
      document.querySelector("#own")?.addEventListener("submit", (event) => event.preventDefault()),
    )
    await send(page)
    await page.getByLabel("Chercher").fill("x")
    await page.getByRole("button", { name: "Chercher" }).click()
    await page.waitForURL(/recherche\?q=x$/)
    expect(await responses(page)).toEqual([])
  })

  test("an error about the whole form is shown at its end, unchanged", async () => {
    await using page = await visit()
    await api.delete(`/api/v1/forms/${page.formId}`)
    await send(page)
    expect(await page.getByRole("alert").textContent()).toBe("Ce formulaire n’existe pas ou n’existe plus.")
  })

  test("hostile values and sentences stay text", async () => {
    await using page = await visit()
    const markupText = "<img src=x onerror=window.ran=1>"
    await page.route(/\/f\/\w+$/, (route) =>
      route.fulfill({
        status: 400,
        json: {
          error: {
            code: "invalid_request",
            message: markupText,
            fields: { nom: markupText, 'a"]': markupText },
          },
        },
        headers: { "access-control-allow-origin": "*" },
      }),
    )
    await page.getByLabel("Votre nom").fill(markupText)
    await send(page)
    expect(await page.getByRole("alert").textContent()).toBe(`${markupText} ${markupText}`)
    expect(await page.locator("img").count()).toBe(0)
  })

  test("without the script the form works all the same", async () => {
    await using page = await visit({}, markup, { scripts: "", policy: "default-src 'none'" })
    await fill(page)
    await send(page)
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    expect(page.url()).toContain("/thanks")
    expect(await responses(page)).toHaveLength(1)
  })
})
