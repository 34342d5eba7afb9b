import { addressKey } from "./address.ts"

/** An address that is told about each new response, once it has confirmed that it wants to be. */
export interface NoticeAddress {
  to: string
  /** In ms since 1970; null while the link that it was sent is not followed. */
  confirmedAt: number | null
}

/** Most addresses of one form: each response is a mail to each. */
export const maxNotify = 10

/** The `owner_mail` of callers from before there were several. */
export interface OwnerMail {
  to: string
  contents: boolean
}

interface Given {
  notify?: readonly string[] | undefined
  notifyContents?: boolean | undefined
  ownerMail?: OwnerMail | null | undefined
}

interface Notices {
  notify: NoticeAddress[]
  notifyContents: boolean
}

/**
 * The addresses that a caller wants. A reply shows `notify` and `owner_mail`, so that a caller may send both back with
 * one of them changed: that one counts. An address keeps its confirmation.
 */
export function changedNotices(given: Given, present: Notices): Notices {
  const before = present.notify.map(({ to }) => to)
  const isChanged = given.notify !== undefined && given.notify.join(" ") !== before.join(" ")
  const isOwnerChanged = given.ownerMail !== undefined && given.ownerMail?.to !== before[0]
  const wanted = isChanged ? given.notify : isOwnerChanged ? ownerAddresses(given) : before
  const contents = given.notifyContents === present.notifyContents ? undefined : given.notifyContents
  return {
    notify: distinct(wanted ?? []).map((to) => ({ to, confirmedAt: confirmedAt(present.notify, to) })),
    notifyContents: contents ?? given.ownerMail?.contents ?? present.notifyContents,
  }
}

export function confirmedAt(notify: readonly NoticeAddress[], to: string): number | null {
  return notify.find((each) => addressKey(each.to) === addressKey(to))?.confirmedAt ?? null
}

export function confirmedIn(notify: readonly NoticeAddress[]): string[] {
  return notify.filter((each) => each.confirmedAt !== null).map(({ to }) => to)
}

export function ownerMailOf({ notify: [first], notifyContents }: Notices): OwnerMail | null {
  return first ? { to: first.to, contents: notifyContents } : null
}

function ownerAddresses({ ownerMail }: Given): string[] {
  return ownerMail ? [ownerMail.to] : []
}

/** One that is wrong, which is told beside, is undefined. */
function distinct(addresses: readonly (string | undefined)[]): string[] {
  const typed = addresses.filter((to) => to !== undefined)
  return [...new Map(typed.map((to) => [addressKey(to), to] as const)).values()]
}
