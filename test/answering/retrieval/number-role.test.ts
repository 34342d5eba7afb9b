import { expect, test } from "bun:test"
import { numbersInOtherRole } from "../../../src/answering/retrieval/number-role.ts"

test.each([
  ["j'ai 15 ans, je peux m'inscrire ?", "Réponse sous **15 jours**.", ["15"]],
  ["j'ai 15 ans, je peux m'inscrire ?", "Dès 15 ans, réponse sous 15 jours.", []],
  ["un enfant de 15 ans", "Les jeunes de 12 à 15, le mardi.", []],
  ["un abonnement de 20 €", "20 % de remise", ["20"]],
  ["can I pay 20 euros", "It takes 20 minutes.", ["20"]],
  ["que dit l'article 15 ?", "Réponse sous 15 jours.", []],
  ["150 €", "15 jours", []],
])("a number matches in its role only: %s – %s", (question, text, numbers) => {
  expect(numbersInOtherRole(question, text)).toEqual(numbers)
})
