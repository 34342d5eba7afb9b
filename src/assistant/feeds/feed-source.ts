import type { Project } from "../../accounts/project.ts"
import { type Detail, detail, Refusal } from "../../base/errors.ts"
import { originOf } from "../../base/origin.ts"
import { parsedUrl } from "../../base/text.ts"
import type { FeedSource } from "./feed.ts"
import type { PagePatterns } from "./page-patterns.ts"

/**
 * The feed that an operator has typed in. Folders are for the command line alone: an operator of one
 * workspace must not read files of the machine. Throws Refusal `invalid_request` with a detail for each field
 * at fault.
 */
export function checkedFeedSource(
  { origins }: Project,
  typed: { kind: string; address: string } & PagePatterns,
): FeedSource {
  const { kind, include, exclude } = typed
  const address = parsedUrl(typed.address.trim())
  const origin = originOf(typed.address.trim())
  const fields: Record<string, Detail> = {}
  if (kind !== "sitemap" && kind !== "llms") fields["kind"] = detail("assistant.feedKind")
  if (!address || origin === undefined) fields["address"] = detail("assistant.feedAddress")
  else if (!origins.includes(origin)) fields["address"] = detail("assistant.feedElsewhere")
  if ((kind !== "sitemap" && kind !== "llms") || !address || Object.keys(fields).length > 0)
    throw new Refusal("invalid_request", detail("assistant.invalidFeed"), {
      fields,
    })
  return { kind, address: address.href, include, exclude }
}
