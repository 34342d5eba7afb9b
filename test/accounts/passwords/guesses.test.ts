import { expect, test } from "bun:test"
import { dictionary } from "@zxcvbn-ts/language-common"
import { passwordLength } from "../../../src/accounts/password.ts"
import { openGuesses } from "../../../src/accounts/passwords/guesses.ts"

const isGuessable = openGuesses()

test("every breached password of the list that is long enough is refused", () => {
  const breached = (dictionary["passwords-common"] ?? []).map(String)
  const long = breached.filter((password) => [...password].length >= passwordLength.min)
  expect(long.length).toBeGreaterThan(300)
  expect(long.filter((password) => !isGuessable({ password, words: [] }))).toEqual([])
})

test("what people make of a common password, a keyboard, a name or a date is refused", () => {
  for (const password of [
    "password1234",
    "P@ssw0rd1234",
    "motdepasse123",
    "azertyuiop123",
    "qwertyuiop12",
    "123456789012",
    "aaaaaaaaaaaa",
    "bonjourbonjour",
    "Bonjour20262",
    "jeanpierre1975",
    "1234".repeat(64),
  ])
    expect([password, isGuessable({ password, words: [] })]).toEqual([password, true])
})

test("words of the context are no password, with a year and a sign behind them", () => {
  const words = ["guichet", "saintcirq", "brenod"]
  for (const password of ["guichet2026!", "Guichet-2026", "Saintcirq2026!!", "Brénod-2026-!"])
    expect([password, isGuessable({ password, words })]).toEqual([password, true])
})

test("several words without a link are good, and so is what a program chose", () => {
  for (const password of [
    "un mot de passe bien long",
    "cheval agrafe pile correct",
    "x7#kQ9!vLm2p",
    "éééà la mer, déjà",
  ])
    expect([password, isGuessable({ password, words: [] })]).toEqual([password, false])
})
