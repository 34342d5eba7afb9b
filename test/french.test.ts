import { expect, test } from "bun:test"
import { join, resolve } from "node:path"

const source = resolve(import.meta.dir, "../src")
const data = resolve(import.meta.dir, "../data")

/** Every text of every file of French words, with what a function puts in between left out. */
const texts = await readTexts()

test("every part with French sentences is read here", () => {
  expect(new Set(texts.map(({ file }) => file)).size).toBeGreaterThanOrEqual(3)
  expect(texts.length).toBeGreaterThan(50)
})

const rules: [rule: string, wrong: RegExp][] = [
  ["the apostrophe is ’", /'/],
  ["the ellipsis is …", /\.\.\./],
  ["quotation marks are « »", /"/],
  ["U+202F stands before ; ! ?", /(?<=\p{L}|\p{N}|[»)\s]|…)(?<!\u202f)[;!?](?!\w)/u],
  ["U+00A0 stands before :", /(?<=\p{L}|\p{N}|[»)\s]|…)(?<!\u00a0):(?!\/\/|[\d\p{Ll}])/u],
  ["U+00A0 stands inside « »", /«(?!\u00a0)|(?<!\u00a0)»/],
  ["no space stands before a full stop or comma", /[\s][.,](?!\w)/],
  ["people are addressed as vous", /(?<!\p{L})((tu|te|toi|ton|ta|tes)(?!\p{L})|t’)/iu],
]

for (const [rule, wrong] of rules) {
  test(rule, () => {
    expect(texts.filter(({ text }) => isSentence(text) && wrong.test(text))).toEqual([])
  })
}

const pages = await Promise.all(
  [...new Bun.Glob("{demo/*,operate/registre-rgpd}.md").scanSync(data)].map(async (file) => {
    return { file, text: await Bun.file(join(data, file)).text() }
  }),
)

/** A word means one thing, in the console, in what is sent and in the documentation alike. */
const vocabulary: [rule: string, wrong: RegExp, files?: RegExp][] = [
  [
    "an adresse is an adresse e-mail; a page, a site and a destination have a URL",
    /(?<!s’)adresses?(?! e-mail| IP)(?!\p{L})/iu,
  ],
  [
    "an essai is a test (boîte d’essai, message d’essai); a try at sending is a tentative",
    /(?<!d’)(?<!\p{L})essais?(?!\p{L})/iu,
  ],
  [
    "an answer is the assistant’s; a form brings a message reçu",
    /réponses? (?:de|des|du|au|aux|à (?:un|vos)|d’un) formulaires?/i,
  ],
  ["a webhook goes to a destination", /(?:adresse|URL) d(?:e|es|u|’un) webhook/i],
  ["a documentation is read from its sources", /emplacements?(?!\p{L})/iu],
  ["what a thing is, is its type", /(?<!\p{L})(?:sorte|nature)\u00a0?:|(?<!de )cette nature/iu],
  ["headers that an owner adds are personnalisés", /en-têtes? à vous/iu],
  [
    "no French sentence of the console has a word of the code",
    /(?<![\p{L}_.])(?:words|context)(?!\p{L})/u,
    /(console|mails|visitors|demo|reference)\//,
  ],
]

for (const [rule, wrong, files = /./] of vocabulary) {
  test(rule, () => {
    const found = [...texts, ...pages].flatMap(({ file, text }) => {
      const found = files.test(file) ? wrong.exec(text) : null
      return found ? [`${file}: ${text.slice(Math.max(0, found.index - 40), found.index + 40)}`] : []
    })
    expect(found).toEqual([])
  })
}

async function readTexts(): Promise<{ file: string; text: string }[]> {
  const files = [...new Bun.Glob("**/*.ts").scanSync(source)].filter((file) => file.endsWith(".fr.ts")).sort()
  const found = await Promise.all(
    files.map(async (file) => {
      const code = await Bun.file(join(source, file)).text()
      return literalsOf(code).map((text) => ({ file, text }))
    }),
  )
  return found.flat()
}

/** The string and template literals of a file, comments and imports left out. */
function literalsOf(code: string): string[] {
  const bare = code.replace(/\/\*[\s\S]*?\*\//g, "").replace(/^\s*\/\/.*$|^import .*$/gm, "")
  return [...bare.matchAll(/"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\[\s\S])*)`/g)].map(([, plain, template]) =>
    unescaped((plain ?? template) as string).replace(/\$\{[^}]*\}/g, "0"),
  )
}

function isSentence(text: string): boolean {
  return /\s/.test(text)
}

function unescaped(text: string): string {
  return text
    .replace(/\\u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    .replaceAll("\\n", "\n")
}
