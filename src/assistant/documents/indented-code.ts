const listed = /^ {0,3}(?:[-*+:]|\d{1,9}[.)]|\[\^[^\]]+\]:)\s/

/**
 * Tells, line by line outside fences, whether it is code by its indentation: four columns after a blank line,
 * and in no list, whose items are indented as well.
 */
export function indentedCode(): (line: string) => boolean {
  let isCode = false
  let isAfterBlank = true
  let isInList = false
  return (line) => {
    if (line.trim() === "") {
      isAfterBlank = true
      return isCode
    }
    const isIndented = /^(?: {4}| {0,3}\t)/.test(line)
    isCode = isIndented && !isInList && (isCode || isAfterBlank)
    if (listed.test(line)) isInList = true
    // Right below an item, a line goes on with its words.
    else if (isAfterBlank && /^\S/.test(line)) isInList = false
    isAfterBlank = false
    return isCode
  }
}
