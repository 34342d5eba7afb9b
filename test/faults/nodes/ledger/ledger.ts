import type { Verdict } from "../../../support/verdict.ts"
import { attemptLines, deliveryLines } from "./deliveries.ts"
import { mailLines } from "./mails.ts"
import { indexingLines, nodeLines } from "./nodes.ts"
import type { Records } from "./records.ts"
import { limitLines, postLines, questionLines } from "./requests.ts"

/** Each line with its figure. The run says something only when all of them are as they have to be. */
export function ledgerOf(records: Records): Verdict[] {
  return [
    ...postLines(records),
    ...deliveryLines(records),
    ...attemptLines(records),
    ...limitLines(records),
    ...questionLines(records),
    ...mailLines(records),
    ...indexingLines(records),
    ...nodeLines(records),
  ]
}
