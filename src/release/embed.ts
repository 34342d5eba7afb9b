import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import type { BunPlugin } from "bun"
import type { EmbeddedFiles } from "../host/native-files.ts"

const project = resolve(import.meta.dir, "../..")
const runtimes = join(project, "node_modules/onnxruntime-node/bin/napi-v6")
const model = join(project, "data/model")
/** Their texts would stand in the program, and once more in its bytecode. */
const dictionaries = ["fr/index.aff", "fr/index.dic", "en/index.dic"].map((file) =>
  join(project, `node_modules/dictionary-${file}`),
)
/** Compressing takes minutes: the same files are compressed once. */
const cache = join(project, "node_modules/.cache/guichet-build")

/** Native code of the program for one kind of machine. */
export interface Target {
  /** The package of LanceDB's addon, which is installed for some machines alone. */
  indexEngine: string
  /** The folder of the inference runtime for it, and the library there. */
  inference: [folder: string, library: string]
}

export const targets: Readonly<Record<string, Target>> = {
  "linux-x64": {
    indexEngine: "@lancedb/lancedb-linux-x64-gnu",
    inference: ["linux/x64", "libonnxruntime.so.1"],
  },
  "linux-arm64": {
    indexEngine: "@lancedb/lancedb-linux-arm64-gnu",
    inference: ["linux/arm64", "libonnxruntime.so.1"],
  },
  "darwin-arm64": {
    indexEngine: "@lancedb/lancedb-darwin-arm64",
    inference: ["darwin/arm64", "libonnxruntime.1.24.3.dylib"],
  },
}

/**
 * Puts the native code of `target` and the model into the program, compressed by zstd at `level` (1 to 22):
 * it unpacks them before it loads them.
 */
export function embedFiles(target: Target, level: number): BunPlugin {
  // Before the build: its resolver does not see a file that comes into a folder which it has listed.
  const nativeFiles = moduleFor(target, level)
  const texts = new Map(dictionaries.map((path) => [path, textModule(compressed(path, level).path)]))
  return {
    name: "compressed files",
    setup(build) {
      build.onLoad({ filter: /\/src\/host\/native-files\.ts$/ }, () => ({
        contents: nativeFiles,
        loader: "js",
      }))
      build.onLoad({ filter: /\/dictionary-\w+\/index\.(?:aff|dic)$/ }, ({ path }) => {
        const contents = texts.get(path)
        return contents === undefined ? undefined : { contents, loader: "js" }
      })
    },
  }
}

/** The module of a text, which it unpacks when it is imported. */
function textModule(path: string): string {
  return `import { readFileSync } from "node:fs"
import file from ${JSON.stringify(path)} with { type: "file" }
export default Bun.zstdDecompressSync(readFileSync(file)).toString()
`
}

/** The module that stands in place of `src/host/native-files.ts`. */
function moduleFor({ indexEngine, inference: [folder, library] }: Target, level: number): string {
  const imports: string[] = []
  function entry(name: string, source: string): string {
    const { path, bytes } = compressed(source, level)
    const variable = `file${imports.length}`
    imports.push(`import ${variable} from ${JSON.stringify(path)} with { type: "file" }`)
    return `{ name: ${JSON.stringify(name)}, path: ${variable}, bytes: ${bytes} }`
  }
  const lists: Record<keyof EmbeddedFiles, string[]> = {
    indexEngine: [entry("lancedb.node", Bun.resolveSync(indexEngine, project))],
    inference: [
      ...["onnxruntime_binding.node", library].map((name) => entry(name, join(runtimes, folder, name))),
      entry("model.onnx", join(model, "e5-small-fr-en.int8.onnx")),
      entry("tokenizer.json", join(model, "tokenizer.json")),
    ],
  }
  const members = Object.entries(lists).map(([list, entries]) => `${list}: [${entries.join(", ")}]`)
  return `${imports.join("\n")}\nexport const nativeFiles = { ${members.join(", ")} }\n`
}

/** The compressed copy of a file, and the file's own size. */
function compressed(source: string, level: number): { path: string; bytes: number } {
  const content = readFileSync(source)
  const path = join(cache, `${basename(source)}.${Bun.hash(content).toString(36)}.${level}.zst`)
  if (!existsSync(path)) {
    mkdirSync(cache, { recursive: true })
    // Several builds may run at the same time.
    const unfinished = `${path}.${process.pid}`
    writeFileSync(unfinished, Bun.zstdCompressSync(content, { level }))
    renameSync(unfinished, path)
  }
  return { path, bytes: content.length }
}
