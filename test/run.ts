import { availableParallelism } from "node:os"

// `bun test/run.ts [flags and filters of bun test]`: the test files shared out to as many runs of `bun test` as
// there are processors. Most of a test is waiting, for the disk and for other processes.

const count = Math.max(1, availableParallelism())
const shards = Array.from({ length: count }, (_, at) =>
  Bun.spawn(
    [
      process.execPath,
      "test",
      "--timeout",
      "600000",
      "--only-failures",
      `--shard=${at + 1}/${count}`,
      ...Bun.argv.slice(2),
    ],
    { stdio: ["ignore", "inherit", "inherit"] },
  ),
)
for (const signal of ["SIGINT", "SIGTERM"] as const)
  process.on(signal, () => {
    for (const shard of shards) shard.kill(signal)
  })
const codes = await Promise.all(shards.map(({ exited }) => exited))
process.exit(codes.find((code) => code !== 0) ?? 0)
