import { neverEnding } from "./leaks.ts"

const made = new DisposableStack()
process.once("exit", endShared)

/**
 * What is made once for many tests of a process, and goes with the last of them; the folders of a worker go with
 * those of `test/run.ts`.
 */
export function shared<Resource extends Disposable>(make: () => Resource): Resource {
  return made.use(neverEnding(make))
}

/** At an `exit`, which `bun test` ends without: there, preload.ts calls it. */
export function endShared(): void {
  made.dispose()
}
