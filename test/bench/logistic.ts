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

const rounds = 2500
const stepSize = 0.5

/** L2-regularised logistic regression by gradient descent on standardised signals. */
export function fitLogistic<Name extends string>(
  examples: readonly FitExample<Name>[],
  penalty: number,
): Fit<Name> {
  const names = Object.keys(examples[0]?.signals ?? {}) as Name[]
  const columns = names.map((name) => standardised(examples.map(({ signals }) => signals[name])))
  const total = examples.reduce((sum, { weight }) => sum + weight, 0)
  const slopes = names.map(() => 0)
  let intercept = 0
  for (let round = 0; round < rounds; round++) {
    const errors = examples.map(({ isPositive, weight }, row) => {
      const logit = columns.reduce(
        (sum, { values }, name) => sum + (slopes[name] as number) * (values[row] as number),
        intercept,
      )
      return ((1 / (1 + Math.exp(-logit)) - (isPositive ? 1 : 0)) * weight) / total
    })
    intercept -= stepSize * errors.reduce((sum, error) => sum + error, 0)
    columns.forEach(({ values }, name) => {
      const gradient = errors.reduce((sum, error, row) => sum + error * (values[row] as number), 0)
      slopes[name] = (slopes[name] as number) - stepSize * (gradient + penalty * (slopes[name] as number))
    })
  }
  const weights = names.map(
    (name, place) => [name, (slopes[place] as number) / (columns[place]?.deviation as number)] as const,
  )
  const shift = weights.reduce((sum, [, weight], place) => sum + weight * (columns[place]?.mean as number), 0)
  return { bias: intercept - shift, weights: Object.fromEntries(weights) as Record<Name, number> }
}

function standardised(values: number[]) {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const deviation =
    Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length) || 1
  return { mean, deviation, values: values.map((value) => (value - mean) / deviation) }
}
