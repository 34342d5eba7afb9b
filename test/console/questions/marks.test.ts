import { expect, test } from "bun:test"
import { type Mark, marked } from "../../../src/console/questions/chosen/markdown-marks.ts"

// The buttons above a chosen answer write Markdown. A text here has its selection between `⟦` and `⟧`.

const press = (shown: string, mark: Mark) => {
  const from = shown.indexOf("⟦")
  const to = shown.indexOf("⟧") - 1
  const value = shown.replace(/[⟦⟧]/g, "")
  const change = marked(value, from, to, mark)
  const text = value.slice(0, change.from) + change.text + value.slice(change.to)
  const [start, end] = change.selected
  return `${text.slice(0, start)}⟦${text.slice(start, end)}⟧${text.slice(end)}`
}

test("bold is put around what is selected, and taken away again", () => {
  expect(press("un ⟦mot⟧ ici", "bold")).toBe("un **⟦mot⟧** ici")
  expect(press("un **⟦mot⟧** ici", "bold")).toBe("un ⟦mot⟧ ici")
  expect(press("⟦⟧", "bold")).toBe("**⟦⟧**")
})

test("the lines touched become a list after an empty line, and lines again", () => {
  expect(press("a⟦\nb⟧", "list")).toBe("- a\n- b⟦⟧")
  expect(press("Voici :\n⟦un\ndeux⟧\nfin", "list")).toBe("Voici :\n\n- un\n- deux⟦⟧\nfin")
  expect(press("- a\n- ⟦b⟧", "list")).toBe("- a\n- ⟦b⟧".replace("⟦b⟧", "b⟦⟧").replace(/^- a\n- b/, "- a\nb"))
  expect(press("⟦- a\n- b⟧", "list")).toBe("a\nb⟦⟧")
})

test("of a link, the address is typed next; without words, they are", () => {
  expect(press("voir ⟦la page⟧.", "link")).toBe("voir [la page](⟦https://⟧).")
  expect(press("voir ⟦⟧.", "link")).toBe("voir [⟦⟧](https://).")
})
