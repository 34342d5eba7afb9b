import { expect, test } from "bun:test"
import { givesQuantity, type QuantityKind, quantityAsked } from "../../../src/answering/retrieval/quantity.ts"

test.each([
  ["combien coûte la licence ?", "price"],
  ["le tarif réduit c'est combien ?", "price"],
  ["Quels jours le club s'entraîne-t-il ?", "date"],
  ["le musée ouvre à quelle heure ?", "hour"],
  ["le stage, c'est quand ?", "date"],
  ["Quand commence la saison ?", "date"],
  ["combien d'heures dure la visite ?", "time"],
  ["combien dure la visite ?", "time"],
  ["combien de places ?", "number"],
  ["quel est le numéro du gardien ?", "number"],
  ["À quelle date sort la version 4 ?", "date"],
  ["c'est quand le vide-grenier ?", "date"],
  ["la piscine est ouverte quand ?", "date"],
  ["vous êtes ouvert quand le dimanche ?", "date"],
  ["combien je paie quand je suis étudiant ?", "price"],
  ["combien de livres quand je suis étudiant ?", "number"],
  ["ça fait combien ?", "price"],
  ["ça fait combien de places ?", "number"],
  ["c'est combien de temps la garantie ?", "time"],
  ["combien faut payer", "price"],
  ["combien de fois peut-on prolonger ?", "frequency"],
  ["c'est tous les combien la réunion ?", "frequency"],
  ["à quelle fréquence sort la lettre ? quelle fréquence ?", "frequency"],
  ["ça plante quand je clique", undefined],
  ["Quand utiliser un filtre ?", undefined],
  ["Comment s'inscrire ?", undefined],
] as [string, QuantityKind | undefined][])("« %s » asks for: %s", (question, kind) => {
  expect(quantityAsked(question, "fr")).toBe(kind)
})

test.each([
  ["What time does the pool open?", "hour"],
  ["How long must a secret be?", "number"],
  ["How long is a session kept?", "time"],
  ["How many days do I have?", "time"],
  ["How often is the newsletter sent?", "frequency"],
  ["How many books can I keep when I am a student?", "number"],
  ["How does it work?", undefined],
] as [string, QuantityKind | undefined][])("%j asks for: %s", (question, kind) => {
  expect(quantityAsked(question, "en")).toBe(kind)
})

test.each([
  ["date", "Répétition tous les jeudis de 18 h à 19 h 30."],
  ["date", "La grille ouvre à 8h."],
  ["date", "Vous recevez le colis sous 48 heures."],
  ["date", "Rendez-vous le 12/06."],
  ["date", "Closed on Mondays."],
  ["time", "Comptez une dizaine de jours."],
  ["time", "Data is kept for at most 90 days."],
  ["time", "Jusqu'à trois semaines."],
  ["time", "The key never changes: it lasts forever."],
  ["price", "La carte vaut quinze euros."],
  ["price", "L'entrée est **12** €."],
  ["price", "L'inscription est gratuite."],
  ["price", "Un budget de 10 k€."],
  ["price", "2 M€ de travaux."],
  ["price", "Le parking est payant."],
  ["price", "Tarif : sur devis."],
  ["price", "Participation libre."],
  ["price", "Available on request: request a quote."],
  ["date", "Le prélèvement a lieu le 26 de chaque mois."],
  ["date", "Paid on the 5th of each month."],
  ["date", "Fermé pendant les vacances scolaires."],
  ["frequency", "La revue est trimestrielle."],
  ["frequency", "Le bureau se réunit tous les trimestres."],
  ["frequency", "Une lettre bimensuelle."],
  ["frequency", "Trois contrôles : 2 fois par an."],
  ["frequency", "A quarterly report."],
  ["frequency", "Un prêt est prolongé deux fois."],
  ["frequency", "L'examen se repasse une seule fois."],
  ["frequency", "Le prix se règle en 3 fois."],
  ["frequency", "Vous en changez sans limite."],
  ["frequency", "Une copie est faite chaque nuit."],
  ["frequency", "You can try up to three times."],
  ["frequency", "A loan is extended once."],
  ["frequency", "La vidange se fait tous les 15 000 km."],
  ["frequency", "Backups run every 6 hours."],
  ["number", "Il y a vingt-cinq places."],
  ["number", "Twelve seats."],
  ["number", "Gardien : 05 55 01 02 03"],
] as [QuantityKind, string][])("a %s stands in « %s »", (kind, text) => {
  expect(givesQuantity(text, kind, "")).toBe(true)
})

test.each([
  ["date", "La copie dure 30 secondes."],
  ["price", "Il y a 40 places."],
  ["time", "Il y a 40 places."],
  ["number", "Les places sont comptées."],
  ["time", "L’assemblée annuelle du club."],
  ["frequency", "La revue paraît depuis longtemps."],
  ["frequency", "Une fois inscrit, prolongez le prêt."],
  ["frequency", "Once you are registered, extend the loan."],
] as [QuantityKind, string][])("no %s stands in « %s »", (kind, text) => {
  expect(givesQuantity(text, kind, "")).toBe(false)
})

test("a number of the question answers nothing, in digits or in words", () => {
  expect(givesQuantity("Pour deux personnes.", "number", "combien de lits pour deux personnes ?")).toBe(false)
  expect(givesQuantity("Pour 2 personnes.", "number", "combien de lits pour 2 personnes ?")).toBe(false)
})

test.each([
  ["combien d'élèves à l'école ?", "La mairie offre un dictionnaire à 18 € par élève."],
  ["combien d'adhérents ?", "20 % des adhérents sont venus le 12 mars à 16 h 30."],
  ["combien de classes ?", "Les classes ont ouvert en 1998."],
  ["How many seats are there?", "Seats cost $12 since 2019."],
])("no number of another role answers « %s »", (question, text) => {
  expect(givesQuantity(text, "number", question)).toBe(false)
})

test("a number that counts answers beside others", () => {
  expect(givesQuantity("80 élèves paient 18 €.", "number", "combien d'élèves à l'école ?")).toBe(true)
  expect(givesQuantity("Il faut 18 €.", "number", "combien d'euros faut-il ?")).toBe(true)
})
