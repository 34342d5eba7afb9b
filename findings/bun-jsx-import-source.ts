import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { showFinding } from "./finding.ts"

// Known as https://github.com/oven-sh/bun/issues/28605. Guichet says in `bunfig.toml` how JSX is read, and starts Bun
// from other folders with `--config`.

await showFinding({
  behaviour:
    "Bun runs JSX by the tsconfig.json of the folder it is started in; the one beside the source file counts for `paths` alone.",
  expected: "Both from the tsconfig.json nearest to the source file, as tsc and `bun build` do.",
  packages: { bun: "1.4.4", preact: "10.26.4" },
  trusted: ["bun"],
  async tryOut({ folder, output }) {
    const bun = join(folder, "node_modules/.bin/bun")
    mkdirSync(join(folder, "app/lib"), { recursive: true })
    mkdirSync(join(folder, "elsewhere"))
    const compilerOptions = {
      jsx: "react-jsx",
      jsxImportSource: "preact",
      paths: { "#lib": ["./lib/name.ts"] },
    }
    await Bun.write(join(folder, "app/tsconfig.json"), JSON.stringify({ compilerOptions }))
    await Bun.write(join(folder, "elsewhere/jsx.toml"), 'jsx = "react-jsx"\njsxImportSource = "preact"\n')
    await Bun.write(join(folder, "app/lib/name.ts"), 'export const name = "p"\n')
    await Bun.write(join(folder, "app/paths.ts"), 'import { name } from "#lib"\nconsole.log(name)\n')
    await Bun.write(join(folder, "app/jsx.tsx"), "console.log((<p>text</p>).type)\n")
    const [app, elsewhere] = [join(folder, "app"), join(folder, "elsewhere")]
    const run = async (cwd: string, ...words: string[]) =>
      (await output([bun, ...words], cwd)).split("\n")[0]?.replace(/ from .*/, "") as string
    return {
      "JSX, started beside the tsconfig.json": await run(app, "jsx.tsx"),
      "JSX, started elsewhere": await run(elsewhere, "../app/jsx.tsx"),
      "JSX, started elsewhere with --config": await run(elsewhere, "--config=jsx.toml", "../app/jsx.tsx"),
      "JSX, built elsewhere": (await output([bun, "build", "--external=*", "../app/jsx.tsx"], elsewhere))
        .split("\n")
        .filter((line) => line.includes("jsx-dev-runtime"))
        .join(),
      "paths, started elsewhere": await run(elsewhere, "../app/paths.ts"),
    }
  },
  seen: {
    "JSX, started beside the tsconfig.json": "p",
    "JSX, started elsewhere": "error: Cannot find module 'react/jsx-dev-runtime'",
    "JSX, started elsewhere with --config": "p",
    "JSX, built elsewhere": 'import { jsxDEV } from "preact/jsx-dev-runtime";',
    "paths, started elsewhere": "p",
  },
})
