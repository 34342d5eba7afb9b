import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

export interface Finding {
  /** What happens, in one sentence. */
  behaviour: string
  /** What one would expect, and by which page or specification. */
  expected: string
  /** Public packages of npm by exact version. */
  packages: Readonly<Record<string, string>>
  /** Those of them whose install scripts have to run. */
  trusted?: readonly string[]
  /** Gives the output of each case, by the words that say what was tried. */
  tryOut(place: Place): Promise<Record<string, string>>
  /** What `tryOut` gave when the finding was written down. */
  seen: Readonly<Record<string, string>>
}

export interface Place {
  /** A fresh folder with the packages in its `node_modules`. */
  folder: string
  /** Resolves to what the command printed, both streams together, whatever its exit code. */
  output(command: readonly string[], cwd?: string): Promise<string>
}

/** Tries the finding out, prints what it saw, and ends with 1 where that differs from what was seen before. */
export async function showFinding(finding: Finding): Promise<void> {
  const { behaviour, expected, packages, trusted = [], tryOut, seen } = finding
  const folder = mkdtempSync(join(tmpdir(), "finding-"))
  try {
    const manifest = { private: true, dependencies: packages, trustedDependencies: trusted }
    await Bun.write(join(folder, "package.json"), JSON.stringify(manifest))
    await output([process.execPath, "install", "--silent"], folder)
    const versions = await Promise.all(
      Object.keys(packages).map(async (name) => {
        const { version } = await Bun.file(join(folder, "node_modules", name, "package.json")).json()
        return `${name} ${version}`
      }),
    )
    print(`Behaviour: ${behaviour}`, `Expected:  ${expected}`, `Versions:  ${versions.join(", ")}`, "")
    const now = await tryOut({ folder, output: (command, cwd = folder) => output(command, cwd) })
    for (const [tried, text] of Object.entries(now)) print(`${tried}:`, `  ${text.replaceAll("\n", "\n  ")}`)
    const changed = [...new Set([...Object.keys(seen), ...Object.keys(now)])].filter(
      (tried) => seen[tried] !== now[tried],
    )
    for (const tried of changed) print("", `CHANGED: ${tried}`, `  before: ${seen[tried]}`)
    process.exitCode = changed.length > 0 ? 1 : 0
    if (changed.length === 0) print("", "As it was seen before.")
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function output(command: readonly string[], cwd: string): Promise<string> {
  const run = Bun.spawn([...command], { cwd, stdout: "pipe", stderr: "pipe" })
  const [out, err] = await Promise.all([new Response(run.stdout).text(), new Response(run.stderr).text()])
  await run.exited
  return `${out}${err}`.trim()
}

function print(...lines: string[]): void {
  process.stdout.write(`${lines.join("\n")}\n`)
}
