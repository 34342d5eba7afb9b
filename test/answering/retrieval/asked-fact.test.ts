import { expect, test } from "bun:test"
import {
  type FactKind,
  factAsked,
  givesFact,
  namesFact,
} from "../../../src/answering/retrieval/asked-fact.ts"

test.each([
  ["c’est quoi le numéro de téléphone du gardien ?", "phone"],
  ["avez-vous un numéro pour les urgences ?", "phone"],
  ["quel est votre e-mail ?", "email"],
  ["quelle adresse mail pour une facture ?", "email"],
  ["comment vous joindre le dimanche ?", "contact"],
  ["à qui s’adresser pour une visite ?", "contact"],
  ["où se trouve le gymnase ?", "place"],
  ["le vestiaire est ou ?", "place"],
  ["quelle est l’adresse du gymnase ?", "place"],
  ["adresse du magasin", "place"],
  ["c’est dans quel coin ?", "place"],
  ["vous pouvez me donner votre numéro ?", "phone"],
  ["qui dirige la chorale ?", "person"],
  ["à quelle heure ouvre le gymnase ?", "hour"],
  ["d’où vient cette erreur ?", undefined],
  ["au cas où il pleut, que faire ?", undefined],
  ["le repas ou la visite ?", undefined],
  ["comment retirer mon numéro de téléphone ?", undefined],
] as [string, FactKind | undefined][])("« %s » asks for: %s", (question, kind) => {
  expect(factAsked(question, "fr")).toBe(kind)
})

test.each([
  ["Where is the gym?", "place"],
  ["who runs the choir?", "person"],
  ["do you have a phone number?", "phone"],
  ["how can I contact you?", "contact"],
  ["Email an invoice to a customer", undefined],
] as [string, FactKind | undefined][])("%j asks for: %s", (question, kind) => {
  expect(factAsked(question, "en")).toBe(kind)
})

test.each([
  ["phone", "Tél. : 05 55 01 02 03"],
  ["phone", "+33 5 55 01 02 03"],
  ["phone", "[Appelez-nous](tel:0555010203)"],
  ["phone", "Boutique : 514 555-0142"],
  ["phone", "Numéro vert 0800 123 456"],
  ["phone", "Bruxelles : 02 345 67 89"],
  ["phone", "Genève : 022 345 67 89"],
  ["phone", "0470 12 34 56"],
  ["phone", "London: 020 7946 0958"],
  ["phone", "En cas d’urgence, composez le 15 ou le 112."],
  ["phone", "**Pompiers** : 18"],
  ["phone", "Appelez le 3919, un service anonyme."],
  ["phone", "In an emergency, call 999."],
  ["email", "Écrivez à accueil@gymnase.example"],
  ["contact", "[Écrivez-nous](mailto:accueil@gymnase.example)"],
  ["place", "12 bis, rue des Lilas"],
  ["place", "19000 Tulle"],
  ["place", "Le vestiaire est situé au sous-sol."],
  ["person", "Cheffe de chœur : Anne Morel"],
  ["person", "Présidente (Morel)"],
  ["person", "Trésorier : Morel"],
  ["person", "- **Secrétaire** – Morel"],
  ["hour", "De 9h à 12h30"],
] as [FactKind, string][])("a %s stands in « %s »", (kind, text) => {
  expect(givesFact(text, kind, "")).toBe(true)
})

test.each([
  ["phone", "Commande numéro 12 345"],
  ["phone", "SIRET 888 792 840 600 024"],
  ["email", "Votre adresse e-mail est demandée."],
  ["place", "Le gymnase fut construit en 1954."],
  ["person", "La cheffe de chœur dirige la répétition."],
  ["person", "Le club est affilié à la Fédération Française."],
  ["person", "L’association Vélo Libre gère l’atelier."],
  ["person", "Les Amis du Parc tiennent la buvette."],
  ["phone", "Réunion du 01/02/2024 au 03 mars"],
  ["phone", "Compte 0012 345"],
  ["phone", "Appelez 15 jours avant la fête."],
  ["phone", "La police : 15 agents"],
  ["phone", "Exercice de secours le 15/03"],
  ["hour", "Les 72h du club, le 3 mai 2024."],
] as [FactKind, string][])("no %s stands in « %s »", (kind, text) => {
  expect(givesFact(text, kind, "")).toBe(false)
})

test("words that name the kind are told from what has it", () => {
  expect(["telephone", "gardien"].map((word) => namesFact(word, "phone"))).toEqual([true, false])
  expect(["heure", "gymnase"].map((word) => namesFact(word, "hour"))).toEqual([true, false])
})
