/** A place where text from outside comes in, with the most of it that is let in there. */
export interface Target {
  name: string
  maxBytes: number
  /** How the text is written there, where it is not as it is. */
  written?(text: string): string
  /**
   * The status with which even a harmless text may be refused, once it is read; elsewhere it would mean that
   * it was not.
   */
  refusal?: 403 | 429 | 503
  /** `number` tells the requests of a trial apart. */
  request(text: string, number: number): Uint8Array
}

export const kb = 1024
/** Separators, names and what else stands around a text. */
export const frameBytes = 600

/** Each from an address of its own, so that none has to wait for what others did. */
export function visitor(number: number): Record<string, string> {
  return { "x-forwarded-for": `198.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}` }
}

export function bytes(text: string): Uint8Array {
  return Buffer.from(text)
}

/** As few characters as an urlencoded body needs, so that most of it arrives. */
export function percentEncoded(text: string): string {
  return text.replace(/[%&+=]/g, (character) => encodeURIComponent(character))
}

/** Inside its quotation marks. */
export function jsonEscaped(text: string): string {
  return JSON.stringify(text).slice(1, -1)
}
