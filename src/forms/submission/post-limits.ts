import { detail } from "../../base/errors.ts"
import { type Counter, counterOf, type Limit, type Moment, periodName, reached } from "../../limits/limit.ts"
import { takeFrom } from "../../limits/take.ts"
import type { Uses } from "../../limits/uses.ts"
import { proofCounter, useProof } from "./proof-of-work.ts"
import { tokenCounter, useOnce } from "./timing-token.ts"

/**
 * Most posts and bytes stored on one day in the owner's time zone: those of one visitor in all forms
 * together, and those in one form of all visitors together.
 */
export interface DailyLimits {
  perVisitor: number
  bytesPerVisitor: number
  perForm: number
  bytesPerForm: number
  /** Bytes of files, which count nowhere else. */
  fileBytesPerVisitor: number
}

export interface CountedPost {
  /** Bytes of its response, and of the files beside it. */
  bytes: number
  fileBytes: number
  /** The genuine timing token that came with it. */
  token: string | undefined
  at: Moment
  counters: ReturnType<typeof postCounters>
}

interface PostLimits {
  /** Posts of a visitor received in any 60 seconds. */
  formPerVisitorMinute: number
  formDay: DailyLimits
}

/** For one address, where each post has a page of its own: a class or an office may be behind it. */
const ownPagesPerMinute = 60

/** Further posts are refused, and the visitor is told: a flood would fill the disk. */
const stoppedLimit: Limit = { key: "apart", points: 100, per: "24 hours", on: "visitor" }

/**
 * Every counter that may change with a post. Names of the same visitor or form stand together. `visitor` is a hash that
 * recognises one visitor within one day, and reveals nothing else.
 */
export function postCounters(
  formId: string,
  visitor: string,
  token: string | undefined,
  at: Moment,
  hasFiles: boolean,
  proof: string | undefined,
) {
  const period = periodName("day", at)
  const today = (on: string): Counter => ({ period, subject: `post:${on}` })
  return {
    // Its `until` is that of the limit per minute: one row less for each post.
    visitor: today(visitor),
    visitorBytes: today(`${visitor}:bytes`),
    visitorInForm: today(`${visitor}:${formId}`),
    form: today(formId),
    formBytes: today(`${formId}:bytes`),
    stopped: counterOf(stoppedLimit, visitor, at),
    ...(proof !== undefined && { proof: proofCounter(proof) }),
    ...(hasFiles && { visitorFiles: today(`${visitor}:files`) }),
    ...(token !== undefined && {
      token: tokenCounter(token),
      ownPage: counterOf({ key: "own-page", per: "minute" }, visitor, at),
    }),
  }
}

/**
 * Counts a post, whose counters were read; false when it is to be kept apart: it was stopped already, or its visitor
 * posted too often in the last 60 seconds. Throws Refusal `rate_limited`, and the post counts nowhere, when a limit of
 * the day or of the posts that are kept apart is reached, `invalid_request` for a proof of work that was used before.
 * The free disk space alone bounds posts from many addresses.
 */
export function countPost(uses: Uses, post: CountedPost, isStopped: boolean, limits: PostLimits): boolean {
  const { bytes, token, at, counters } = post
  requireDay(uses, post, limits.formDay)
  if (counters.proof) useProof(uses, counters.proof, at.nowMs)
  const perMinute = { points: limits.formPerVisitorMinute, per: "minute" } as const
  const isWithin =
    !isStopped &&
    (counters.ownPage && token !== undefined && useOnce(uses, token, at.nowMs)
      ? takeFrom(
          uses,
          { ...perMinute, points: Math.max(ownPagesPerMinute, perMinute.points) },
          counters.ownPage,
          at.nowMs,
        )
      : takeFrom(uses, perMinute, counters.visitor, at.nowMs))
  if (!isWithin && !takeFrom(uses, stoppedLimit, counters.stopped, at.nowMs))
    throw reached(stoppedLimit, detail("forms.tooManyPosts"), at)
  for (const counter of [counters.visitor, counters.visitorInForm, counters.form]) uses.add(counter, 1)
  for (const counter of [counters.visitorBytes, counters.formBytes]) uses.add(counter, bytes)
  if (counters.visitorFiles) uses.add(counters.visitorFiles, post.fileBytes)
  return isWithin
}

/** A full form still takes the first post of each visitor: filling it up keeps no other visitor out. */
function requireDay(uses: Uses, post: CountedPost, limits: DailyLimits): void {
  const { counters } = post
  const isFull = (posts: Counter, bytes: Counter, most: number, mostBytes: number) =>
    uses.of(posts).used >= most || uses.of(bytes).used + post.bytes > mostBytes
  const day = { key: "posts", points: limits.perVisitor, per: "day" } as const
  // A visitor's first post is never too large: a single response may be as large as a message.
  if (
    uses.of(counters.visitor).used > 0 &&
    isFull(counters.visitor, counters.visitorBytes, limits.perVisitor, limits.bytesPerVisitor)
  )
    throw reached({ ...day, on: "visitor" }, detail("forms.visitorDay"), post.at)
  const filesUsed = counters.visitorFiles ? uses.of(counters.visitorFiles).used : 0
  if (filesUsed > 0 && filesUsed + post.fileBytes > limits.fileBytesPerVisitor)
    throw reached({ ...day, on: "visitor" }, detail("forms.visitorDay"), post.at)
  if (
    uses.of(counters.visitorInForm).used > 0 &&
    isFull(counters.form, counters.formBytes, limits.perForm, limits.bytesPerForm)
  )
    throw reached({ ...day, on: "form" }, detail("forms.formDay"), post.at)
}
