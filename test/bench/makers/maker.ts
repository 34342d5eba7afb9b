/** A program that makes a document of the guide. Further ones stand in the list of their kind: `pdf.ts`, … */
export interface Maker {
  name: string
  /** Left out with a line where it is not installed. */
  program: string
  version: string[]
  /** Name and text of the file that it is given. */
  input: [name: string, text: string]
  /** Run one after the other in a folder of their own. */
  commands: string[][]
  output: string
  /** The only facts that it writes, such as the rows of a spreadsheet. */
  holds?: string
}
