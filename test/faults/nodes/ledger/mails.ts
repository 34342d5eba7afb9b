import { exactly, type Verdict } from "../../../support/verdict.ts"
import { clockTime } from "../history.ts"
import type { TakenMail } from "../mailboxes.ts"
import { recordedWithinMs, wasCutShort } from "./explain.ts"
import type { Records } from "./records.ts"
import { shown } from "./shown.ts"

export function mailLines({ load, faults, mails, stored }: Records): Verdict[] {
  const asked = load.posts.flatMap(({ id, email }) => (id && email ? [email] : []))
  const sentTo = new Set(mails.map(({ to }) => to))
  const byId = Map.groupBy(mails, ({ id }) => id)
  const unexplained = [...byId.values()].flatMap((sent) =>
    sent.slice(1).flatMap((mail, index) => {
      const before = sent[index] as TakenMail
      const { node, atMs } = before
      const wasFrozen = faults.some(
        (fault) =>
          fault.kind === "freeze" &&
          fault.node === mail.node &&
          mail.atMs >= fault.toMs &&
          mail.atMs < fault.toMs + recordedWithinMs,
      )
      return wasFrozen || wasCutShort(faults, { node, fromMs: atMs, toMs: atMs }) ? [] : [[before, mail]]
    }),
  )
  return [
    exactly(`mails lost, of ${asked.length}`, 0, asked.filter((to) => !sentTo.has(to)).length),
    {
      ...exactly(
        `mails sent twice without a reason, of ${mails.length - byId.size} sent twice`,
        0,
        unexplained.length,
      ),
      found: shown(unexplained, (sent) =>
        sent.map(({ id, node, atMs }) => `${id} by ${node} at ${clockTime(atMs)}`).join(", then "),
      ),
    },
    exactly("mails that wait at the end", 0, stored.mailsLeft),
  ]
}
