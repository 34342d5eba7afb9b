import { fold } from "../../base/text.ts"
import type { Field } from "./field.ts"

/**
 * The `autocomplete` of HTML: what a browser may fill a field in with, by the words of its label or its variable
 * name as a whole: « Votre nom » is the visitor's, « Nom du spectacle » is not.
 */
export function autocompleteOf(
  { type, name, label }: Pick<Field, "type" | "name" | "label">,
  others: readonly Pick<Field, "type" | "name" | "label">[],
): string | undefined {
  const own = ofType[type]
  if (own) return own
  const purposes = type === "date" ? dates : type === "text" || type === "textarea" ? texts : undefined
  const purpose = purposes?.get(foldedWords(label)) ?? purposes?.get(foldedWords(name))
  // Beside the first name, « Nom » is the family name.
  if (purpose === "name" && others.some((other) => texts.get(foldedWords(other.label)) === "given-name"))
    return "family-name"
  return purpose === "street-address" && type === "text" ? "address-line1" : purpose
}

const ofType: Partial<Record<Field["type"], string>> = { email: "email", tel: "tel", url: "url" }

const texts = words({
  name: "nom, nom et prenom, prenom et nom, nom complet, nom prenom, name, full name",
  "given-name": "prenom, first name",
  "family-name": "nom de famille, last name",
  organization: "societe, entreprise, organisme, organisation, association, raison sociale, company",
  "organization-title": "fonction, poste, job title",
  "street-address": "adresse, adresse postale, rue, address",
  "postal-code": "code postal, cp, postcode, zip",
  "address-level2": "ville, commune, city",
  "country-name": "pays, country",
})
const dates = words({ bday: "date de naissance, ne le, nee le, birthday" })

function words(of: Record<string, string>): ReadonlyMap<string, string> {
  const pairs = Object.entries(of).flatMap(([token, known]) => known.split(", ").map((each) => [each, token]))
  return new Map(pairs as [string, string][])
}

/** Without article, case and accents: `votre_prenom` is `prenom`. */
function foldedWords(text: string): string {
  return fold(text.slice(0, 100))
    .replace(/[^a-z0-9]+/g, " ")
    .trim()
    .replace(/^(?:votre|vos|your|ma?|mon) /, "")
}
