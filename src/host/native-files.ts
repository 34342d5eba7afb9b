import model from "../../data/model/e5-small-fr-en.int8.onnx" with { type: "file" }
import tokenizerFile from "../../data/model/tokenizer.json" with { type: "file" }

/** A file that the built program carries compressed. */
export interface EmbeddedFile {
  /** Its name on the disk. */
  name: string
  /** Where the program has it, compressed by zstd. */
  path: string
  /** Size once it is unpacked. */
  bytes: number
}

/** The built program loads them from the disk, where it unpacks them. */
export interface EmbeddedFiles {
  /** LanceDB's addon. */
  indexEngine: readonly EmbeddedFile[]
  /** The inference runtime's addon, the library beside it, the model and its tokenizer. */
  inference: readonly EmbeddedFile[]
}

/** The model's files where they stand. */
interface SourceFiles {
  model: string
  tokenizer: string
}

// TypeScript takes the import for the JSON itself; Bun gives the path.
const tokenizer = tokenizerFile as unknown as string

/**
 * From the sources native code is loaded from where it is installed. A build puts a module with the files of
 * its target in place of this one (`src/release/embed.ts`).
 */
export const nativeFiles: SourceFiles | EmbeddedFiles = { model, tokenizer }
