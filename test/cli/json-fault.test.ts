import { expect, test } from "bun:test"
import { faultyLine } from "../../src/cli/kit/json-fault.ts"

// The line on which a text ceases to be JSON, for whoever typed it.

const faults: [text: string, line: number][] = [
  ["", 1],
  ["{", 1],
  ['{\n "a": [\n  1,\n  2,\n ]\n}', 5],
  ['{"a":1,\n}', 2],
  ['{\n "a": 1\n "b": 2\n}', 3],
  ['{\n"a" 1}', 2],
  ["{\n 'a': 1}", 2],
  ["{\n1: 2}", 2],
  ['["a":\n1]', 1],
  ["[1,\n2}", 2],
  ["[\n,1]", 2],
  ['{\n"a": "x\n"}', 2],
  ['[\n"\\x"]', 2],
  ['{\n"a": 01}', 2],
  ['{\n"a": tru}', 2],
  ['{\n"a":\n1', 3],
  ["// comment\n{}", 1],
  ["{}\n{}", 2],
]

test.each(faults)("of %j it is line %i", (text, line) => {
  expect(() => JSON.parse(text)).toThrow()
  expect(faultyLine(text)).toBe(line)
})

test("what is JSON has none before its end", () => {
  for (const text of ['{"a":[1,{"b":null}],"c":"\\u00e9\u007f"}', "[[],{}]", "-1.5e3", '"s"']) {
    expect(() => JSON.parse(text)).not.toThrow()
    expect(faultyLine(`${text}\n\n  x`)).toBe(3)
  }
})
