/**
 * Packs the vectors of a passage's pieces: for each piece a 32-bit float and as many 8-bit integers as the vector
 * has dimensions; their products are its values. A piece without a vector has the factor 0.
 */
export function packPieces(pieces: readonly (Float32Array | undefined)[], size: number): Uint8Array {
  const packed = new Uint8Array(pieces.length * (4 + size))
  const view = new DataView(packed.buffer)
  for (const [place, piece] of pieces.entries()) {
    if (!piece) continue
    const start = place * (4 + size)
    const factor = piece.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127
    view.setFloat32(start, factor, true)
    for (const [at, value] of piece.entries()) view.setInt8(start + 4 + at, Math.round(value / factor))
  }
  return packed
}

/** Cosine of a vector of length 1 with each packed piece; undefined for a piece without a vector. */
export function pieceCosines(packed: Uint8Array, vector: Float32Array): (number | undefined)[] {
  const size = vector.length
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const values = new Int8Array(packed.buffer, packed.byteOffset, packed.byteLength)
  const cosines: (number | undefined)[] = []
  for (let start = 0; start + 4 + size <= packed.length; start += 4 + size) {
    const factor = view.getFloat32(start, true)
    let sum = 0
    for (let at = 0; at < size; at++) sum += (vector[at] as number) * (values[start + 4 + at] as number)
    cosines.push(factor === 0 ? undefined : sum * factor)
  }
  return cosines
}
