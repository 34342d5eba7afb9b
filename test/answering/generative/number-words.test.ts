import { expect, test } from "bun:test"
import { numbersInWords } from "../../../src/answering/generative/number-words.ts"

test.each([
  ["quarante-deux essais", [42]],
  ["deux mille cinq cents visites", [2500]],
  ["cent vingt jours", [120]],
  ["soixante et onze, puis quatre-vingt-dix-sept", [71, 97]],
  ["quatre-vingts", [80]],
  ["deux millions trois cent mille", [2_300_000]],
  ["twenty-four hours", [24]],
  ["two hundred and five thousand", [205_000]],
  ["a thousand", [1000]],
  ["vingt pour cent", [20]],
  ["ten per cent", [10]],
  ["trois, vingt", [3, 20]],
  ["les deux autres", [2]],
  ["une centaine de sixtes", []],
] as const)("%s", (text, values) => expect(numbersInWords(text)).toEqual([...values]))
