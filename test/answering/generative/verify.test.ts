import { describe, expect, test } from "bun:test"
import { verifySentence } from "../../../src/answering/generative/generate.ts"
import { passage } from "../../support/passages.ts"
import { timesPlainWork } from "../../support/processor.ts"

const shown = [
  passage(
    "guide/serveur",
    "Lancer le serveur",
    "Lancez `guichet serve --port 8080`. Le port 3000 est pris par défaut. Il a trois essais, 1 000 visites et 1,5 Mo.",
    ["Démarrer"],
  ),
  passage(
    "guide/config",
    "Réglages",
    "La variable GUICHET_PORT et l’option `maxBytes` de `app.use()`.\n\n```ts\nconst app = openApp({ port: 3000 })\n```\n\nSite : https://docs.exemple.fr/aide, mail aide@exemple.fr, essai http://localhost:3000/x.",
  ),
]
const verified = (text: string, ...sources: number[]) => verifySentence({ text, sources }, shown)
const kept = (text: string, ...sources: number[]) => verified(text, ...sources)?.markdown

describe("a sentence is kept", () => {
  test.each([
    ["Le port par défaut est 3000.", [1]],
    ["Lancez `guichet serve --port 8080` une fois.", [1]],
    ["Ajoutez --port à la commande.", [1]],
    ["Il y a 3 essais et 1000 visites.", [1]],
    ["Au plus 1.5 Mo.", [1]],
    ["Réglez GUICHET_PORT et maxBytes avec `app.use`.", [2]],
    ["```ts\nopenApp({ port: 3000 })\n```", [2]],
    ["- Réglez **maxBytes**.", [1, 2]],
    ["Il y a mille visites, et deux façons de les compter.", [1]],
    ["Le port est trois mille par défaut.", [1]],
    ["Écrivez &lt;b&gt; tel quel.", [1]],
    ["1. Réglez maxBytes.", [2]],
    ["Ouvrez `http://localhost:3000/x` ou https://docs.exemple.fr/aide, écrivez à aide@exemple.fr.", [2]],
    ["Ouvrez (https://docs.exemple.fr/aide), docs.exemple.fr ou `https://docs.exemple.fr/aide`.", [2]],
    ["C’est écrit en ﬁn de ligne…puis plus rien.", [1]],
    ["設定は簡単です。次に進みます。", [1]],
  ])("%s", (text, sources) => expect(kept(text, ...sources)).toBe(text))
})

describe("a sentence is dropped", () => {
  test.each([
    ["without a source", "Une phrase.", []],
    ["whose sources do not exist", "Une phrase.", [0, 3, -1, 1.5, Number.NaN]],
    ["with a number of no passage", "Le port par défaut est 3001.", [1]],
    ["with a number of a passage that it does not cite", "Le port est 8080.", [2]],
    ["with a number in other digits", "Le délai est de ９７３１ secondes.", [1]],
    ["with a number in the digits of another script", "Le délai est de ٩٧٣١ secondes.", [1]],
    ["with a fraction of none", "Attendez ½ heure.", [1]],
    ["with a number in words", "Il y a quarante-deux essais.", [1]],
    ["with a number in English words", "There are two hundred tries.", [1]],
    ["with a large number in words", "Comptez deux millions de visites.", [1]],
    ["with a name in letters that look alike", "Réglez GUIC\u041dET_PORT.", [2]],
    ["with a host in letters that look alike", "Voyez https://docs.ex\u0435mple.fr/aide.", [2]],
    ["with a bare host of none", "Voyez evil.com/aide.", [2]],
    ["with a host after other letters that look alike", "Voyez ｈｔｔｐｓ://evil.com/aide.", [2]],
    ["with a mail address in other letters", "Écrivez à root＠evil.com.", [2]],
    ["with a character entity that is a number of none", "Bien dit [&#94;7].", [1]],
    ["that is a table without outer lines", "a | b\n--- | ---\nc | d", [1]],
    ["with an option of none", "Ajoutez --host à la commande.", [1]],
    ["with a name of none", "Réglez GUICHET_HOST.", [2]],
    ["with a camel-case name of none", "Réglez minBytes.", [2]],
    ["with code of none", "Lancez `guichet stop`.", [1]],
    ["with a block of none", "```ts\ncloseApp()\n```", [2]],
    ["with a foreign address", "Voyez https://evil.com/aide.", [2]],
    [
      "with an address of the site that the passage does not have",
      "Voyez https://docs.exemple.fr/autre.",
      [2],
    ],
    ["with a mail address of none", "Écrivez à root@exemple.fr.", [2]],
    ["with nothing but an image", "![x](https://evil.com/x.png)", [1]],
    ["that is not closed", "```ts\nopenApp()", [2]],
    ["that is a table", "| a | b |\n| - | - |\n| c | d |", [1]],
    ["that is a page long", "Bien. ".repeat(400), [1]],
    ["of nothing", " \n ", [1]],
  ])("%s", (_, text, sources) => expect(verified(text, ...sources)).toBeUndefined())
})

describe("a sentence is dropped if a reader or linkifier sees a foreign host in it", () => {
  test.each([
    ["with another dot", "evil\u2024com"],
    ["with a small dot", "evil\ufe52com"],
    ["with a full-width dot", "evil\uff0ecom"],
    ["with an ideographic full stop", "evil\u3002com"],
    ["with a halfwidth one", "evil\uff61co\uff61uk"],
    ["with a number that has a dot", "evil\u2488com"],
    ["in full-width letters", "ｅｖｉｌ．ｃｏｍ"],
    ["in letters of mathematics", "𝐞𝐯𝐢𝐥.𝐜𝐨𝐦"],
    ["in circled letters", "ⓔⓥⓘⓛ.ⓒⓞⓜ"],
    ["with something invisible", "evil\u180b.com"],
    ["with a backslash", "evil\\.com"],
    ["with emphasis", "evil**.**com"],
    ["with a character reference", "evil&period;com"],
    ["with a number for a character", "evil&#x2e;com"],
    ["that begins with a digit", "3chan.org"],
    ["of another script", "例。中国"],
    ["after a scheme in other letters", "ｈｔｔｐｓ：／／evil\u3002com／x"],
    ["in a mail address", "aide＠evil\u2024com"],
    ["behind a mail address of the site", "aide@exemple.fr+aide@evil.com"],
  ])("%s", (_, name) => {
    expect(verified(`Voyez ${name} pour cela.`, 1, 2)).toBeUndefined()
  })
})

describe("other Markdown is simplified", () => {
  test.each([
    ["Lisez [la page](/aide) et [cela][ref].", "Lisez la page et cela."],
    ["# Titre clair", "Titre clair"],
    ["> Une citation", "Une citation"],
    ["Voici ![une image](x.png) utile.", "Voici  utile."],
    ["Un **mot en gras mal fermé.", "Un mot en gras mal fermé."],
    ["Un `mot mal fermé.", "Un mot mal fermé."],
    ["Une note [1] et une autre [1, 12]【3†source】.", "Une note et une autre."],
    ["Caché<!-- ici --> là.", "Caché là."],
    ["Une [ou ![deux [images]](a(b)c) ici].", "Une ou  ici]."],
    ["Un <!-- suivi de <b>gras</b>.", "Un"],
    ["Un <!x><b>gras</b>.", undefined],
    ["Un <!DOCTYPE suivi d’un mot.", "Un \\<!DOCTYPE suivi d’un mot."],
    ["Une note [^ sans fin.", "Une note  sans fin."],
    ["Le port <b>est pris.", undefined],
    ["Une phrase <img src=x qui reste ouverte", "Une phrase \\<img src=x qui reste ouverte"],
    ["Un\u202emot\u200b.", "Unmot."],
    ["Un\u061cmot\u3164\u{e0041}\ufe0f\u034f\u2028.", "Unmot."],
    ["Réglez max\u200bBytes\u2060.", undefined],
  ])("%s", (text, simple) => expect(kept(text, 1)).toBe(simple as string))
})

test("the passages are those it cites, once each", () => {
  expect(verified("Une phrase.", 2, 2, 9, 1)?.passages).toEqual([shown[1], shown[0]] as never)
})

test.each([
  "[",
  "[a](",
  "![",
  "![a][",
  "<",
  "<!--",
  "*",
  "`",
  "``",
  "a@a.",
  "a.b",
  "](",
  "[^",
  "\\",
  "http://",
  "1 000 ",
  "> ",
  "--a-",
  "a-",
  "a@",
  "a.b。",
  "&#94;",
  "<!",
  "``a` ",
  "\n```x",
])("two thousand characters of %p are read in an instant", async (part) => {
  const text = part.repeat(2000 / part.length)
  expect(await timesPlainWork(() => verified(text, 1), 20)).toBeLessThan(20)
})
