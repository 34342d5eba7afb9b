import { createHash } from "node:crypto"
import { createReadStream, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import packageFile from "../../package.json" with { type: "json" }
import { cleanClone } from "./clean-clone.ts"
import { makePackage, run } from "./package.ts"

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

async function installFor(arch: string, folder: string): Promise<void> {
  const install = ["install", "--frozen-lockfile", "--production", "--silent", "--os=linux", `--cpu=${arch}`]
  await run([process.execPath, ...install], folder)
}

async function checksum(file: string): Promise<string> {
  const hash = createHash("sha256")
  for await (const bytes of createReadStream(file)) hash.update(bytes)
  return `${hash.digest("hex")}  ${basename(file)}\n`
}

/** The licences of all software in the binary. Most of them require that a copy is passed on with it. */
function thirdParties(folder: string): string {
  const modules = join(folder, "node_modules")
  const manifests = [...new Bun.Glob("**/package.json").scanSync({ cwd: modules, followSymlinks: false })]
  const notices = new Map<string, string>()
  for (const manifest of manifests.sort()) {
    const { name, version, license } = JSON.parse(readFileSync(join(modules, manifest), "utf8"))
    if (!name || !version || typeof license !== "string") continue
    notices.set(`${name} ${version} (${license})`, licenceText(join(modules, dirname(manifest))))
  }
  const model = "intfloat/multilingual-e5-small, the embedded model (MIT)"
  notices.set(model, readFileSync(join(folder, "data/model/LICENSE"), "utf8").trim())
  const bun = `Bun ${Bun.version} (MIT; it contains JavaScriptCore, LGPL-2.1, and others: https://bun.sh/docs/project/licensing)`
  return [`${bun}\n`, ...[...notices].map(([title, text]) => `${title}\n\n${text}`)].join(
    `\n${"-".repeat(72)}\n`,
  )
}

function licenceText(folder: string): string {
  const files = [...new Bun.Glob("{LICEN[SC]E,licen[sc]e,NOTICE}*").scanSync(folder)].sort()
  return (
    files.map((file) => readFileSync(join(folder, file), "utf8").trim()).join("\n\n") || "As its name says."
  )
}
