/**
 * Files that every node can read. A key never names two different contents, so a copy stays right for ever. Throws
 * StorageError when the store cannot be used; a call that nothing moves in ends by itself.
 */
export interface ObjectStore {
  /** Stores a file of this machine. The key names nothing, or all of it, once the promise resolves. */
  put(key: string, file: string, signal: AbortSignal): Promise<void>
  /** The content; undefined when the store has nothing under the key. Reading it may throw, too. */
  get(key: string, signal: AbortSignal): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Removing what is not there is no error. */
  remove(key: string, signal: AbortSignal): Promise<void>
}

/** Objects from memory that are found again by their keys. Throws StorageError, too. */
export interface ObjectLog extends Pick<ObjectStore, "get"> {
  add(key: string, content: string | Uint8Array, signal: AbortSignal): Promise<void>
  /** Keys that begin with `prefix` and come after `after`, in their order. */
  keys(prefix: string, after: string, signal: AbortSignal): AsyncIterable<string>
}

/** A store that does not answer, or refuses. The message is one line for the log, and holds no credential. */
export class StorageError extends Error {
  override readonly name = "StorageError"
}
