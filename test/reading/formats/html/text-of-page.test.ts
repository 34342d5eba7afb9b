import { expect, test } from "bun:test"
import { readHtml } from "../../../../src/reading/formats/html/read-html.ts"
import { readPage, textRead } from "../../../support/html-page.ts"

const linked = (text: string, href = "/x") =>
  textRead(`<main><h1>A</h1><p>Texte.</p><p><a href="${href}">${text}</a></p></main>`)[0]?.[1] ?? ""

test.each([
  ["Écrire", "mailto:accueil@exemple.fr"],
  ["Appeler", "tel:+33123456789"],
  ["01 23 45 67 89", "/x"],
  ["Tarif : 12 €", "/x"],
  ["accueil@exemple.fr", "/x"],
  ["Formulaire de demande", "/x"],
  ["Modifier mes coordonnées bancaires", "/x"],
  ["Signaler un changement de situation", "/x"],
])("a paragraph that is only the link %s to %s is read", (text, href) => {
  expect(linked(text, href)).toContain(text)
})

test.each([
  "Essayer",
  "Modifier cette page",
  "Retour en haut",
  "Lire la suite de l’article",
  "Edit this page",
  "Voir sur GitHub",
  "Essayer en ligne",
  "Signaler une erreur",
  "Skip to main content",
  "2",
  "Next",
  "Haut",
])("a paragraph that is only the link %s says nothing", (text) => expect(linked(text)).toBe("Texte."))

test.each([
  ['<h2><span class="visually-hidden">Nos </span>horaires</h2><p>Midi.</p>', "Nos horaires"],
  ['<h2 class="sr-only">Horaires</h2><p>Midi.</p>', "Horaires"],
  [
    '<h2>Horaires <a href="#h"><span class="sr-only">Lien vers cette section</span></a></h2><p>Midi.</p>',
    "Horaires",
  ],
  [
    '<h2><a href="https://a.example">Horaires<span class="fr-sr-only"> - nouvelle fenêtre</span></a></h2><p>Midi.</p>',
    "Horaires",
  ],
])("words for those who hear the page, in a heading: %s", (html, heading) => {
  expect(textRead(`<main><h1>A</h1>${html}</main>`)).toEqual([[heading, "Midi."]])
})

test.each([
  ['<span class="icon" aria-hidden="true"></span><span class="sr-only">Oui</span>', "Oui"],
  ['<img src="oui.png" alt="Inclus">', "Inclus"],
  ['<img src="oui.png" alt="">', ""],
  ['<a href="/x">Voir<span class="sr-only"> (nouvelle fenêtre)</span></a>', "[Voir](https://docs.example/x)"],
])("a cell says %s", (cell, said) => {
  const table = `<table><tr><th>Offre<th>Appels</tr><tr><td>Solo<td>${cell}</tr></table>`
  expect(textRead(`<main><h1>A</h1>${table}</main>`)[0]?.[1]).toEndWith(`| Solo | ${said} |`)
})

test.each(["d-none d-lg-table-cell", "hidden md:table-cell", "fr-hidden fr-unhidden-md"])(
  "a column of the classes %s is read",
  (classes) => {
    const table = `<table><tr><th>Offre<th class="${classes}">Prix</tr><tr><td>Solo<td class="${classes}">5 €</tr></table>`
    expect(textRead(`<main><h1>A</h1>${table}</main>`)[0]?.[1]).toBe(
      "| Offre | Prix |\n| --- | --- |\n| Solo | 5 € |",
    )
  },
)

test.each([
  ['<p data-guichet="ignore">Non.</p>'],
  ["<p data-nosnippet>Non.</p>"],
  ['<div data-pagefind-ignore="all"><p>Non.</p></div>'],
  ["<!--googleoff: index--><p>Non.</p><!--googleon: index-->"],
  ["<!-- googleoff: all --><div><p>Non.</p></div><div>Non. <!-- googleon: all --></div>"],
  ['<p class="robots-nocontent">Non.</p>'],
])("what its owner marks is not read: %s", (part) => {
  const document = readPage(`<main><h1>A</h1><p>Avant.</p>${part}<p>Après.</p></main>`)
  expect(document.sections[0]?.markdown).toBe("Avant.\n\nAprès.")
  if (!part.includes("Non. <!--")) expect(document.html?.leftOut).toEqual([{ reason: "owner", text: "Non." }])
})

test("a mark about links alone, and values that keep nothing out, remove nothing", () => {
  const html =
    '<!--googleoff: anchor--><p>Un.</p><p data-guichet="">Deux.</p><p data-pagefind-ignore="false">Trois.</p>'
  expect(textRead(`<main><h1>A</h1>${html}</main>`)).toEqual([["", "Un.\n\nDeux.\n\nTrois."]])
})

test.each([
  [
    "MediaWiki",
    '<div id="content" class="mw-body" role="main"><h1 id="firstHeading">Guichet</h1><div id="siteSub" class="noprint">De Wikipédia</div><div id="mw-content-text"><div class="mw-heading"><h2 id="Usage">Usage</h2><span class="mw-editsection"><span>[</span><a href="/e">modifier</a><span>]</span></span></div><p>Texte.</p></div><div class="printfooter">Récupérée de « https://w.example »</div><div id="catlinks"><a href="/c">Catégorie</a> : <a href="/d">Service</a></div></div>',
    [["Usage", "Texte."]],
  ],
  [
    "Confluence",
    '<div id="main"><div id="main-header"><div id="breadcrumb-section"><ol id="breadcrumbs"><li><a href="index.html">Espace</a></li></ol></div><h1 id="title-heading"><span id="title-text">Guichet</span></h1></div><div id="content" class="view"><div class="page-metadata">Créé par <span class="author">A. Martin</span>, dernière modification le 3 mars</div><div id="main-content" class="wiki-content"><p>Texte.</p></div></div></div>',
    [["", "Texte."]],
  ],
  [
    "a site builder",
    '<body><h1>Guichet</h1><p>Texte.</p><p>Créé avec <a href="https://n.example">Notion</a></p></body>',
    [["", "Texte."]],
  ],
])("marks, crumbs, author and maker of %s are not text", (_, html, text) => {
  expect(textRead(html)).toEqual(text as never)
})

const posts = (n: number) =>
  Array.from(
    { length: n },
    (_, at) =>
      `<article class="post"><h2><a href="/p${at}">Nouvelle ${at}</a></h2><time>3 mars</time><p>Le début de la nouvelle, en une phrase.</p></article>`,
  ).join("")

test.each([
  ["posts by date", `<body class="archive date"><main><h1>Mars 2026</h1>${posts(3)}</main></body>`, "list"],
  [
    "links",
    `<main><h1>Sommaire</h1><ul><li><a href="/a">Obtenir une carte d’identité</a><li><a href="/b">Renouveler un passeport</a><li><a href="/c">Déclarer une naissance</a></ul></main>`,
    "list",
  ],
  [
    "a page that sends on",
    `<meta http-equiv="Refresh" content="0; URL='/b'"><p>Cette page a changé d’adresse.</p>`,
    "redirect",
  ],
])("a page of only %s is left out", (_, html, leftOut) => {
  expect(readHtml(html, { path: "a", url: "https://docs.example/a" })).toMatchObject({ leftOut })
})

const links = (item: (at: number) => string) => [1, 2, 3].map(item).join("")

test.each([
  [
    "tags/code",
    `<h1>Code</h1><ol class="postlist">${links((at) => `<li><a href="/p${at}">Nouvelle ${at} de la commune</a> <time>3 mars 2026</time></li>`)}</ol><p><a href="/tags">Toutes les étiquettes</a></p>`,
  ],
  [
    "tags/seul",
    '<h1>Code</h1><ul><li><a href="/p1">Une nouvelle</a> <span>3 mars 2026, par Anne Martin</span></li></ul>',
  ],
  [
    "auteurs/anne",
    `<h1>Anne</h1>${links((at) => `<div class="entry"><h2><a href="/p${at}">Nouvelle ${at}</a></h2><p>Le début de la nouvelle, en une phrase.</p></div>`)}`,
  ],
  [
    "page/2",
    `<h1>Blog</h1>${links((at) => `<section><h3><a href="/p${at}">Nouvelle ${at}</a></h3><p>Le début de la nouvelle, en une phrase.</p></section>`)}`,
  ],
  [
    "blog",
    `<h1>Blog</h1><ul class="post-list">${links((at) => `<li><span class="post-meta">3 mars 2026</span><h3><a class="post-link" href="/p${at}">Nouvelle ${at}</a></h3><p>Le début, en une phrase.</p><time>3 mars</time></li>`)}</ul>`,
  ],
  [
    "spip.php?rubrique1",
    `<h1>Vie quotidienne</h1><p>Les démarches de tous les jours.</p><ul>${links((at) => `<li class="hentry clearfix text-left"><strong><a href="spip.php?article${at}">Article ${at}</a></strong><br><small>20 novembre, par Mairie</small><div class="introduction entry-content"><p>Le repas coûte 3,40 € [1]. Réserver un repas</p></div></li>`)}</ul>`,
  ],
  [
    "accueil",
    `<h1>Nouvelles</h1>${links((at) => `<div class="post"><time>3 mars</time><h2><a href="/p${at}">Nouvelle ${at}</a></h2><p>Le début, en une phrase.</p></div>`)}`,
  ],
])("a list of posts at %s is left out, whatever its elements", (path, html) => {
  const page = { path, url: `https://docs.example/${path}` }
  expect(readHtml(`<body><main>${html}</main></body>`, page)).toMatchObject({ leftOut: "list" })
})

test("a sentence that says what an address is now for sends nobody on; one that links to the new place does", () => {
  const read = (text: string) =>
    readHtml(`<main><h1>Horaires</h1><p>${text}</p></main>`, { path: "h", url: "https://docs.example/h" })
  const link = '<a href="https://docs.example/plan">le plan</a>'
  expect(read(`La page est désormais à jour : ouvert le lundi. Voir ${link}.`)).toHaveProperty("sections")
  expect(read(`La page est désormais ici : ${link}.`)).toMatchObject({ leftOut: "redirect" })
})

test.each([
  [
    "services/archives",
    `<h1>Archives</h1><ul>${links((at) => `<li>Consulter <a href="/s${at}">la salle ${at}</a>, ouverte du lundi au vendredi sur présentation d’une pièce d’identité et sans rendez-vous préalable auprès du service.</li>`)}</ul>`,
  ],
  [
    "tags",
    "<h1>La balise de titre</h1><p>Une balise de titre dit de quoi la page parle, en peu de mots et une seule fois.</p><ul><li><a href='/a'>Exemple</a></li></ul>",
  ],
  [
    "actualites",
    `<h1>Actualités</h1><ul>${links((at) => `<li><a href="/p${at}"><span class="date">${at} octobre 2026</span><h3>Concert ${at}</h3><p>Avec la chorale du village, à la salle des fêtes.</p></a></li>`)}</ul>`,
  ],
  [
    "services",
    `<h1>Services</h1>${links((at) => `<div class="teaser"><h2><a href="/p${at}">Service ${at}</a></h2><p>Ce service est ouvert de neuf heures à midi.</p></div>`)}`,
  ],
])("a page at %s that says something itself is read", (path, html) => {
  const page = { path, url: `https://docs.example/${path}` }
  expect(readHtml(`<body><main>${html}</main></body>`, page)).toHaveProperty("sections")
})

test("a page that only says that it has moved leads elsewhere", () => {
  const html =
    '<main><h1>Piscine</h1><p>Cette page a été déplacée : voir <a href="/bassin">le grand bassin</a>.</p></main>'
  const page = { path: "a", url: "https://docs.example/a" }
  expect(readHtml(html, page)).toMatchObject({ leftOut: "redirect" })
  expect(readHtml(html.replace("Cette page", "Le service"), page)).toHaveProperty("sections")
})

test("a heading of MediaWiki is reached by its own name, not by the escaped one of former versions", () => {
  const html =
    '<main><h1>A</h1><h2><span id="Dur.C3.A9e"></span><span class="mw-headline" id="Durée">Durée</span></h2><p>Trois semaines.</p></main>'
  expect(readPage(html).sections[0]?.anchor).toBe("Durée")
})

test("DokuWiki's name of the page and of its file are not text", () => {
  const html =
    '<main><div class="pageId"><span>start</span></div><h1>A</h1><p>Texte.</p><div class="docInfo"><bdi>start.txt</bdi> · Dernière modification : 2026/03/03 par anne</div></main>'
  expect(textRead(html)).toEqual([["", "Texte."]])
})

test.each([
  [
    "auteurs",
    '<h1>Nos auteurs</h1><section><h2><a href="/livres">Les livres</a></h2><p>Les auteurs de la région sont présents au salon du livre.</p></section>',
  ],
  [
    "spip.php?article1",
    '<div class="content hentry"><h1>La piscine</h1><p>Elle ouvre à 10 h.</p><p>Voir <a href="spip.php?article2">les tarifs</a>.</p></div>',
  ],
])("a page of its own at %s is read", (path, html) => {
  expect(readHtml(`<main>${html}</main>`, { path, url: `https://docs.example/${path}` })).toHaveProperty(
    "sections",
  )
})

test.each([
  [
    "posts below its own text",
    `<main><h1>Aide</h1><p>${"Voici comment joindre le guichet et ce qu’il faut apporter. ".repeat(5)}</p>${posts(2)}</main>`,
  ],
  [
    "ways to reach somebody",
    `<main><h1>Contact</h1><ul><li><a href="mailto:a@exemple.fr">a@exemple.fr</a><li><a href="tel:0123456789">01 23 45 67 89</a><li><a href="/plan">Plan</a></ul></main>`,
  ],
  [
    "files",
    `<main><h1>Formulaires</h1><ul><li><a href="/a.pdf">Demande de carte (PDF)</a><li><a href="/b.pdf">Procuration</a><li><a href="/c.pdf">Déclaration de perte</a></ul></main>`,
  ],
  [
    "a refresh of itself",
    `<meta http-equiv="refresh" content="5"><main><h1>État</h1><p>Tout fonctionne.</p></main>`,
  ],
  [
    "a late refresh",
    `<meta http-equiv="refresh" content="600; url=/b"><main><h1>État</h1><p>Tout fonctionne.</p></main>`,
  ],
])("a page with %s is read", (_, html) => {
  expect(readHtml(html, { path: "a", url: "https://docs.example/a" })).toHaveProperty("sections")
})
