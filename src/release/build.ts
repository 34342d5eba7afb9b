import { rmSync } from "node:fs"
import { parseArgs } from "node:util"
import { embedFiles, targets } from "./embed.ts"

/**
 * `bun run build [--target linux-arm64] [--outfile dist/guichet] [--level 1]` builds the whole service into
 * one file. The LanceDB addon of the target must be installed (for another machine by `bun install
 * --cpu=arm64 --os=linux`); without it nothing is built. Native code is compressed by zstd at the level,
 * which takes minutes for the first time at 19, and a second at 1.
 */
const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: {
    target: { type: "string", default: `${process.platform}-${process.arch}` },
    outfile: { type: "string", default: "dist/guichet" },
    level: { type: "string", default: "19" },
  },
})
const target = targets[values.target]
if (!target) {
  process.stderr.write(`build: --target is one of ${Object.keys(targets).join(", ")}\n`)
  process.exit(2)
}
requireAddon(target.indexEngine)
rmSync(values.outfile, { force: true })
const built = await Bun.build({
  entrypoints: ["src/main.ts"],
  // Neither names nor white space are minified: Elysia reads the source text of handlers, line by line.
  minify: { syntax: true },
  bytecode: true,
  format: "esm",
  // The program tells LanceDB's loader where the addon is.
  external: ["@lancedb/lancedb-*"],
  plugins: [embedFiles(target, Number(values.level))],
  compile: {
    target: `bun-${values.target}` as Bun.Build.CompileTarget,
    outfile: values.outfile,
    // Files in the folder where the binary is started must not change how it runs.
    autoloadDotenv: false,
    autoloadBunfig: false,
  },
})
for (const log of built.logs) process.stderr.write(`${log}\n`)

/** The bundler leaves out a missing addon without an error: the binary would fail on the owner's machine. */
function requireAddon(addon: string): void {
  try {
    Bun.resolveSync(addon, import.meta.dir)
  } catch {
    const [system, processor] = values.target.split("-")
    const install = `bun install --cpu=${processor} --os=${system}`
    process.stderr.write(
      `build: ${addon}, the index engine of ${values.target}, is not installed: ${install}\n`,
    )
    process.exit(1)
  }
}
