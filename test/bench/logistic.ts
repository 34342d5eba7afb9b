/** Weights of a decision: the logit is the bias plus each signal times its weight. */
export interface Fit<Name extends string> {
  bias: number
  weights: Record<Name, number>
}

export interface FitExample<Name extends string> {
  signals: Record<Name, number>
  isPositive: boolean
  /** How much the example counts, on any scale. */
  weight: number
}

const rounds = 20

/** L2-regularised logistic regression by Newton's method on standardised signals. */
export function fitLogistic<Name extends string>(
  examples: readonly FitExample<Name>[],
  penalty: number,
): Fit<Name> {
  const names = Object.keys(examples[0]?.signals ?? {}) as Name[]
  const columns = names.map((name) => standardised(examples.map(({ signals }) => signals[name])))
  const total = examples.reduce((sum, { weight }) => sum + weight, 0)
  // The last one is the intercept.
  const rows = examples.map((_, row) => [...columns.map(({ values }) => values[row] as number), 1])
  let slopes = new Array<number>(names.length + 1).fill(0)
  for (let round = 0; round < rounds; round++) {
    const penalties = slopes.map((_, at) => (at < names.length ? penalty : 0))
    const gradient = slopes.map((slope, at) => (penalties[at] as number) * slope)
    const curvature = penalties.map((own, at) => penalties.map((_, other) => (at === other ? own : 0)))
    for (const [row, { isPositive, weight }] of examples.entries()) {
      const values = rows[row] as number[]
      const logit = values.reduce((sum, value, at) => sum + value * (slopes[at] as number), 0)
      const probability = 1 / (1 + Math.exp(-logit))
      const error = ((probability - (isPositive ? 1 : 0)) * weight) / total
      const bend = (probability * (1 - probability) * weight) / total
      for (const [at, value] of values.entries()) {
        gradient[at] = (gradient[at] as number) + error * value
        const line = curvature[at] as number[]
        for (const [other, factor] of values.entries())
          line[other] = (line[other] as number) + bend * value * factor
      }
    }
    const step = solved(curvature, gradient)
    slopes = slopes.map((slope, at) => slope - (step[at] as number))
  }
  const weights = names.map(
    (name, place) => [name, (slopes[place] as number) / (columns[place]?.deviation as number)] as const,
  )
  const shift = weights.reduce((sum, [, weight], place) => sum + weight * (columns[place]?.mean as number), 0)
  return {
    bias: (slopes.at(-1) as number) - shift,
    weights: Object.fromEntries(weights) as Record<Name, number>,
  }
}

/** Solves a positive definite system by Gaussian elimination. */
function solved(matrix: readonly number[][], right: readonly number[]): number[] {
  const lines = matrix.map((line, at) => [...line, right[at] as number])
  for (const [at, pivot] of lines.entries())
    for (const [other, line] of lines.entries()) {
      if (other === at) continue
      const factor = (line[at] as number) / (pivot[at] as number)
      for (let column = at; column < line.length; column++)
        line[column] = (line[column] as number) - factor * (pivot[column] as number)
    }
  return lines.map((line, at) => (line.at(-1) as number) / (line[at] as number))
}

function standardised(values: number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const deviation =
    Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1
  return { mean, deviation, values: values.map((value) => (value - mean) / deviation) }
}
