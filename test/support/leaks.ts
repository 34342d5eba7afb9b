/** What was started and has not ended, with the place in the tests that started it. */
const open = new Set<{ what: string; stack: string }>()

/** Notes something that has to end before the tests do; the function that it returns says that it has. */
export function mustEnd(what: string): () => void {
  if (isExempt) return () => {}
  const one = { what, stack: new Error().stack ?? "" }
  open.add(one)
  return () => void open.delete(one)
}

let isExempt = false

/** What `make` starts need not end before the tests do. */
export function neverEnding<Made>(make: () => Made): Made {
  isExempt = true
  try {
    return make()
  } finally {
    isExempt = false
  }
}

/** One line for each thing that is still open. */
export function leaks(): string[] {
  return [...open].map(({ what, stack }) => {
    const places = stack.split("\n").filter((line) => line.includes("/test/") && !line.includes("/support/"))
    return `${what} was not disposed of: ${(places[0] ?? stack).trim()}`
  })
}
