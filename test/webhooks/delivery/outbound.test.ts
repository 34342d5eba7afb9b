import { expect, test } from "bun:test"
import { guichet } from "../../support/cli.ts"
import { temporaryFolder } from "../../support/service.ts"

test("a start with names led elsewhere says so in the log", async () => {
  using folder = temporaryFolder()
  const environment = { GUICHET_DATA_DIR: folder.path, GUICHET_LOG_LEVEL: "warning" }
  expect((await guichet(["workspace", "list"], environment)).stderr).toBe("")
  const { stderr } = await guichet(["workspace", "list"], {
    ...environment,
    GUICHET_WEBHOOK_RESOLVE: "hooks.acme.fr=127.0.0.1:8443",
  })
  expect(stderr).toContain("for tests and demonstrations only")
  expect(stderr).toContain("hooks.acme.fr")
})
