const letters = "abcdefghijklmnopqrstuvwxyz"

/** Random, so that no two are equal. */
export function word(): string {
  return Array.from({ length: 6 }, () => letters[Math.floor(Math.random() * letters.length)]).join("")
}

/** As many different words as `length` characters hold. */
export function words(length: number): string {
  let text = ""
  while (text.length < length) text += `${word()} `
  return text.slice(0, length).trimEnd().padEnd(length, "z")
}

/** Every position of it is nearly the beginning of a sought word. */
export function nearly(length: number): string {
  return "a".repeat(length)
}

/** What a search looks for in every position, in vain: words of 200 characters in all. */
export const sought = ["b", ...Array.from({ length: 7 }, (_, at) => "a".repeat(24 - at))].join(" ")

/** Texts of one kind of row, half of them equal and half of them different. */
export function text(at: number, length: number): string {
  return at % 2 === 0 ? nearly(length) : words(length)
}
