import { expect, test } from "bun:test"
import { citedText, hasMarkerInCode, markersIn } from "../../../src/answering/chosen/chosen-text.ts"

// Specification, part 2 A2: a marker `[^n]` refers to the source whose `n` is that number; the sources are those
// actually cited.

const source = (name: string) => ({ title: name, section: null, url: `https://docs.exemple.fr/${name}` })
const [a, b] = [source("a"), source("b")]

test("sources are numbered by their first marker", () => {
  expect(citedText("Un.[^2] Deux.[^1] Encore.[^2]", [a, b])).toEqual({
    answer: "Un.[^1] Deux.[^2] Encore.[^1]",
    sources: [
      { n: 1, ...b },
      { n: 2, ...a },
    ],
  })
})

test("a source without a marker is cited at the end", () => {
  expect(citedText("Un.[^2]", [a, b])?.answer).toBe("Un.[^1] [^2]")
  expect(citedText("Du code :\n\n```\nx\n```", [a])?.answer).toBe("Du code :\n\n```\nx\n```\n\n[^1]")
})

test("a source that is gone leaves with its markers, and nothing is cited without a source", () => {
  expect(citedText("Un [^1] et deux.[^2]", [undefined, b])).toEqual({
    answer: "Un et deux.[^1]",
    sources: [{ n: 1, ...b }],
  })
  expect(citedText("Un.[^1]", [undefined])).toBeUndefined()
})

test("two addresses of one passage are one source", () => {
  expect(citedText("Un.[^1] Deux.[^2]", [a, a])).toEqual({
    answer: "Un.[^1] Deux.[^1]",
    sources: [{ n: 1, ...a }],
  })
})

test("code keeps what looks like a marker, and is said to hold one", () => {
  expect(citedText("`[^1]` dit.[^1]", [a])?.answer).toBe("`[^1]` dit.[^1]")
  expect(markersIn("`[^3]` puis [^1]\n\n```\n[^4]\n```\n")).toEqual([1])
  expect(hasMarkerInCode("```\n[^4]\n```")).toBe(true)
  expect(hasMarkerInCode("[^4] `x`")).toBe(false)
})
