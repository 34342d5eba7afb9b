import { createHash } from "node:crypto"
import { cpSync, createReadStream, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import packageFile from "../../package.json" with { type: "json" }
import { makePackage, run } from "./package.ts"
import { thirdParties } from "./third-parties.ts"

/**
 * `bun run release [--arch x64]… [--out dist] [--maintainer "Name <address>"]` makes the files that an owner
 * installs: for each architecture `guichet-linux-<arch>` and its `.deb`, and SHA256SUMS over all of them. The
 * package names the author of package.json as its maintainer, unless told otherwise. Needs Linux with
 * dpkg-deb.
 */
const { values } = parseArgs({
  args: Bun.argv.slice(2),
  options: {
    arch: { type: "string", multiple: true, default: ["x64", "arm64"] },
    out: { type: "string", default: "dist" },
    maintainer: { type: "string", default: packageFile.author },
  },
})
const project = resolve(import.meta.dir, "../..")
const out = resolve(values.out)
mkdirSync(out, { recursive: true })
const files: string[] = []
for (const arch of values.arch) files.push(...(await releaseFor(arch)))
writeFileSync(join(out, "SHA256SUMS"), (await Promise.all(files.map(checksum))).join(""))
process.stdout.write(`${files.join("\n")}\n`)

async function releaseFor(arch: string): Promise<string[]> {
  using clone = cleanClone()
  await installFor(arch, clone.path)
  const binary = join(out, `guichet-linux-${arch}`)
  await run(
    [process.execPath, "src/release/build.ts", "--target", `linux-${arch}`, "--outfile", binary],
    clone.path,
  )
  const notices = thirdParties(clone.path)
  const { version } = packageFile
  const deb = await makePackage({ binary, arch, version, notices, maintainer: values.maintainer, out })
  return [binary, deb]
}

/**
 * Copies the sources to a temporary folder. Packages of another architecture are installed there, so the
 * node_modules of this clone stay as they are, and the binary holds only what the lock file names.
 */
function cleanClone(): Disposable & { path: string } {
  const path = mkdtempSync(join(tmpdir(), "guichet-release-"))
  for (const part of ["src", "package.json", "bun.lock", "bunfig.toml"])
    cpSync(join(project, part), join(path, part), { recursive: true })
  cpSync(join(project, "data/demo"), join(path, "data/demo"), { recursive: true })
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

async function installFor(arch: string, folder: string): Promise<void> {
  const install = ["install", "--frozen-lockfile", "--production", "--silent", "--os=linux", `--cpu=${arch}`]
  await run([process.execPath, ...install], folder)
}

/** A line for `sha256sum -c`. */
async function checksum(file: string): Promise<string> {
  const hash = createHash("sha256")
  for await (const bytes of createReadStream(file)) hash.update(bytes)
  return `${hash.digest("hex")}  ${basename(file)}\n`
}
