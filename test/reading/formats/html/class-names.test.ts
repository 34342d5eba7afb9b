import { expect, test } from "bun:test"
import { readHtml } from "../../../../src/reading/formats/html/read-html.ts"
import { readPage, textRead } from "../../../support/html-page.ts"

const text =
  "Le guichet répond du lundi au vendredi, de neuf heures à midi. Chaque demande reçoit un numéro, que vous retrouvez dans votre espace."
const names =
  `toc sidebar has-sidebar share newsletter cookies social feedback comments related breadcrumb menu footer header
  banner modal popup promo ad copy pagination follow`.split(/\s+/)

test.each(names)(
  "the class word %s on body, wrapper, section, heading or list removes no text of the page",
  (name) => {
    const list = `<ul class="${name}"><li>Une pièce d’identité en cours de validité, recto et verso.</li><li>Un justificatif de domicile récent.</li></ul>`
    const section = `<section class="${name}"><h2 class="${name}-title"><a class="${name}-backref" href="#id1">Horaires</a></h2><p>${text}</p>${list}</section>`
    const expected = [["Horaires", expect.stringContaining(text)]]
    const page = `<h1>Guide</h1>${section}`
    for (const html of [
      `<body class="${name}"><main>${page}</main></body>`,
      `<body><div class="${name}">${page}</div></body>`,
      `<body><div id="page" class="has-${name} ${name}"><div class="${name}-wrapper"><article>${page}</article></div></div></body>`,
      `<body class="page ${name}">${page}</body>`,
    ]) {
      const found = textRead(html)
      expect(found).toEqual(expected as never)
      expect(found[0]?.[1]).toContain("justificatif de domicile")
    }
  },
)

test.each([
  [
    "toc",
    '<div class="toc"><p>Sommaire</p><ul><li><a href="#a">Horaires</a></li><li><a href="#b">Adresse</a></li></ul></div>',
    "navigation",
  ],
  [
    "sidebar",
    '<div class="sidebar"><ul><li><a href="/a">Horaires</a></li><li><a href="/b">Adresse</a></li></ul></div>',
    "navigation",
  ],
  [
    "breadcrumb",
    '<div class="breadcrumb"><a href="/">Accueil</a> / <a href="/g">Guides</a> / Guide</div>',
    "navigation",
  ],
  [
    "share",
    '<div class="share">Partager : <a href="https://a.example">Facebook</a> <a href="https://b.example">LinkedIn</a></div>',
    "promotion",
  ],
  [
    "newsletter",
    '<div class="newsletter"><p>Restez informé</p><form><input type="email"><button>S’inscrire</button></form></div>',
    "promotion",
  ],
  [
    "feedback",
    '<div class="feedback">Cette page vous a-t-elle aidé ? <button>Oui</button> <button>Non</button></div>',
    "promotion",
  ],
  [
    "cookie-banner",
    '<div class="cookie-banner">Nous déposons des cookies. <button>Accepter</button></div>',
    "cookies",
  ],
  ["tarteaucitron", '<div id="tarteaucitronRoot">Gestion des cookies</div>', "cookies"],
])(
  "what is only links, labels, fields and buttons under the class word %s is left out",
  (_, part, reason) => {
    const document = readPage(`<body><h1>Guide</h1>${part}<p>${text}</p></body>`)
    expect(document.sections).toMatchObject([{ headings: [], markdown: text }])
    expect(document.html?.leftOut.map((left) => left.reason)).toEqual([reason] as never)
  },
)

test("a page about cookies in a box of that name is read, however short", () => {
  expect(
    textRead(
      '<body><nav><a href="/">Accueil</a></nav><div class="cookies"><p>Nous déposons trois cookies.</p></div></body>',
    ),
  ).toEqual([["", "Nous déposons trois cookies."]])
})

test("an article in main that is only a teaser of another page is not taken for the page's text", () => {
  const html = `<main><h1>Guide</h1><p>${text}</p><article class="card"><h2><a href="/b">Autre page</a></h2><p>Court.</p></article></main>`
  expect(textRead(html)[0]).toEqual(["", text])
})

test.each([
  ['<div id="app">Chargement…</div><script src="app.js"></script>', "reading.noText"],
  ["<main><p>You need to enable JavaScript to run this app.</p></main>", "reading.noText"],
  ['<div id="app"></div><script src="app.js"></script>', "reading.noText"],
  ['<nav><a href="/">Accueil</a></nav><div id="app"></div><footer>Mairie</footer>', "reading.nothingLeft"],
  ['<main data-guichet="ignore"><p>Texte.</p></main>', "reading.nothingLeft"],
])("why a page is empty is told truly: %s", (html, code) => {
  expect(readHtml(html, { path: "a", url: "https://docs.example/a" })).toMatchObject({
    leftOut: "empty",
    detail: { code },
  })
})
