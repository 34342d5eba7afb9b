import { askedEdition } from "../../src/answering/editions/edition-index.ts"
import { retrieve } from "../../src/answering/retrieval/retrieve.ts"
import { versionedSite } from "../support/editions.ts"

// Retrieval in one of several versions of a documentation: `bun test/bench/editions.ts [pages of a version]`.
// Each version says something else of every subject; a hit is the page of the question's own version.

const pages = Number(process.argv[2] ?? 500)
const versions = 4
const verbs = [
  "Configurer",
  "Installer",
  "Exporter",
  "Partager",
  "Archiver",
  "Importer",
  "Renommer",
  "Supprimer",
]
const things = [
  "le port",
  "la facture",
  "le tableau",
  "le compte",
  "la sauvegarde",
  "le formulaire",
  "la clé",
]
const subject = (at: number) =>
  `${verbs[at % verbs.length]} ${things[Math.floor(at / verbs.length) % things.length]} du module ${at}`
const texts: Record<string, string> = {}
for (let version = 1; version <= versions; version++)
  for (let at = 0; at < pages; at++)
    texts[`v${version}/page-${at}.md`] =
      `# ${subject(at)}\n\nPour ${subject(at).toLowerCase()}, ouvrez le menu Réglages et donnez la valeur ${version}${at}.\n`
const editions = Array.from({ length: versions }, (_, at) => ({
  name: `v${at + 1}`,
  label: `Version ${at + 1}`,
  rule: `/v${at + 1}/`,
}))
await using site = await versionedSite({}, texts)
const live = await site.app.assistant.liveIndex(site.projectId)
if (!live) throw new Error("not indexed")
const { index } = live
const project = { site: "https://docs.exemple.fr", editions, editionFallback: false }
const first = performance.now()
await askedEdition(index, project, {})
const dividedMs = performance.now() - first
const rows = []
for (const isDivided of [false, true, false, true]) {
  const times: number[] = []
  let hits = 0
  for (let n = 0; n < 400; n++) {
    const page = `/v${1 + (n % versions)}/`
    const startedMs = performance.now()
    const asked = await askedEdition(index, isDivided ? project : { ...project, editions: [] }, { page })
    const question = `Comment ${subject((n * 7) % pages).toLowerCase()} ?`
    const { ranked } = await retrieve(asked.index, { question, previous: [], page })
    times.push(performance.now() - startedMs)
    if (ranked[0]?.passage.url.endsWith(`${page}page-${(n * 7) % pages}`)) hits++
  }
  times.sort((one, other) => one - other)
  rows.push({
    editions: isDivided ? versions : "none",
    passages: index.passages,
    "first hit": `${Math.round(hits / 4)} %`,
    "p50 ms": times[200]?.toFixed(2),
    "p95 ms": times[380]?.toFixed(2),
  })
}
process.stdout.write(`${Bun.inspect.table(rows)}divided in ${dividedMs.toFixed(0)} ms\n`)
