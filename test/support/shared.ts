const made = new DisposableStack()
process.once("exit", endShared)

/** What is made once for many tests of a process, and goes with the last of them. */
export function shared<Resource extends Disposable>(resource: Resource): Resource {
  return made.use(resource)
}

/** At an `exit`, which `bun test` ends without: there, after-all.ts calls it. */
export function endShared(): void {
  made.dispose()
}
