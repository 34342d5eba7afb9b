import { afterAll } from "bun:test"
import { type S3Server, startS3Server } from "./s3-server.ts"

/** The places where files are kept, for the tests of a file; their store of objects ends with these. */
export function filePlaces() {
  let server: S3Server | undefined
  afterAll(() => server?.[Symbol.asyncDispose]())
  const store = async () => {
    server ??= await startS3Server()
    return server
  }
  const places: Record<"in the database" | "on S3", () => Promise<Record<string, string>>> = {
    "in the database": async () => ({}),
    "on S3": async () => (await store()).settings(),
  }
  /** What the store has so far. */
  const objects = () => [...(server?.objects() ?? [])]
  return { places, store, objects }
}
