/** A step of a pattern: a character, or one of the wildcards. */
type Step = string
const oneOfSegment = "*1"
const restOfSegment = "*"
const anything = "**"
/** Before `**` and a slash: the three may stand for nothing. */
const optionalFolders = "**?"

/** Whether a path matches a pattern without a site's address. */
export function pathMatcher(pattern: string): (path: string) => boolean {
  const steps = parseSteps(pattern)
  return (path) => matchesSteps(steps, path)
}

function parseSteps(path: string): Step[] {
  const steps: Step[] = []
  for (const [found] of path.matchAll(/\*+|[^*]/g)) {
    const isSegmentStart = steps.length === 0 || steps.at(-1) === "/"
    if (!found.startsWith("*")) steps.push(found)
    else if (found.length > 1) steps.push(...(isSegmentStart ? [optionalFolders] : []), anything)
    else steps.push(...(isSegmentStart ? [oneOfSegment] : []), restOfSegment)
  }
  return steps.flatMap((step, at) => (step === optionalFolders && steps[at + 2] !== "/" ? [] : [step]))
}

/** Follows all ways through the pattern at once, so that no address makes it try again. */
function matchesSteps(steps: readonly Step[], name: string): boolean {
  /** The character up to which each step was reached last. */
  const reachedBy = new Int32Array(steps.length + 4).fill(-1)
  let reached: number[] = []
  let next: number[] = []
  reach(0, 0)
  for (let from = 0; from < name.length; from++) {
    ;[reached, next] = [next, reached]
    next.length = 0
    const character = name[from] as string
    for (const at of reached) {
      const step = steps[at]
      if (step === anything || (step === restOfSegment && character !== "/")) reach(at, from + 1)
      else if (step === oneOfSegment ? character !== "/" : step === character) reach(at + 1, from + 1)
    }
    if (next.length === 0) return false
  }
  return next.includes(steps.length)

  function reach(at: number, by: number): void {
    if (reachedBy[at] === by) return
    reachedBy[at] = by
    next.push(at)
    const step = steps[at]
    if (step === anything || step === restOfSegment || step === optionalFolders) reach(at + 1, by)
    if (step === optionalFolders) reach(at + 3, by)
  }
}
