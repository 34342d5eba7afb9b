import { afterAll, beforeAll, expect, test } from "bun:test"
import type { Route } from "playwright-core"
import { secondMs } from "../../src/base/clock.ts"
import { describeInBrowser, type QuietPage } from "../support/browser.ts"
import { movableClock } from "../support/clock.ts"
import { type FormPages, fill, markup, openFormPages, send } from "../support/form-page.ts"

// form.js on a page of a declared site, with forms written as the documentation shows them.

describeInBrowser("the form helper", () => {
  /** Stands still: whoever fills a form in takes no time, unless it is moved. */
  const clock = movableClock()
  let site: FormPages
  beforeAll(async () => {
    site = await openFormPages(clock)
  })
  afterAll(() => site[Symbol.asyncDispose]())

  test("sends a form without leaving the page, and says so where the form was", async () => {
    await using page = await site.visit()
    const started = page.waitForResponse(/\/start$/)
    await page.goto(`${site.counter.page("/contact", markup(page.action))}?secret=1#x`)
    await started
    await fill(page)
    clock.move(2 * secondMs)
    await send(page)
    const done = page.getByText("Votre message a bien été envoyé.")
    await done.waitFor()
    expect(await done.evaluate((one) => document.activeElement === one)).toBe(true)
    expect(await done.getAttribute("role")).toBe("status")
    expect(await page.locator("main form").isVisible()).toBe(false)
    expect(page.url()).toBe(`${site.counter.site}/contact?secret=1#x`)
    const [kept, ...others] = await site.responses(page)
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
      page: `${site.counter.site}/contact`,
    })
    expect(page.problems).toEqual([])
  })

  test("a form that comes with a later page, the script loaded again with it, goes with its start, once", async () => {
    await using page = await site.visit({}, () => "<main><h1>Avant</h1></main>")
    const started = page.waitForResponse(/\/start$/)
    const bodyOf = (action: string) =>
      `${markup(action)}<script src="${site.counter.service.url}/form.js" defer></script>`
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
    expect(await site.responses(page)).toHaveLength(1)
  })

  test("what a program sends at once is held, by the signed start that goes along", async () => {
    await using page = await site.visit()
    const started = page.waitForResponse(/\/start$/)
    await page.reload()
    await started
    await fill(page)
    await send(page)
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    expect([(await site.responses(page)).length, (await site.responses(page, "held")).length]).toEqual([0, 1])
  })

  const keyIn = (body: string | null) => /name="guichet_key"\r\n\r\n([^\r]+)/.exec(body ?? "")?.[1] ?? ""

  test("clicked twice it is sent once, and what was lost on the way is sent by the browser as the same response", async () => {
    await using page = await site.visit()
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
    expect(await site.stored(page)).toHaveLength(1)
  })

  test("without a connection it says so and stays, and what was changed since is another response", async () => {
    await using page = await site.visit()
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
    expect(await site.stored(page)).toMatchObject([{ values: { nom: "Dominique" } }])
  })

  /** Where the browser has to send the form by itself, as it would without the helper. */
  const alone: [what: string, options: () => object, before: (page: QuietPage) => unknown][] = [
    [
      "the page's policy lets no script connect",
      () => ({
        policy: `default-src 'none'; script-src ${site.counter.service.url} 'nonce-page'; form-action ${site.counter.service.url}`,
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
    await using page = await site.visit({}, markup, options())
    await before(page)
    await page.reload({ waitUntil: "networkidle" })
    await fill(page)
    await send(page)
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    expect(page.url()).toContain("/thanks")
    expect(await site.stored(page)).toMatchObject([
      { values: { nom: "Camille", message: "Bonjour,\nmerci." } },
    ])
  })

  test("a form that is left alone is validated by the browser, as the page wants it", async () => {
    await using page = await site.visit()
    await page.route(/\/start$/, (route) => route.abort())
    await page.reload({ waitUntil: "networkidle" })
    expect(await page.locator("main form").evaluate((form) => (form as HTMLFormElement).noValidate)).toBe(
      false,
    )
    await send(page)
    expect(await page.locator(":invalid").count()).toBeGreaterThan(0)
    expect(await site.stored(page)).toEqual([])
  })

  test("goes on to the form's own page where it has one", async () => {
    const next = site.counter.page("/merci", "<main><h1>Merci</h1></main>")
    await using page = await site.visit({ redirect_url: next })
    await fill(page)
    await send(page)
    await page.waitForURL(next)
  })

  test("says what the page wants it to say, and speaks English on an English page", async () => {
    await using own = await site.visit({}, (action) =>
      markup(action).replace("<form", `<form data-success="À bientôt."`),
    )
    await fill(own)
    await send(own)
    await own.getByText("À bientôt.").waitFor()
    await using english = await site.visit({}, markup, { lang: "en" })
    await fill(english)
    await send(english)
    await english.getByText("Thank you. Your response has been sent.").waitFor()
  })

  test("takes over a form that comes to the page later, and one whose fields are called action and submit", async () => {
    await using page = await site.visit({}, () => "<main><h1>Contact</h1></main>")
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
    expect([(await site.responses(page)).length, (await site.responses(page, "held")).length]).toEqual([1, 0])
  })

  test("leaves other forms alone, and those that the page's own code deals with", async () => {
    await using page = await site.visit(
      {},
      (action) => `<main><h1>A</h1>
      <form action="${site.counter.page("/recherche")}"><label>Chercher <input name="q" required></label><button>Chercher</button></form>
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
    expect(await site.responses(page)).toEqual([])
  })

  test("without the script the form works all the same", async () => {
    await using page = await site.visit({}, markup, { scripts: "", policy: "default-src 'none'" })
    await fill(page)
    await send(page)
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    expect(page.url()).toContain("/thanks")
    expect(await site.responses(page)).toHaveLength(1)
  })
})
