import { copyFileSync, mkdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import type { Verdict } from "../support/verdict.ts"

/** A fresh Debian in a folder, entered by chroot. */
export interface Machine extends AsyncDisposable {
  /** Puts a file into /root. */
  add(file: string, name: string): void
  /** Runs a script as root. */
  inside(script: string): Promise<Ran>
  /** Runs a script as another account. */
  as(account: string, script: string): Promise<Ran>
}

export interface Ran {
  exitCode: number
  stdout: string
  stderr: string
}

const longestMs = 600_000

/** `mirror` is where Debian's packages are; debootstrap knows one itself. */
export async function openMachine(
  root: string,
  packages: readonly string[],
  mirror?: string,
): Promise<Machine> {
  mkdirSync(root, { recursive: true })
  const options = ["--variant=minbase", `--include=${packages.join(",")}`]
  const made = await runHere(["debootstrap", ...options, "bookworm", root, ...(mirror ? [mirror] : [])])
  if (made.exitCode !== 0) throw new Error(`debootstrap failed: ${made.stdout.slice(-500)}`)
  await runHere(["mount", "-t", "proc", "proc", join(root, "proc")])
  const environment = ["env", "-i", "PATH=/usr/sbin:/usr/bin:/sbin:/bin", "DEBIAN_FRONTEND=noninteractive"]
  const enter = (script: string, ...before: string[]) =>
    runHere(["chroot", root, ...environment, ...before, "sh", "-c", script])
  return {
    add: (file, name) => copyFileSync(file, join(root, "root", name)),
    inside: (script) => enter(script),
    as: (account, script) => enter(script, "runuser", "-u", account, "--"),
    async [Symbol.asyncDispose]() {
      await runHere(["umount", join(root, "proc")])
      rmSync(root, { recursive: true, force: true })
    },
  }
}

/** Runs a program on this machine, for ten minutes at most. */
export async function runHere(command: string[]): Promise<Ran> {
  const child = Bun.spawn(command, { stdout: "pipe", stderr: "pipe", timeout: longestMs })
  const [stdout, stderr, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ])
  return { exitCode, stdout, stderr }
}

/** A row that passes when the script ended with 0; otherwise it shows the end of what that said. */
export function ok(name: string, { exitCode, stdout, stderr }: Ran): Verdict {
  const found = exitCode === 0 ? "yes" : `no: ${(stdout + stderr).trim().slice(-500)}`
  return { name, mark: "yes", found, passed: exitCode === 0 }
}
