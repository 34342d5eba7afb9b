import { dlopen } from "bun:ffi"
import { afterAll, beforeAll, expect, test } from "bun:test"
import { readdirSync, symlinkSync, truncateSync } from "node:fs"
import { join } from "node:path"
import { dropIndex, listIndexes } from "../../../src/index/lance/index-files.ts"
import { buildIndex, openIndex, type PassageIndex } from "../../../src/index/lance/lance.ts"
import { analyse } from "../../../src/index/text/analyse.ts"
import { passage } from "../../support/passages.ts"
import { temporaryFolder } from "../../support/service.ts"

const passages = [
  passage("installer", "Installer", "Copiez le fichier sur le serveur, puis lancez-le."),
  passage("sauvegarder", "Sauvegarder", "La commande `backup` copie la base.", ["Chaque nuit"]),
  passage("sauvegarder", "Sauvegarder", "Gardez la clé ailleurs que la copie.", ["La clé"]),
]
const folder = temporaryFolder()
let index: PassageIndex

beforeAll(async () => {
  expect(await buildIndex(folder.path, "demo_1", "fr", passages)).toEqual({ passages: 3 })
  index = (await openIndex(folder.path, "demo_1")) as PassageIndex
})

afterAll(() => {
  index[Symbol.dispose]()
  folder[Symbol.dispose]()
})

const found = async (question: string) => {
  const ranked = await index.search([{ terms: analyse(question, "fr"), weight: 1 }], 10)
  return ranked.map(({ passage }) => passage)
}

test("a passage comes back as it was given", async () => {
  expect(await found("copie de la base")).toContainEqual(passages[1] as never)
})

test("a word in a heading and a word in the text both count", async () => {
  expect((await found("nuit"))[0]?.headings).toEqual(["Chaque nuit"])
  expect((await found("sauvegardes de la clé"))[0]?.headings).toEqual(["La clé"])
})

test("words that no passage holds find nothing", async () => {
  expect(await found("astronomie")).toEqual([])
  expect(await found("de la")).toEqual([])
})

test("the vocabulary knows in how many passages each term occurs", () => {
  for (const [word, passages] of Object.entries({
    copie: 3,
    clé: 1,
    sauvegarde: 2,
    serveur: 1,
    astronomie: 0,
  }))
    expect(index.frequency(analyse(word, "fr")[0] as string), word).toBe(passages)
  expect(index.passages).toBe(3)
})

test("a missing, an incomplete and a damaged index are not opened", async () => {
  expect(await openIndex(folder.path, "never_1")).toBeUndefined()
  const cutOff = buildIndex(
    folder.path,
    "cut_1",
    "fr",
    (function* () {
      yield passages[0] as never
      throw new Error("stopped")
    })(),
  )
  expect(cutOff).rejects.toThrow("stopped")
  await cutOff.catch(() => {})
  expect(await openIndex(folder.path, "cut_1")).toBeUndefined()
  await buildIndex(folder.path, "broken_1", "fr", passages)
  const manifests = join(folder.path, "broken_1.lance", "_versions")
  for (const manifest of readdirSync(manifests)) truncateSync(join(manifests, manifest), 3)
  expect(await openIndex(folder.path, "broken_1")).toBeUndefined()
  await buildIndex(folder.path, "broken_1", "fr", passages)
  truncateSync(join(folder.path, "broken_1.passages"), 3)
  expect(await openIndex(folder.path, "broken_1")).toBeUndefined()
})

test("an index is rebuilt under its name, and dropped", async () => {
  await buildIndex(folder.path, "again_1", "fr", passages)
  await buildIndex(folder.path, "again_1", "fr", passages.slice(0, 1))
  using again = await openIndex(folder.path, "again_1")
  expect(again?.passages).toBe(1)
  await dropIndex(folder.path, "again_1")
  expect(readdirSync(folder.path).filter((name) => name.startsWith("again"))).toEqual([])
})

test("an empty documentation has an index that finds nothing", async () => {
  expect(await buildIndex(folder.path, "empty_1", "en", [])).toEqual({ passages: 0 })
  using empty = await openIndex(folder.path, "empty_1")
  expect(await empty?.search([{ terms: ["anything"], weight: 1 }], 10)).toEqual([])
})

test("LanceDB gets enough threads: without them, building a large index deadlocks", () => {
  const library = process.platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6"
  using libc = closing(dlopen(library, { getenv: { args: ["cstring"], returns: "cstring" } }))
  expect(String(libc.symbols.getenv(Buffer.from("LANCE_CPU_THREADS\0")))).toBe("4")
})

function closing<Library extends { close(): void }>(library: Library): Library & Disposable {
  return Object.assign(library, { [Symbol.dispose]: () => library.close() })
}

test("listing an unreadable folder throws; taken for empty, all indexes would be rebuilt", async () => {
  using folder = temporaryFolder()
  const endless = join(folder.path, "endless")
  symlinkSync(endless, endless)
  await expect(listIndexes(endless)).rejects.toThrow("ELOOP")
  expect(await listIndexes(join(folder.path, "absent"))).toEqual([])
})
