import { expect, test } from "bun:test"
import { textRead } from "../../../support/html-page.ts"

// What stands above the only heading of a card belongs to it: the date of an event, its category, its place.

const said = [
  ["Concert", "Samedi 4 octobre, 20h\n\nAvec la chorale."],
  ["Vide-grenier", "Dimanche 12 octobre, 9h\n\nSur la place."],
] as [string, string][]

const cards = (card: (date: string, title: string, text: string) => string) =>
  `<main><h1>Agenda</h1>${card("Samedi 4 octobre, 20h", "Concert", "Avec la chorale.")}
${card("Dimanche 12 octobre, 9h", "Vide-grenier", "Sur la place.")}</main>`

test.each<[string, Parameters<typeof cards>[0]]>([
  ["article", (date, title, text) => `<article><p>${date}</p><h2>${title}</h2><p>${text}</p></article>`],
  [
    "section",
    (date, title, text) => `<section><time>${date}</time><h3>${title}</h3><p>${text}</p></section>`,
  ],
  [
    "div in a column",
    (date, title, text) =>
      `<div class="col"><div class="card"><span class="date">${date}</span><div><h3>${title}</h3>${text}</div></div></div>`,
  ],
  [
    "header",
    (date, title, text) =>
      `<article><header><p>${date}</p><h2>${title}</h2></header><p>${text}</p></article>`,
  ],
])("a date above the title of its %s", (_, card) => {
  expect(textRead(cards(card))).toEqual(said)
})

test("each item of a list of cards is read under its title", () => {
  const items = cards(
    (date, title, text) => `<li><a href="/x"><span>${date}</span><h3>${title}</h3><p>${text}</p></a></li>`,
  )
  expect(textRead(items.replace("</h1>", "</h1><ul>").replace("</main>", "</ul></main>"))).toEqual(said)
})

test("a sentence above the title of one of several cards goes with it", () => {
  const sentence = "Le samedi 4 octobre de 20 h à minuit, dans la grande salle des fêtes de Saint-Aubin."
  const html = `<main><h1>Agenda</h1><div class="event"><p>${sentence}</p><h3>Concert</h3><p>Libre.</p></div><div class="event"><p>Dimanche.</p><h3>Loto</h3><p>Deux euros.</p></div></main>`
  expect(textRead(html)).toEqual([
    ["Concert", `${sentence}\n\nLibre.`],
    ["Loto", "Dimanche.\n\nDeux euros."],
  ])
})

test.each([
  '<div class="event"><p>Samedi 4 octobre, 20h</p><h2>Concert</h2><p>Avec la chorale.</p><h3>Tarif</h3><p>Libre.</p></div>',
  "<section><p>Samedi 4 octobre, 20h</p><h2>Concert</h2><p>Avec la chorale.</p><h3>Tarif</h3><p>Libre.</p></section>",
])("a card with parts of its own keeps the date above its title: %s", (card) => {
  expect(textRead(`<main><h1>Agenda</h1><h2>Loto</h2><p>Dimanche.</p>${card}</main>`)).toEqual([
    ["Loto", "Dimanche."],
    ["Concert", "Samedi 4 octobre, 20h\n\nAvec la chorale."],
    ["Concert > Tarif", "Libre."],
  ])
})

test("numbered items are cards where their titles lead to pages, and else steps", () => {
  const items = (title: (text: string) => string) =>
    textRead(
      `<main><h1>A</h1><ol><li>${title("Concert")}<p>Libre.</p></li><li>${title("Loto")}<p>Deux euros.</p></li></ol></main>`,
    )
  expect(items((text) => `<h3><a href="/x">${text}</a></h3>`)).toEqual([
    ["Concert", "Libre."],
    ["Loto", "Deux euros."],
  ])
  expect(items((text) => `<h3>${text}</h3>`)[0]?.[1]).toStartWith("1. **Concert**")
})

test.each([
  "<section><p>Voici comment joindre la mairie.</p><h2>Horaires</h2><p>Midi.</p></section>",
  "<section><p>Nos services :</p><h2>Horaires</h2><p>Midi.</p></section>",
  "<p>Le 4 octobre</p><h2>Horaires</h2><p>Midi.</p>",
  "<div><p>Le 4 octobre</p><h2>Horaires</h2><p>Midi.</p><h2>Accès</h2><p>Bus.</p></div>",
])("text that introduces a page or several headings stays above: %s", (html) => {
  expect(textRead(`<main><h1>Mairie</h1>${html}</main>`)[0]?.[0]).toBe("")
})

test("the name of a tab without headings is not under the last heading of the tab before", () => {
  const tab = (name: string, text: string) => [
    `<button role="tab" aria-controls="${name}">${name}</button>`,
    `<div role="tabpanel" id="${name}">${text}</div>`,
  ]
  const tabs = [
    tab("Linux", "<h3>Par paquet</h3><p>Tapez apt.</p>"),
    tab("Windows", "<p>Téléchargez.</p>"),
    tab("macOS", "<p>Tapez brew.</p>"),
  ]
  const html = `<main><h1>Installer</h1><div role="tablist">${tabs.map(([name]) => name).join("")}</div><div>${tabs.map(([, panel]) => panel).join("")}</div></main>`
  expect(textRead(html).filter(([, text]) => text !== "")).toEqual([
    ["Linux > Par paquet", "Tapez apt."],
    ["Windows", "Téléchargez."],
    ["macOS", "Tapez brew."],
  ])
})

test.each([
  ["<p>Redémarrez ensuite.</p>", [["Paquets", "Redémarrez ensuite."]]],
  ["<h3>Après</h3><p>Redémarrez.</p>", [["Paquets > Après", "Redémarrez."]]],
  ["<h2>Après</h2><p>Redémarrez.</p>", [["Après", "Redémarrez."]]],
])("what follows tabs is not under the last of them: %s", (html, after) => {
  const tabs =
    '<div role="tablist"><button role="tab" aria-controls="l">Linux</button><button role="tab" aria-controls="w">Windows</button></div>'
  const panels =
    '<div role="tabpanel" id="l"><h3>Par paquet</h3><p>Tapez apt.</p></div><div role="tabpanel" id="w"><h3>À la main</h3><p>Téléchargez.</p></div>'
  const read = textRead(`<main><h1>A</h1><h2>Paquets</h2><p>Au choix.</p>${tabs}${panels}${html}</main>`)
  expect(read.filter(([, text]) => text !== "")).toEqual([
    ["Paquets", "Au choix."],
    ["Paquets > Linux > Par paquet", "Tapez apt."],
    ["Paquets > Windows > À la main", "Téléchargez."],
    ...after,
  ] as [string, string][])
})

test.each([
  ['<span class="name clip">Outil</span><span class="text">La doc</span>', "Outil La doc"],
  ['<span class="a">Guichet</span> <span class="b">répond</span>', "Guichet répond"],
  ['<span class="l">L</span><span class="e">e guide</span>', "Le guide"],
  ["<b>Java</b><i>Script</i>", "JavaScript"],
  ['<span class="x">outil</span><span class="y">.js</span>', "outil.js"],
])("a heading of several elements: %s", (html, heading) => {
  expect(textRead(`<main><h1>A</h1><h2>${html}</h2><p>Texte.</p></main>`)[0]?.[0]).toBe(heading)
})

test("a picture alone after a colon says its description", () => {
  const html =
    '<main><h1>A</h1><p>Cliquez sur :</p><p><img src="b.png" alt="Enregistrer"></p><p><img src="c.png" alt="Capture"></p></main>'
  expect(textRead(html)[0]?.[1]).toBe("Cliquez sur :\n\nEnregistrer")
})

test.each([
  '<div class="outils"><p>Partagez cet article avec vos amis</p><a href="https://www.facebook.com/sharer/sharer.php?u=x">Facebook</a><a href="https://x.com/intent/post?url=x">X</a><a href="mailto:?subject=x">E-mail</a></div>',
  '<ul><li><a href="https://wa.me/?text=x">WhatsApp</a></li><li><a href="https://t.me/share/url?url=x">Telegram</a></li></ul>',
  '<div class="partage">Partager cette page <button>Copier le lien</button></div>',
])("the words of a box that shares the page are none of its text: %s", (box) => {
  expect(
    textRead(
      `<main><h1>A</h1><p>Le bassin ferme à midi, sauf le dimanche et les jours fériés.</p>${box}</main>`,
    ),
  ).toEqual([["", "Le bassin ferme à midi, sauf le dimanche et les jours fériés."]])
})

test.each([
  '<div>Mairie : 2 rue Foch. <a href="https://wa.me/?text=x">Partager</a></div>',
  '<div><h2>Concert</h2><p>Place du marché</p><a href="https://www.facebook.com/sharer/sharer.php?u=x">Partager</a></div>',
])("a part that can be shared keeps its words: %s", (part) => {
  const texts = textRead(`<main><h1>A</h1><p>Le bassin ferme à midi, sauf le dimanche.</p>${part}</main>`)
  expect(JSON.stringify(texts)).toMatch(/2 rue Foch|Place du marché/)
})
