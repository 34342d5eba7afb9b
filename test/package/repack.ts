import { join } from "node:path"
import { runHere } from "./machine.ts"

/** The same package under another version. Resolves to its path. */
export async function asVersion(deb: string, from: string, to: string, work: string): Promise<string> {
  const folder = join(work, `package-${to}`)
  const made = join(work, `guichet_${to}.deb`)
  await runHere(["dpkg-deb", "-R", deb, folder])
  for (const file of ["control", "preinst"]) {
    const path = join(folder, "DEBIAN", file)
    await Bun.write(path, (await Bun.file(path).text()).replaceAll(from, to))
  }
  const built = await runHere(["dpkg-deb", "--root-owner-group", "-Znone", "--build", folder, made])
  if (built.exitCode !== 0) throw new Error(built.stderr)
  return made
}
