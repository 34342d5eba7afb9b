/**
 * Vectors of a passage and of its pieces in few bytes: the passage's as 32-bit floats, since small differences of
 * cosines decide the order of passages; then for each piece a 32-bit float and as many 8-bit integers, whose
 * products with it are its values. A piece without a vector has the factor 0.
 */
export function packVectors(
  passage: Float32Array,
  pieces: readonly (Float32Array | undefined)[],
): Uint8Array {
  const size = passage.length
  const packed = new Uint8Array(4 * size + pieces.length * (4 + size))
  const view = new DataView(packed.buffer)
  for (const [at, value] of passage.entries()) view.setFloat32(4 * at, value, true)
  for (const [place, piece] of pieces.entries()) {
    if (!piece) continue
    const start = 4 * size + place * (4 + size)
    const factor = piece.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127
    view.setFloat32(start, factor, true)
    for (const [at, value] of piece.entries()) view.setInt8(start + 4 + at, Math.round(value / factor))
  }
  return packed
}

/** The vector of the passage. `size`: dimensions. */
export function passageVectorOf(packed: Uint8Array, size: number): Float32Array {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  return Float32Array.from({ length: size }, (_, at) => view.getFloat32(4 * at, true))
}

/** Cosines of a vector of length 1 with the pieces of a passage; undefined for one without a vector. */
export function pieceCosines(packed: Uint8Array, vector: Float32Array): (number | undefined)[] {
  const size = vector.length
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength)
  const values = new Int8Array(packed.buffer, packed.byteOffset, packed.byteLength)
  const cosines: (number | undefined)[] = []
  for (let start = 4 * size; start < packed.length; start += 4 + size) {
    const factor = view.getFloat32(start, true)
    let sum = 0
    for (let at = 0; at < size; at++) sum += (vector[at] as number) * (values[start + 4 + at] as number)
    cosines.push(factor === 0 ? undefined : sum * factor)
  }
  return cosines
}
