import { robotName } from "./network.ts"

/**
 * Whether `X-Robots-Tag` forbids us to index: `noindex` or `guichet: noindex`, but not `otherbot: noindex`.
 */
export function forbidsIndexing(robotsTag: string | null): boolean {
  let forUs = true
  return (robotsTag ?? "").split(",").some((part) => {
    const [, name, rest] = /^\s*([\w-]+)\s*:(.*)$/.exec(part) ?? []
    // A directive with a value looks like a robot's name: `max-snippet: 20`.
    if (name !== undefined && !/^(?:unavailable_after|max-[\w-]+)$/i.test(name))
      forUs = name.toLowerCase() === robotName
    return forUs && /^\s*(?:noindex|none)\s*$/i.test(rest ?? part)
  })
}
