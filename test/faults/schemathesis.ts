/**
 * `bun test/faults/schemathesis.ts [--python FILE] [--examples 40] [--seed 1] [--only REGEX]`: generates requests from openapi.json, right
 * and wrong ones, sends them to a service that it starts itself on loopback, and holds every answer against the document. The limits of
 * the service are lifted, since a refused request tells nothing. Exit 1 when a check fails. Skipped where Python or schemathesis is
 * missing (`pip install schemathesis`, in an environment whose Python `--python` names).
 *
 * No operation is exempt, and no check. What JSON Schema cannot say (an address that the project has declared, a name that the resolver
 * knows, an id that exists, a name that no other field has, the present password) stands in the document's descriptions, and
 * `schemathesis_hooks.py` makes it so in values that are right otherwise.
 */
import { join } from "node:path"
import { parseArgs } from "node:util"
import { minuteMs } from "../../src/base/clock.ts"
import { password } from "../support/operator.ts"
import { aService } from "../support/service-builder.ts"
import { exactly, judge, type Verdict } from "../support/verdict.ts"

const checks = [
  "not_a_server_error",
  "status_code_conformance",
  "content_type_conformance",
  "response_headers_conformance",
  "response_schema_conformance",
  "positive_data_acceptance",
  "negative_data_rejection",
  "missing_required_header",
  "unsupported_method",
  "ignored_auth",
]

const longestMs = 30 * minuteMs
const most = "1000000"
const unlimited = {
  GUICHET_ASK_PER_MINUTE: most,
  GUICHET_ASK_PER_VISITOR_DAY: most,
  GUICHET_ASK_PER_PROJECT_DAY: most,
  GUICHET_ASK_PER_ORGANISATION_MONTH: most,
}

/** Index runs are accepted, and read no address: what leaves this machine is nobody's business here. */
const readsNothing = async () => ({ exitCode: 0, stderrTail: "", exceededMemory: false })

interface Wanted {
  python?: string | undefined
  /** Generated requests an operation. */
  examples?: number
  seed?: number
  /** Operations whose path it matches. */
  only?: string | undefined
}

/** Nothing at all where it cannot run, after a line that says so. */
export async function schemathesis(wanted: Wanted = {}): Promise<Verdict[]> {
  const { python = "python3", examples = 40, seed = 1, only } = wanted
  if (!isInstalled(python)) {
    process.stdout.write(
      `skip | schemathesis: ${python} has none (pip install schemathesis; --python FILE)\n`,
    )
    return []
  }
  await using world = await aService()
    .withSettings(unlimited)
    .withOverrides({ runChild: readsNothing })
    .withOneOfEach()
    .started()
  const { url } = world.service
  const child = Bun.spawn(
    [
      ...[
        python,
        "-m",
        "schemathesis.cli",
        "--config-file",
        join(import.meta.dir, "schemathesis.toml"),
        "run",
      ],
      ...[`${url}/api/v1/openapi.json`],
      ...["--checks", checks.join(), "--header", `Authorization: Bearer ${world.token}`],
      ...[
        "--phases",
        "examples,coverage,fuzzing",
        "--max-examples",
        String(examples),
        "--seed",
        String(seed),
      ],
      ...["--generation-database", "none", "--request-timeout", "30", "--no-color", "--continue-on-failure"],
      ...(only ? ["--include-path-regex", only] : []),
    ],
    {
      env: {
        PATH: process.env["PATH"] ?? "",
        SCHEMATHESIS_HOOKS: "schemathesis_hooks",
        PYTHONPATH: import.meta.dir,
        PYTHONDONTWRITEBYTECODE: "1",
        GUICHET_WORLD: JSON.stringify({ ids: world.ids, site: world.site, password }),
      },
      cwd: world.service.app.config.dataDir,
      stdout: "pipe",
      stderr: "inherit",
      timeout: longestMs,
    },
  )
  const said = await new Response(child.stdout).text()
  const exitCode = await child.exited
  if (exitCode !== 0) process.stdout.write(said)
  const [sent = "0"] = /(\d+) generated/.exec(said)?.slice(1) ?? []
  return [exactly(`schemathesis: exit code of ${checks.length} checks over ${sent} requests`, 0, exitCode)]
}

function isInstalled(python: string): boolean {
  if (!Bun.which(python)) return false
  return Bun.spawnSync([python, "-c", "import schemathesis"], { stderr: "ignore" }).exitCode === 0
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      python: { type: "string" },
      examples: { type: "string", default: "40" },
      seed: { type: "string", default: "1" },
      only: { type: "string" },
    },
  })
  const { python, only } = values
  const wanted = { python, only, examples: Number(values.examples), seed: Number(values.seed) }
  process.exitCode = (await judge([{ name: "schemathesis", run: () => schemathesis(wanted) }])) ? 0 : 1
}
