import { expect, test } from "bun:test"
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import packageFile from "../../package.json" with { type: "json" }
import { makePackage } from "../../src/release/package.ts"
import { temporaryFolder } from "../support/service.ts"

// test/package/install.ts installs the packages in a fresh Debian.

const { version } = packageFile
const dpkg = (...argv: string[]) => Bun.spawnSync(["dpkg-deb", ...argv]).stdout.toString()

test.skipIf(!Bun.which("dpkg-deb"))(
  "a package holds program, unit, settings and manual; the same files give the same bytes",
  async () => {
    using folder = temporaryFolder()
    const binary = join(folder.path, "guichet")
    writeFileSync(binary, "#!/bin/sh\n")
    const make = (out: string) => {
      mkdirSync(join(folder.path, out))
      return makePackage({ ...contents, out: join(folder.path, out) })
    }
    const maintainer = "Ada Lovelace <ada@exemple.fr>"
    const contents = { binary, arch: "arm64", version, notices: "", maintainer }
    const deb = await make("one")
    expect(dpkg("-f", deb, "Package", "Version", "Architecture", "Maintainer")).toBe(
      `Package: guichet\nVersion: ${version}\nArchitecture: arm64\nMaintainer: ${maintainer}\n`,
    )
    const listed = dpkg("-c", deb)
    for (const line of [
      /^-rwxr-xr-x root\/root .* \.\/usr\/bin\/guichet$/m,
      /^-rw-r--r-- root\/root .* \.\/usr\/lib\/systemd\/system\/guichet\.service$/m,
      /^-rw-r--r-- root\/root .* \.\/etc\/guichet\/guichet\.env$/m,
      /^-rw-r--r-- root\/root .* \.\/usr\/share\/man\/man1\/guichet\.1\.gz$/m,
      /^-rw-r--r-- root\/root .* \.\/usr\/share\/doc\/guichet\/copyright$/m,
    ])
      expect(listed).toMatch(line)
    const documentation = join(import.meta.dir, "../../data/operate")
    for (const file of new Bun.Glob("**").scanSync(documentation))
      expect(listed).toMatch(
        new RegExp(`^-rw-r--r-- .* \\./usr/share/doc/guichet/${RegExp.escape(file)}$`, "m"),
      )
    expect(dpkg("-I", deb, "conffiles")).toBe(
      "/etc/fail2ban/filter.d/guichet.conf\n/etc/fail2ban/jail.d/guichet.conf\n/etc/guichet/guichet.env\n",
    )
    expect(dpkg("-I", deb, "control")).not.toMatch(/@\w+@/)
    expect(dpkg("-I", deb, "preinst")).toContain(`gt "${version}"`)
    for (const script of ["preinst", "postinst", "prerm", "postrm"]) {
      const file = join(folder.path, script)
      writeFileSync(file, dpkg("-I", deb, script))
      chmodSync(file, 0o755)
      expect(Bun.spawnSync(["sh", "-n", file]).exitCode, script).toBe(0)
    }
    const nobody = makePackage({ ...contents, maintainer: "Ada", out: folder.path })
    await expect(nobody).rejects.toThrow("Name <address>")
    const again = await make("two")
    expect(Bun.file(again).size).toBe(Bun.file(deb).size)
    expect(Buffer.from(await Bun.file(again).bytes()).equals(Buffer.from(await Bun.file(deb).bytes()))).toBe(
      true,
    )
  },
)
