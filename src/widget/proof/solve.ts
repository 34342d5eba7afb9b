/** A challenge of `altcha-lib`, as far as it is read here. Texts are hexadecimal. */
export interface Work {
  parameters: { nonce: string; salt: string; keyPrefix: string }
}

export interface Solved {
  counter: number
  derivedKey: string
}

/** Tries between two looks at the time. */
const triesPerLook = 500
/** The page stays responsive: longer work is felt as a halt. */
const sliceMs = 25

/** In slices between which the page does its own work. */
export async function solve({ parameters }: Work): Promise<Solved> {
  const { nonce, salt, keyPrefix } = parameters
  const block = new Int32Array(16)
  block.set((salt + nonce).match(/.{8}/g)?.map((word) => Number.parseInt(word, 16) | 0) ?? [])
  // The end mark, and the number of bits before it.
  block[9] = 1 << 31
  block[15] = 9 * 32
  const wanted = Number.parseInt(keyPrefix, 16) | 0
  const hash = new Int32Array(8)
  let sliceEnds = performance.now() + sliceMs
  for (let counter = 0; ; counter++) {
    block[8] = counter
    hashBlock(block, hash)
    if (hash[0] === wanted) return { counter, derivedKey: Array.from(hash, hex).join("") }
    if (counter % triesPerLook === 0 && performance.now() > sliceEnds) {
      await new Promise((resolve) => setTimeout(resolve))
      sliceEnds = performance.now() + sliceMs
    }
  }
}

function hex(word: number): string {
  return (word >>> 0).toString(16).padStart(8, "0")
}

// SHA-256 of one block. `crypto.subtle` exists on secure pages only, and takes a promise for each hash.
const primes: number[] = []
for (let number = 2; primes.length < 64; number++)
  if (primes.every((prime) => number % prime)) primes.push(number)
const wordOf = (root: number) => (root * 2 ** 32) | 0
const constants = Int32Array.from(primes, (prime) => wordOf(Math.cbrt(prime)))
const initial = Int32Array.from(primes.slice(0, 8), (prime) => wordOf(Math.sqrt(prime)))
const words = new Int32Array(64)

function hashBlock(block: Int32Array, hash: Int32Array): void {
  words.set(block)
  for (let at = 16; at < 64; at++) {
    const early = words[at - 15] as number
    const late = words[at - 2] as number
    words[at] =
      (turned(late, 17) ^ turned(late, 19) ^ (late >>> 10)) +
      (words[at - 7] as number) +
      (turned(early, 7) ^ turned(early, 18) ^ (early >>> 3)) +
      (words[at - 16] as number)
  }
  let [a, b, c, d, e, f, g, h] = initial as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  for (let at = 0; at < 64; at++) {
    const one =
      h +
      (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) +
      ((e & f) ^ (~e & g)) +
      (constants[at] as number) +
      (words[at] as number)
    const two = (turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))
    h = g
    g = f
    f = e
    e = (d + one) | 0
    d = c
    c = b
    b = a
    a = (one + two) | 0
  }
  const ends = [a, b, c, d, e, f, g, h]
  for (let at = 0; at < 8; at++) hash[at] = (initial[at] as number) + (ends[at] as number)
}

function turned(word: number, bits: number): number {
  return (word >>> bits) | (word << (32 - bits))
}
