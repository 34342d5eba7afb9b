import { realpath } from "node:fs/promises"
import { Type } from "@sinclair/typebox"
import { readFolder } from "./folder/read-folder.ts"
import { signOf } from "./folder/site.ts"
import { feedKind, patterns, published } from "./kind.ts"

/** A folder of this machine. */
export const folder = feedKind({
  settings: Type.Object({ ...patterns, ...published }),
  input: {},
  change: {},
  isLocal: true,
  async generatorOf({ address, generator }) {
    return generator ?? (await signOf(await realpath(address).catch(() => address), undefined)).generator
  },
  read(feed, { parser, network }, { signal, before }) {
    return readFolder({ path: feed.address, feed, parser, nowMs: network.clock.now() }, signal, before)
  },
})
