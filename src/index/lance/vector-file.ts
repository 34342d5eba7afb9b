import { cosine, type EmbeddedPassage, unitVector } from "../embedding/embedder.ts"
import { pieceCosines } from "../embedding/piece-vectors.ts"
import { openRows } from "./row-file.ts"

/** The vectors of an index: a row file whose records are a passage's vector, then the packed ones of its units. */
export interface VectorFile extends Disposable {
  /** Cosine of a vector of length 1 with a passage's; undefined for an unknown row. */
  cosine(row: number, vector: Float32Array): number | undefined
  /** Cosines with the units of a passage, in reading order; undefined for a unit without a vector. */
  unitCosines(row: number, vector: Float32Array): (number | undefined)[]
  /** Median of the cosines with the documentation's passages, measured on a sample of them. */
  medianCosine(vector: Float32Array): number
  /** Cosine with the mean of the same sample: how much a question sounds like this documentation. */
  meanCosine(vector: Float32Array): number
}

/** As many as a passage of 10,000 characters takes in which each character is a unit of its own. */
const maxBytes = 8_000_000
const sampleSize = 200

export function vectorRecord({ vector, pieces }: EmbeddedPassage): Uint8Array {
  return Buffer.concat([Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength), pieces])
}

/** `size`: dimensions of a vector. */
export function openVectors(file: string, passages: number, size: number): VectorFile | undefined {
  const rows = openRows(file, passages, maxBytes)
  if (!rows) return undefined
  const vectorBytes = size * Float32Array.BYTES_PER_ELEMENT
  // Copied, because the bytes may not be aligned for floats and the next read overwrites them.
  const readVector = (row: number) => {
    const record = rows.read(row)
    return record && new Float32Array(new Uint8Array(record.subarray(0, vectorBytes)).buffer)
  }
  const all = rows.rows()
  const step = Math.max(1, Math.floor(all.length / sampleSize))
  const sample = all.filter((_, at) => at % step === 0).slice(0, sampleSize)
  let sampled: Float32Array[] | undefined
  let mean: Float32Array | undefined
  const readSample = () => {
    sampled ??= sample.flatMap((row) => readVector(row) ?? [])
    return sampled
  }
  return {
    cosine(row, vector) {
      const other = readVector(row)
      return other && cosine(vector, other)
    },
    unitCosines(row, vector) {
      const record = rows.read(row)
      return record ? pieceCosines(record.subarray(vectorBytes), vector) : []
    },
    medianCosine(vector) {
      const cosines = readSample()
        .map((other) => cosine(vector, other))
        .sort((one, other) => one - other)
      return cosines[cosines.length >> 1] ?? 0
    },
    meanCosine(vector) {
      mean ??= meanVector(readSample(), size)
      return cosine(vector, mean)
    },
    [Symbol.dispose]: () => rows[Symbol.dispose](),
  }
}

/** Scaled to length 1; zero where there is nothing to take the mean of. */
function meanVector(vectors: readonly Float32Array[], size: number): Float32Array {
  const sum = new Array<number>(size).fill(0)
  for (const vector of vectors)
    for (const [at, value] of vector.entries()) sum[at] = (sum[at] as number) + value
  return unitVector(sum) ?? new Float32Array(size)
}
