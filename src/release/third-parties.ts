import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"

/** The licences of all software in the binary. Most of them require that a copy is passed on with it. */
export function thirdParties(folder: string): string {
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
