/** A part of a formula, in brackets where it is more than one number or name. */
export function grouped(text: string): string {
  return /^[\p{L}\p{N},.]*$/u.test(text) ? text : `(${text})`
}
