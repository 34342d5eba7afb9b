import { afterAll, beforeAll, expect, test } from "bun:test"
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describeInBrowser, type QuietPage } from "../support/browser.ts"
import { movableClock } from "../support/clock.ts"
import { type FormPages, fill, markup, openFormPages, send } from "../support/form-page.ts"

// What form.js says of a form that cannot be sent as it is.

describeInBrowser("the form helper at an error", () => {
  let site: FormPages
  beforeAll(async () => {
    site = await openFormPages(movableClock())
  })
  afterAll(() => site[Symbol.asyncDispose]())

  test("shows every error beside its field, and puts the focus into the first", async () => {
    await using page = await site.visit()
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
    expect(await site.responses(page)).toEqual([])
    // The refused post is no error of ours.
    expect(page.problems.filter((problem) => !problem.includes("400"))).toEqual([])
  })

  test("takes an error back as soon as its field is corrected, and leaves the others", async () => {
    await using page = await site.visit()
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
    await using page = await site.visit({}, (action) => markup(action).replace(`value="site"`, ""))
    await fill(page)
    await send(page)
    expect(await page.getByRole("alert").textContent()).toBe(
      "Votre message n’a pas été envoyé\u00a0: corrigez les champs indiqués. Remplissez ce champ.",
    )
  })

  test("and stays when the errors beside the fields are corrected", async () => {
    await using page = await site.visit({}, (action) => markup(action).replace(`value="site"`, ""))
    await send(page)
    await page.getByRole("alert").waitFor()
    await fill(page)
    expect(await page.getByRole("alert").textContent()).toBe("Remplissez ce champ.")
  })

  test("a file that is gone since it was chosen is named at its field, and nothing else is blamed", async () => {
    const described = { fields: [{ name: "cv", label: "Votre CV", type: "file", accept: ["text"] }] }
    const html = (action: string) =>
      `<main><form action="${action}" method="post" enctype="multipart/form-data"><label>Votre CV <input type="file" name="cv"></label><button>Envoyer</button></form></main>`
    await using page = await site.visit(described, html)
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
    expect(await site.stored(page)).toEqual([])
    await writeFile(path, "Camille")
    await page.getByLabel("Votre CV").setInputFiles(path)
    await send(page)
    await page.getByText("Votre message a bien été envoyé.").waitFor()
    expect(await site.stored(page)).toMatchObject([{ values: { cv: "mon cv.txt" } }])
    await rm(folder, { recursive: true })
  })

  test("an error about the whole form is shown at its end, unchanged", async () => {
    await using page = await site.visit()
    await site.api.delete(`/api/v1/forms/${page.formId}`)
    await send(page)
    expect(await page.getByRole("alert").textContent()).toBe("Ce formulaire n’existe pas ou n’existe plus.")
  })

  test("hostile values and sentences stay text", async () => {
    await using page = await site.visit()
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
})
