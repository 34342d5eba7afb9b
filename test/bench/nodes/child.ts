import { join } from "node:path"
import { processorMsOfTree } from "../process-tree.ts"

/** A process of a bench: takes a command a line, answers each with a line. */
export interface Child extends AsyncDisposable {
  pid: number
  /** What it said when it was ready. */
  greeting: string
  tell(command: string): Promise<string>
  processorMs(): number
}

const endsWithinMs = 3000

/** Starts a script of this folder and waits for its first line. */
export function startChild(script: string, ...words: readonly string[]): Promise<Child> {
  return startProgram([process.execPath, join(import.meta.dir, script), ...words])
}

/** The same with any program that takes a command a line. */
export async function startProgram(command: readonly string[]): Promise<Child> {
  const child = Bun.spawn([...command], {
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  })
  const lines = linesOf(child.stdout)
  const line = async () => {
    const { value, done } = await lines.next()
    if (done) throw new Error(`${command.join(" ")} has ended`)
    return value
  }
  return {
    pid: child.pid,
    greeting: await line(),
    tell(command) {
      child.stdin.write(`${command}\n`)
      child.stdin.flush()
      return line()
    },
    processorMs: () => processorMsOfTree(child.pid),
    async [Symbol.asyncDispose]() {
      child.stdin.end()
      // A receiver reads no commands.
      const timer = setTimeout(() => child.kill(), endsWithinMs)
      await child.exited
      clearTimeout(timer)
    },
  }
}

/** In a child: says that it is ready, and answers each command until there is no more. */
export async function answerCommands(
  greeting: string,
  answer: (command: string) => Promise<string> | string,
): Promise<void> {
  process.stdout.write(`${greeting}\n`)
  for await (const command of linesOf(Bun.stdin.stream())) process.stdout.write(`${await answer(command)}\n`)
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const bytes of stream) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split("\n")
    rest = lines.pop() as string
    yield* lines
  }
  return undefined
}
