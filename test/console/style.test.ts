import { expect, test } from "bun:test"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { style } from "../../src/console/style.ts"

// A reader guesses where a rule stands: beside the pages of the one area that it is for, or else in the kit.

const root = join(import.meta.dir, "../../src/console")
const files = readdirSync(root, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(root, join(entry.parentPath, entry.name)))
const sheets = files
  .filter((file) => file.endsWith(".css"))
  .map((file) => ({ file, area: areaOf(file), selectors: selectorsIn(textOf(file)) }))
const pages = files
  .filter((file) => /\.tsx?$/.test(file))
  .map((file) => ({ area: areaOf(file), classes: classesIn(textOf(file)) }))

/** The areas whose pages use a class. */
const usersOf = (name: string) =>
  new Set(pages.filter(({ classes }) => classes.has(name)).map(({ area }) => area))

test("pages load every style sheet, as one file", () => {
  expect(sheets.map(({ file }) => file).filter((file) => !style.includes(textOf(file)))).toEqual([])
})

test("every class of a style sheet is used", () => {
  const dead = sheets.flatMap(({ file, selectors }) =>
    selectors
      .flatMap(classesOf)
      .filter((name) => usersOf(name).size === 0)
      .map((name) => `${file}: .${name}`),
  )
  expect(dead).toEqual([])
})

test("a rule stands with its area, and the kit's are shared", () => {
  const misplaced = sheets.flatMap(({ file, area, selectors }) =>
    selectors.flatMap((selector) => {
      const users = classesOf(selector).map(usersOf)
      const isRight =
        area === "kit"
          ? users.every((areas) => areas.has("kit") || areas.size > 1)
          : users.length === 0 || users.some((areas) => areas.has(area))
      return isRight ? [] : [`${file}: ${selector}`]
    }),
  )
  expect(misplaced).toEqual([])
})

test("a class of one area has no rule of its own in the sheet of another", () => {
  const namesOf = (selectors: string[]) => selectors.filter((selector) => /^\.[a-z][\w-]*$/.test(selector))
  const owners = sheets
    .filter(({ area }) => area !== "kit")
    .flatMap(({ area, selectors }) => [...new Set(namesOf(selectors))].map((name) => ({ area, name })))
  const shared = [...Map.groupBy(owners, ({ name }) => name)].filter(([, areas]) => areas.length > 1)
  expect(shared.map(([name]) => name)).toEqual([])
})

function textOf(file: string): string {
  return readFileSync(join(root, file), "utf8")
}

function areaOf(file: string): string {
  return dirname(file).split("/")[0] as string
}

/** One for each rule. */
function selectorsIn(css: string): string[] {
  const rules = css.replace(/\/\*[\s\S]*?\*\//g, "").matchAll(/([^{};]+)\{/g)
  return [...rules]
    .map(([, selector = ""]) => selector.trim())
    .filter((selector) => !selector.startsWith("@"))
}

function classesOf(selector: string): string[] {
  return [...selector.matchAll(/\.([a-z][\w-]*)/g)].map(([, name = ""]) => name)
}

/**
 * Classes that a page or script gives: by `class`, by the types of tones and moods, by the looks of controls, or by a
 * script's `classList`.
 */
function classesIn(code: string): Set<string> {
  const given = code.matchAll(
    /\bclass=(?:"([^"]*)"|\{((?:[^{}]|\{[^{}]*\})*)\})|(?:\btone: |\b\w+Class: |type Mood = |classList\.)([^\n]*)/g,
  )
  const texts = [...given].flatMap(([, text, chosen = "", named = ""]) =>
    text === undefined
      ? [...(chosen + named).matchAll(/["'`]([^"'`]*)["'`]/g)].map(([, each = ""]) => each)
      : [text],
  )
  return new Set(texts.flatMap((text) => text.replace(/\$\{[^}]*\}/g, " ").match(/[a-z][\w-]*/g) ?? []))
}
