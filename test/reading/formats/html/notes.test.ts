import { expect, test } from "bun:test"
import { readHtml } from "../../../../src/reading/formats/html/read-html.ts"

// The mark and the note as each program writes them.

function text(html: string): string {
  const page = readHtml(`<main><h1>Piscine</h1>${html}</main>`, {
    path: "p",
    url: "https://mairie.exemple.fr/p",
  })
  return "leftOut" in page
    ? page.leftOut
    : page.sections.map(({ headings, markdown }) => [...headings, markdown].join("\n")).join("\n\n")
}

const seen = "Gratuit avant trois ans. (Sur justificatif.) Le bonnet est obligatoire."
const sentence = (mark: string) => `<p>Gratuit avant trois ans${mark}. Le bonnet est obligatoire.</p>`

test.each([
  [
    "Sphinx",
    `${sentence('<a class="footnote-reference brackets" href="#id2" id="id1" role="doc-noteref"><span class="fn-bracket">[</span>1<span class="fn-bracket">]</span></a>')}
    <aside class="footnote-list brackets"><aside class="footnote brackets" id="id2" role="doc-footnote"><span class="label"><span class="fn-bracket">[</span><a role="doc-backlink" href="#id1">1</a><span class="fn-bracket">]</span></span><p>Sur justificatif.</p></aside></aside>`,
  ],
  [
    "MediaWiki",
    `${sentence('<sup id="cite_ref-1" class="reference"><a href="#cite_note-1"><span class="cite-bracket">[</span>1<span class="cite-bracket">]</span></a></sup>')}
    <div class="mw-heading"><h2 id="Références">Références</h2></div><ol class="references"><li id="cite_note-1"><span class="mw-cite-backlink"><a href="#cite_ref-1">↑</a></span> <span class="reference-text">Sur justificatif.</span></li></ol>`,
  ],
  [
    "MediaWiki 1.39",
    `${sentence('<sup id="cite&#95;ref-1" class="reference"><a href="#cite_note-1">&#91;1&#93;</a></sup>')}
    <h2><span class="mw-headline" id="Notes">Notes</span><span class="mw-editsection"><span class="mw-editsection-bracket">[</span><a href="/e">modifier</a><span class="mw-editsection-bracket">]</span></span></h2>
    <div class="mw-references-wrap"><ol class="references"><li id="cite_note-1"><span class="mw-cite-backlink"><a href="#cite_ref-1">↑</a></span> <span class="reference-text">Sur justificatif.</span></li></ol></div>`,
  ],
  [
    "Pandoc",
    `${sentence('<a href="#fn1" class="footnote-ref" id="fnref1" role="doc-noteref"><sup>1</sup></a>')}
    <section class="footnotes" role="doc-endnotes"><hr><ol><li id="fn1"><p>Sur justificatif.<a href="#fnref1" class="footnote-back" role="doc-backlink">↩︎</a></p></li></ol></section>`,
  ],
  [
    "SPIP",
    `${sentence('<span class="spip_note_ref">&nbsp;[<a href="#nb1" class="spip_note" rel="appendix" id="nh1">1</a>]</span>')}
    <div class="notes"><h2>Notes</h2><div id="nb1"><p><span class="spip_note_ref">[<a href="#nh1" class="spip_note" rev="appendix">1</a>]&nbsp;</span>Sur justificatif.</p></div></div>`,
  ],
  [
    "DokuWiki",
    `${sentence('<sup><a href="#fn__1" id="fnt__1" class="fn_top">1)</a></sup>')}
    <div class="footnotes"><div class="fn"><sup><a href="#fnt__1" id="fn__1" class="fn_bot">1)</a></sup> <div class="content">Sur justificatif.</div></div></div>`,
  ],
  [
    "Asciidoctor",
    `${sentence('<sup class="footnote">[<a id="_footnoteref_1" class="footnote" href="#_footnotedef_1">1</a>]</sup>')}
    <div id="footnotes"><hr><div class="footnote" id="_footnotedef_1"><a href="#_footnoteref_1">1</a>. Sur justificatif.</div></div>`,
  ],
  [
    "WordPress",
    `${sentence('<sup data-fn="a1" class="fn"><a id="a1-link" href="#a1">1</a></sup>')}
    <ol class="wp-block-footnotes"><li id="a1">Sur justificatif. <a href="#a1-link">↩︎</a></li></ol>`,
  ],
  [
    "LibreOffice",
    `${sentence('<a class="sdfootnoteanc" name="sdfootnote1anc" href="#sdfootnote1sym"><sup>1</sup></a>')}
    <div id="sdfootnote1"><p class="sdfootnote"><a class="sdfootnotesym" name="sdfootnote1sym" href="#sdfootnote1anc">1</a>Sur justificatif.</p></div>`,
  ],
])("a note of %s is read in brackets after its sentence", (_, html) => {
  expect(text(html)).toBe(seen)
})

test("a note that several marks share is read at each of them, a long one at the first", () => {
  const mark = (at: number) => `<sup id="r${at}"><a href="#n">1</a></sup>`
  const page = (note: string) =>
    `<p>Un euro${mark(1)}.</p><p>Deux euros${mark(2)}.</p><ol><li id="n"><a href="#r1">a</a> <a href="#r2">b</a> ${note}</li></ol>`
  expect(text(page("Sauf fériés."))).toBe("Un euro. (Sauf fériés.)\n\nDeux euros. (Sauf fériés.)")
  const long = "très ".repeat(50).trim()
  expect(text(page(long))).toBe(`Un euro. (${long})\n\nDeux euros.`)
})

test("a note of a heading or a cell stays with it, and a mark behind the full stop is of the sentence before", () => {
  const mark = '<sup id="r"><a href="#n">*</a></sup>'
  const note = '<p id="n"><a href="#r">*</a> Hors vacances</p>'
  expect(text(`<h2>Tarifs${mark}</h2><p>Un euro.</p>${note}`)).toBe("Tarifs\n(Hors vacances)\n\nUn euro.")
  expect(
    text(`<table><tr><td>Prix</td><td>2 €${mark}</td></tr><tr><td>a</td><td>b</td></tr></table>${note}`),
  ).toContain("| Prix | 2 € (Hors vacances) |")
  expect(text(`<p>Un euro.${mark} Fermé lundi.</p>${note}`)).toBe("Un euro. (Hors vacances) Fermé lundi.")
})

test("two notes of one sentence stand behind it, and none moves to the next", () => {
  const marks = '<sup id="r1"><a href="#n1">1</a></sup> <sup id="r2"><a href="#n2">2</a></sup>'
  const notes = '<p id="n1"><a href="#r1">1</a> Sauf lundi</p><p id="n2"><a href="#r2">2</a> Et mardi</p>'
  const both = "Un euro. (Sauf lundi) (Et mardi) Fermé."
  expect(text(`<p>Un euro.${marks} Fermé.</p>${notes}`)).toBe(both)
  expect(text(`<p>Un euro${marks}. Fermé.</p>${notes}`)).toBe(both)
})

test("links between a list of contents and its headings are no notes", () => {
  const html = '<p><a href="#a" id="toc-a">A</a></p><h2 id="a"><a href="#toc-a">A</a></h2><p>Abri.</p>'
  expect(text(html)).toContain("Abri.")
})
