import { expect, test } from "bun:test"
import { join } from "node:path"
import { settings } from "../../../src/config/settings.ts"
import { guichet } from "../../support/cli.ts"
import { temporaryFolder } from "../../support/service.ts"

const unit = (await guichet(["systemd-unit", "--binary", "/bin/true"], {})).stdout
const analyser = Bun.which("systemd-analyze")

test("the unit starts the program where it stands", async () => {
  expect(unit).toContain("\nExecStart=/bin/true serve\n")
  expect((await guichet(["systemd-unit"], {})).stdout).toContain("ExecStart=/usr/local/bin/guichet serve")
  expect(await guichet(["systemd-unit", "--binary", "guichet"], {})).toMatchObject({
    exitCode: 2,
    stdout: "",
  })
})

test("every secret can be handed over as a credential", () => {
  const secrets = Object.values(settings).filter((setting) => "secret" in setting)
  for (const { name } of secrets) {
    const id = new RegExp(`^Environment=${name}_FILE=%d/(.+)$`, "m").exec(unit)?.[1]
    expect(unit, name).toContain(
      `LoadCredential=${id}:/etc/guichet/credentials/${id}\nSetCredential=${id}:\\n\n`,
    )
  }
})

test.skipIf(!analyser)("systemd has nothing to say against it, and its exposure is 1.5 at most", async () => {
  using folder = temporaryFolder()
  const file = join(folder.path, "guichet.service")
  await Bun.write(file, unit)
  const verified = Bun.spawnSync([analyser as string, "verify", "--man=no", file])
  expect(verified.stderr.toString() + verified.stdout.toString()).toBe("")
  expect(verified.exitCode).toBe(0)
  const rated = Bun.spawnSync([analyser as string, "security", "--offline=true", "--no-pager", file])
  const exposure = /Overall exposure level for guichet.service: ([\d.]+)/.exec(rated.stdout.toString())?.[1]
  expect(Number(exposure)).toBeLessThanOrEqual(1.5)
})
