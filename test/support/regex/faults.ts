import type { Expression } from "./expressions.ts"

/** An expression that is not linear. */
export interface Fault {
  place: string
  expression: string
  why: string
}

/** Each different expression is judged once, by whichever of two judges is free. */
export async function faultsOf(expressions: readonly Expression[]): Promise<Fault[]> {
  const judges = [1, 2].map(() => new Worker(new URL("./judge.ts", import.meta.url)))
  using ending = new DisposableStack()
  for (const judge of judges) ending.defer(() => judge.terminate())
  const waiting = [...Map.groupBy(expressions, ({ source, flags }) => `/${source}/${flags}`)]
  const faults: Fault[] = []
  await Promise.all(
    judges.map(async (judge) => {
      for (let next = waiting.shift(); next; next = waiting.shift()) {
        const [expression, [first, ...more]] = next as [string, [Expression, ...Expression[]]]
        const why = await judged(judge, first)
        if (why !== undefined)
          faults.push(...[first, ...more].map(({ place }) => ({ place, expression, why })))
      }
    }),
  )
  return faults.sort((one, other) => one.place.localeCompare(other.place, "en", { numeric: true }))
}

function judged(judge: Worker, expression: Expression): Promise<string | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<string | undefined>()
  judge.onmessage = ({ data }) => resolve(data)
  judge.onerror = ({ message }) => reject(new Error(message))
  judge.postMessage(expression)
  return promise
}
