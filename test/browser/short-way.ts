import { startBrowser } from "../support/browser.ts"
import { aService } from "../support/service-builder.ts"
import { type Stage, shortWay, stages } from "../support/short-way.ts"

// `bun test/browser/short-way.ts`: what each part of the shortest way takes, from a first start to an owner's own
// answer: clicks of the owner and of the visitor, fields, characters, and seconds, in which nobody's typing is.

await using first = await aService().withOwner().started()
await using browser = await startBrowser()
const owner = await browser.page("about:blank", {})
const visitor = await browser.page("about:blank", {})
const way = await shortWay(first, { owner, visitor })

type Row = readonly [name: string, ...figures: number[]]
const rows = (Object.keys(stages) as Stage[]).map((stage): Row => {
  const { owner, visitor, seconds } = way[stage]
  const fields = owner.fields + visitor.fields
  return [stages[stage], owner.clicks, visitor.clicks, fields, owner.characters + visitor.characters, seconds]
})
const sums = (rows[0]?.slice(1) ?? []).map((_, place) =>
  rows.reduce((sum, [, ...figures]) => sum + (figures[place] ?? 0), 0),
)
process.stdout.write(
  "| | clicks of the owner | of the visitor | fields | characters | seconds |\n|---|---|---|---|---|---|\n",
)
for (const [name, ...figures] of [...rows, ["in all", ...sums] as const])
  process.stdout.write(
    `| ${[name, ...figures.map((figure) => Math.round(figure * 10) / 10)].join(" | ")} |\n`,
  )
