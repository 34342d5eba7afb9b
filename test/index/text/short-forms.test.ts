import { expect, test } from "bun:test"
import { writtenOut } from "../../../src/index/text/short-forms.ts"

const on = (used: string[], language: "fr" | "en" = "fr") => ({
  language,
  frequency: (term: string) => (used.includes(term) ? 3 : 0),
})

test.each([
  ["c koi le mdp ?", "c’est quoi le mot de passe ?"],
  ["PK mon RDV est annulé svp", "pourquoi mon rendez-vous est annulé s’il vous plaît"],
  ["le num de tél du gardien", "le numéro de téléphone du gardien"],
  ["un tel outil", "un tel outil"],
  ["comment dissoudre l’asso", "comment dissoudre l’association"],
  ["d'asso en asso", "d'association en association"],
])("what is typed on a telephone is read as written out: « %s »", (typed, meant) => {
  expect(writtenOut(typed, on([]))).toBe(meant)
})

test("a short form that the site uses itself stays", () => {
  expect(writtenOut("payer en cb", on(["cb"]))).toBe("payer en cb")
  expect(writtenOut("payer en cb", on([]))).toBe("payer en carte bancaire")
})

test("an English question stays as it is", () => {
  expect(writtenOut("the pk of a table", on([], "en"))).toBe("the pk of a table")
})
