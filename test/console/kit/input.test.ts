import { expect, test } from "bun:test"
import { Type } from "@sinclair/typebox"
import { addressWith } from "../../../src/console/kit/components.tsx"
import { inputIn } from "../../../src/console/kit/forms/input.ts"
import { httpAddress, wholeOrNull } from "../../../src/http/record/schemas.ts"

const schema = Type.Object({
  name: Type.String(),
  site: httpAddress(),
  origins: Type.Array(httpAddress()),
  enabled: Type.Boolean(),
  per_day: wholeOrNull,
})
const read = (text: string) => inputIn(schema, new URLSearchParams(text))

test("a form's values become the fields of the operation that have their names, by kind", () => {
  expect(
    read(
      "name=+Guide+&site=exemple.fr&origins=a.fr%0D%0A%0D%0Ahttps://b.fr&origins=c.fr&enabled=off&other=x",
    ),
  ).toEqual({
    name: " Guide ",
    site: "https://exemple.fr",
    origins: ["https://a.fr", "https://b.fr", "https://c.fr"],
    enabled: false,
  })
  expect(read("enabled=on&per_day=1+000")).toEqual({ enabled: true, per_day: 1000 })
})

test("an empty number is none, and what is no number stays as it was typed, to be refused", () => {
  expect(read("per_day=")).toEqual({ per_day: null })
  for (const typed of ["-1", "1,5", "dix"])
    expect(read(`per_day=${encodeURIComponent(typed)}`)).toEqual({ per_day: typed })
})

test("an address takes further parameters before its fragment, without the empty ones", () => {
  expect(addressWith("/x", { a: "", b: undefined })).toBe("/x")
  expect(addressWith("/x?a=1#list", { cursor: "é&", b: undefined })).toBe("/x?a=1&cursor=%C3%A9%26#list")
})
