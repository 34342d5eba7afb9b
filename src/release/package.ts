import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { gzipSync } from "node:zlib"
import { commands } from "../cli/commands.ts"
import { completions, type Shell } from "../cli/kit/completion.ts"
import { settings } from "../config/settings.ts"
import { unitFile } from "../host/systemd/unit.ts"
import { retryScheduleIn } from "../webhooks/messages/retry-schedule.ts"
import { manPage } from "./man-page.ts"

export interface PackageRequest {
  binary: string
  /** Architecture by Bun's name: x64, arm64. */
  arch: string
  version: string
  notices: string
  /** `Name <address>`. */
  maintainer: string
  out: string
}

const debian = (file: string) => readFileSync(join(import.meta.dir, "debian", file), "utf8")

const fail2ban = (file: string) => readFileSync(join(import.meta.dir, "../host/fail2ban", file), "utf8")

/** Pages for who runs the service, with the alerts, the dashboard and the examples that they name. */
const documentation = join(import.meta.dir, "../../data/operate")

/** Files that are the owner's to change: an upgrade keeps the changes. */
const configurationFiles = [
  "etc/fail2ban/filter.d/guichet.conf",
  "etc/fail2ban/jail.d/guichet.conf",
  "etc/guichet/guichet.env",
]

const architectures: Record<string, string> = { x64: "amd64", arm64: "arm64" }

/** Where each shell looks for what completes a command. */
const completionPaths: Record<Shell, string> = {
  bash: "usr/share/bash-completion/completions/guichet",
  zsh: "usr/share/zsh/vendor-completions/_guichet",
  fish: "usr/share/fish/vendor_completions.d/guichet.fish",
}

/** Writes the Debian package and resolves to its path. The same files give the same bytes. */
export async function makePackage(request: PackageRequest): Promise<string> {
  const { binary, arch, version, notices, maintainer, out } = request
  const architecture = architectures[arch]
  if (!architecture) throw new Error(`--arch is one of ${Object.keys(architectures).join(", ")}`)
  if (!/^[^<>\s][^<>\n]* <[^<>\s@]+@[^<>\s@]+>$/.test(maintainer))
    throw new Error(`--maintainer is Name <address>, not ${maintainer}`)
  const root = mkdtempSync(join(tmpdir(), "guichet-deb-"))
  const day = dayOf(version)
  function put(path: string, content: string | Uint8Array, mode = 0o644): void {
    mkdirSync(dirname(join(root, path)), { recursive: true, mode: 0o755 })
    writeFileSync(join(root, path), content)
    chmodSync(join(root, path), mode)
  }

  try {
    chmodSync(root, 0o755)
    mkdirSync(join(root, "usr/bin"), { recursive: true })
    copyFileSync(binary, join(root, "usr/bin/guichet"))
    chmodSync(join(root, "usr/bin/guichet"), 0o755)
    put("usr/lib/systemd/system/guichet.service", unitFile("/usr/bin/guichet"))
    put("etc/guichet/guichet.env", debian("guichet.env"))
    put("etc/fail2ban/filter.d/guichet.conf", fail2ban("filter.conf"))
    put("etc/fail2ban/jail.d/guichet.conf", fail2ban("jail.conf"))
    const text = manPage(commands, Object.values(settings), version, day)
    put("usr/share/man/man1/guichet.1.gz", gzipped(text))
    for (const [shell, path] of Object.entries(completionPaths))
      put(path, completions[shell as Shell](commands))
    for (const file of new Bun.Glob("**").scanSync(documentation))
      put(`usr/share/doc/guichet/${file}`, readFileSync(join(documentation, file)))
    put("usr/share/doc/guichet/copyright", debian("copyright"))
    put("usr/share/doc/guichet/changelog.gz", gzipped(filled(debian("changelog"), { maintainer })))
    put("usr/share/doc/guichet/third-parties.gz", gzipped(notices))
    put("usr/share/lintian/overrides/guichet", debian("lintian-overrides"))
    const installedKb = Math.ceil(Bun.file(binary).size / 1024) + 1024
    const retriedFor = retryScheduleIn("en-GB").wholeHours
    const fields = { version, architecture, maintainer, installedKb: String(installedKb), retriedFor }
    put("DEBIAN/control", filled(debian("control"), fields))
    put("DEBIAN/conffiles", configurationFiles.map((file) => `/${file}\n`).join(""))
    for (const script of ["preinst", "postinst", "prerm", "postrm"])
      put(`DEBIAN/${script}`, filled(debian(script), fields), 0o755)
    put("DEBIAN/md5sums", md5sums(root))

    const deb = join(out, `guichet_${version}_${architecture}.deb`)
    // gzip instead of xz: the package is larger, but a small VM unpacks it in less time.
    const options = ["--root-owner-group", "-Zgzip", "-z9"]
    const noTime = `SOURCE_DATE_EPOCH=${Date.parse(day) / 1000}`
    await run(["env", noTime, "dpkg-deb", ...options, "--build", root, deb], out)
    return deb
  } finally {
    rmSync(root, { recursive: true, force: true })
  }
}

/** Throws when the newest entry is not about the version: no release goes without one. */
function dayOf(version: string): string {
  const changelog = debian("changelog")
  const [, newest] = /^guichet \((\S+)\)/.exec(changelog) ?? []
  const [, date = ""] = /^ -- .* {2}(.*)$/m.exec(changelog) ?? []
  if (newest !== version)
    throw new Error(`the newest entry of src/release/debian/changelog is ${newest}, not ${version}`)
  return new Date(date).toISOString().slice(0, 10)
}

function filled(template: string, fields: Record<string, string>): string {
  return template.replace(/@(\w+)@/g, (whole, name: string) => fields[name] ?? whole)
}

/** Debian's policy asks for the highest compression; without a time the bytes are reproducible. */
function gzipped(text: string): Uint8Array {
  return gzipSync(text, { level: 9 })
}

function md5sums(root: string): string {
  const files = [...new Bun.Glob("{etc,usr}/**").scanSync({ cwd: root, onlyFiles: true })].sort()
  return files
    .filter((file) => !configurationFiles.includes(file))
    .map(
      (file) =>
        `${new Bun.CryptoHasher("md5").update(readFileSync(join(root, file))).digest("hex")}  ${file}\n`,
    )
    .join("")
}

export async function run(command: string[], folder: string): Promise<void> {
  const child = Bun.spawn(command, { cwd: folder, stdout: "ignore", stderr: "inherit" })
  if ((await child.exited) !== 0) throw new Error(`failed: ${command.join(" ")}`)
}
