import { expect, test } from "bun:test"
import { textRead } from "../../../support/html-page.ts"

const answer = "Comptez dix jours ouvrés."

test.each([
  [
    "DSFR",
    `<section class="fr-accordion"><h3 class="fr-accordion__title"><button type="button" class="fr-accordion__btn"
     aria-expanded="false" aria-controls="a1">Quel délai ?</button></h3><div class="fr-collapse" id="a1"><p>${answer}</p></div></section>`,
  ],
  [
    "Bootstrap 5",
    `<div class="accordion-item"><h2 class="accordion-header"><button class="accordion-button collapsed" data-bs-toggle="collapse"
     data-bs-target="#a1">Quel délai ?</button></h2><div id="a1" class="accordion-collapse collapse" aria-hidden="true">${answer}</div></div>`,
  ],
  [
    "W3C",
    `<h3><button aria-expanded="false" aria-controls="a1"><span>Quel délai ?<span class="icon"></span></span></button></h3>
     <div id="a1" role="region" hidden><p>${answer}</p></div>`,
  ],
  [
    "until-found",
    `<h3><button aria-controls="a1">Quel délai ?</button></h3><div id="a1" hidden="until-found">${answer}</div>`,
  ],
  [
    "without ids",
    `<h3><button aria-expanded="false">Quel délai ?</button></h3><div style="display: none">${answer}</div>`,
  ],
])("the panel of an accordion (%s) stands under the words of its control", (_, html) => {
  expect(textRead(`<main><h1>Aide</h1><p>Avant.</p>${html}</main>`)).toEqual(
    expect.arrayContaining([["Quel délai ?", answer]]),
  )
})

test.each([
  [
    "a disclosure",
    `<p><button aria-expanded="false" aria-controls="a1">Quel délai ?</button></p><p id="a1" hidden>${answer}</p>`,
  ],
  [
    "a term",
    `<dl><dt><button aria-controls="a1">Quel délai ?</button></dt><dd id="a1" style="display:none">${answer}</dd></dl>`,
  ],
  ["details", `<details><summary>Quel délai ?</summary>${answer}</details>`],
  [
    "Elementor",
    `<div class="elementor-tab-title" role="button" aria-controls="a1" aria-expanded="false"><a tabindex="0">Quel délai ?</a></div><div id="a1" class="elementor-tab-content" style="display:none"><p>${answer}</p></div>`,
  ],
  [
    "a link of Bootstrap 4",
    `<a class="btn" data-toggle="collapse" href="#a1" role="button">Quel délai ?</a><div class="collapse" id="a1" aria-hidden="true">${answer}</div>`,
  ],
  [
    "a dialog",
    `<p>Lisez les conditions. <button aria-controls="a1">Ouvrir</button></p><dialog id="a1"><button aria-controls="a1">Fermer</button><p>Quel délai ?</p><p>${answer}</p></dialog>`,
  ],
  [
    "tabs",
    `<div role="tablist"><button role="tab" aria-controls="a0">Coût</button><button role="tab" aria-controls="a1">Quel délai ?</button></div><div id="a0" role="tabpanel">Gratuit.</div><div id="a1" role="tabpanel" hidden>${answer}</div>`,
  ],
  [
    "tabs of MkDocs",
    `<div class="tabbed-set"><input type="radio"><div class="tabbed-labels"><label for="x">Quel délai ?</label></div><div class="tabbed-content"><div class="tabbed-block"><p>${answer}</p></div></div></div>`,
  ],
  [
    "tabs of Docusaurus",
    `<div class="tabs-container"><ul role="tablist"><li role="tab">Coût</li><li role="tab">Quel délai ?</li></ul><div><div role="tabpanel">Gratuit.</div><div role="tabpanel" hidden>${answer}</div></div></div>`,
  ],
  [
    "tabs of Bootstrap 3",
    `<ul class="nav nav-tabs"><li><a data-toggle="tab" href="#a0">Coût</a></li><li><a data-toggle="tab" href="#a1">Quel délai ?</a></li></ul><div class="tab-content"><div id="a0" class="tab-pane">Gratuit.</div><div id="a1" class="tab-pane">${answer}</div></div>`,
  ],
  [
    "tabs of Elementor, named twice",
    `<div><div role="tablist"><div role="tab" aria-controls="a0">Coût</div><div role="tab" aria-controls="a1">Quel délai ?</div></div><div role="tablist"><div role="tab" aria-controls="a0">Coût</div><div id="a0" role="tabpanel">Gratuit.</div><div role="tab" aria-controls="a1">Quel délai ?</div><div id="a1" role="tabpanel" hidden>${answer}</div></div></div>`,
  ],
  [
    "a panel whose box is hidden in its place",
    `<p><button aria-expanded="false" aria-controls="a1">Quel délai ?</button></p><div style="visibility:hidden"><div><div id="a1">${answer}</div></div></div>`,
  ],
  [
    "a dialog outside the text",
    `<p><button data-bs-toggle="modal" data-bs-target="#a1">Quel délai ?</button></p></main><div class="modal" id="a1" aria-hidden="true"><div class="modal-body">${answer}</div></div>`,
  ],
])("the words of the control of %s come before the panel", (_, html) => {
  const [text] = textRead(`<main><h1>Aide</h1><p>Avant.</p>${html}</main>`)
  expect(text?.[1]?.replaceAll("*", "")).toEndWith(`Quel délai ?\n\n${answer}`)
})

test("the names of tabs head the headings in their panels", () => {
  const html = `<h2>Prix</h2><ul role="tablist"><li><a role="tab" href="#a">Solo</a></li><li><a role="tab" href="#b">Équipe</a></li></ul>
    <div id="a" role="tabpanel"><h3>Mois</h3>5 €</div><div id="b" role="tabpanel" hidden><h3>Mois</h3>9 €</div>`
  expect(textRead(`<main><h1>Offres</h1>${html}</main>`)).toEqual([
    ["Prix", ""],
    ["Prix > Solo", ""],
    ["Prix > Solo > Mois", "5 €"],
    ["Prix > Équipe", ""],
    ["Prix > Équipe > Mois", "9 €"],
  ])
})

test("the words of a button are read in a sentence, not where it does something with the line", () => {
  const html = `<p>Cliquez sur <button>Envoyer</button>.</p><p>Code : ABC <button>Copier</button></p><h2>Titre <button>Copier</button></h2>
    <p>Suite.</p><button>Valider</button>`
  expect(textRead(`<main><h1>Aide</h1>${html}</main>`)).toEqual([
    ["", "Cliquez sur Envoyer.\n\nCode : ABC"],
    ["Titre", "Suite."],
  ])
})

test.each([
  [
    "no control opens",
    `<div hidden>Caché.</div><div style="display:none">Caché.</div><dialog>Caché.</dialog>`,
  ],
  [
    "a control of the header opens",
    `<header><button aria-controls="m">Menu</button></header><div id="m" hidden>Caché.</div>`,
  ],
  [
    "holds only links",
    `<button aria-controls="m" aria-expanded="false">Menu</button><ul id="m" hidden><li><a href="/a">Un</a><li><a href="/b">Deux</a></ul>`,
  ],
])("what %s stays hidden", (_, html) => {
  expect(textRead(`<body>${html}<main><h1>Aide</h1><p>Texte.</p></main></body>`)).toEqual([["", "Texte."]])
  expect(
    textRead(`<body><h1>Aide</h1><p>Texte.</p>${html}</body>`)[0]?.[1]?.replace(/\n+\*\*Menu\*\*/, ""),
  ).toBe("Texte.")
})

test.each([
  [
    "a question whose answer a script shows",
    "<div><button @click=open>Quel délai ?</button><div x-show=open><p>Trois jours.</p></div></div>",
    ["Quel délai ?", "Trois jours."],
  ],
  ["a card", "<button><h3>Livraison</h3><p>Trois jours.</p></button>", ["Livraison", "Trois jours."]],
  [
    "a step of a list",
    "<ol><li><button>Inscrivez-vous</button></li><li><button>Payez</button></li></ol>",
    ["Inscrivez-vous", "Payez"],
  ],
  [
    "a sentence",
    "<button>Nous sommes ouverts du lundi au vendredi.</button>",
    ["Nous sommes ouverts du lundi au vendredi."],
  ],
  [
    "what acts on the page, or leads on",
    "<p>Texte.</p><button>Copier tout le code de cet exemple</button><button>Créer un compte</button>",
    [],
  ],
])("the words of a button that is text are read: %s", (_, html, words) => {
  const text = JSON.stringify(textRead(`<main><p>Avant.</p>${html}</main>`))
  for (const each of words) expect(text).toContain(each)
  expect(text).not.toMatch(/Copier|compte/)
})
