/**
 * `bun test/bench/mean-question.ts`: writes data/model/mean-question.json, the mean vector of the questions in
 * data/model/questions.txt, as base64 of 32-bit floats. Run it whenever the model or the questions change.
 */
import { tmpdir } from "node:os"
import { join } from "node:path"
import { e5Size, openE5 } from "../../src/index/embedding/local/e5.ts"

const folder = join(import.meta.dir, "../../data/model")
const questions = (await Bun.file(join(folder, "questions.txt")).text()).trim().split("\n")
const e5 = await openE5(tmpdir())
const mean = new Float32Array(e5Size)
for (const question of questions)
  for (const [at, value] of e5.question(question).entries()) (mean[at] as number) += value / questions.length
await Bun.write(
  join(folder, "mean-question.json"),
  `${JSON.stringify({ questions: questions.length, mean: Buffer.from(mean.buffer).toString("base64") })}\n`,
)
