import type { Locator, Page } from "playwright-core"

/** How somebody acts on a page. */
export interface Hand {
  fill(field: Locator, text: string): Promise<void>
  /** A button, a link, a summary. */
  press(wanted: Locator): Promise<void>
  tick(box: Locator): Promise<void>
  /** One of a list, by what it is called. */
  choose(list: Locator, label: string): Promise<void>
}

export const mouse: Hand = {
  fill: (field, text) => field.fill(text),
  press: (wanted) => wanted.click(),
  tick: (box) => box.click(),
  choose: async (list, label) => void (await list.selectOption({ label })),
}

/** Everything is reached by the tabulator alone. */
export function keyboard(page: Page): Hand {
  return {
    async fill(field, text) {
      await reach(page, field)
      await page.keyboard.press("ControlOrMeta+a")
      await page.keyboard.press("Delete")
      // An Enter would send the form.
      await page.keyboard.insertText(text)
    },
    async press(wanted) {
      await reach(page, wanted)
      await page.keyboard.press("Enter")
    },
    async tick(box) {
      const name = await box.evaluate(({ type, name }: HTMLInputElement) => (type === "radio" ? name : ""))
      if (name === "") {
        await reach(page, box)
        return page.keyboard.press("Space")
      }
      // A group of radio buttons is one stop, from which the arrow keys lead on.
      await reach(page, page.locator(`input[name="${name}"]:checked`))
      while (!(await box.isChecked())) await page.keyboard.press("ArrowRight")
    },
    async choose(list, label) {
      await reach(page, list)
      // A letter that no key of this keyboard has would go where text was last typed.
      await page.keyboard.type(label.replace(/[^ -~].*/, ""))
    },
  }
}

/** As often as it takes. */
async function reach(page: Page, wanted: Locator): Promise<void> {
  await wanted.waitFor()
  for (let presses = 0; presses < 150; presses++) {
    if (await wanted.evaluate((element) => element === document.activeElement)) return
    await page.keyboard.press("Tab")
  }
  throw new Error("it cannot be reached by the keyboard")
}
