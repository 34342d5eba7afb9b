import { statSync } from "node:fs"
import { databasePath } from "../../src/db/sqlite/connection.ts"
import { temporaryFolder } from "../support/service.ts"
import { atMost, exactly, type Verdict } from "../support/verdict.ts"
import { type Reply, startServedSite } from "./served-site.ts"

/**
 * What one visitor, and then many, post to one form on one day, with the limits as they are shipped but for
 * that of a minute.
 */
export async function floodsOfPosts(): Promise<Verdict[]> {
  using folder = temporaryFolder()
  await using site = await startServedSite(folder.path, {
    GUICHET_FORM_PER_VISITOR_DAY: "",
    GUICHET_FORM_BYTES_PER_VISITOR_DAY: "",
    GUICHET_FORM_BYTES_PER_FORM_DAY: "",
    GUICHET_FORM_PER_FORM_DAY: "300",
  })
  const size = () =>
    ["", "-wal"].reduce((sum, end) => sum + statSync(databasePath(folder.path) + end).size, 0)
  const post = (count: number, wanted: (number: number) => { text?: string; from: string }) =>
    inSteps(count, (number) => site.post(wanted(number)))
  const small = await post(300, () => ({ from: "203.0.113.7" }))
  const before = size()
  const large = await post(100, () => ({ from: "203.0.113.8", text: "x".repeat(225_000) }))
  const grownMb = (size() - before) / 1024 ** 2
  // 200 and 46 are stored: 54 more fill the form.
  const many = await post(54, (number) => ({ from: `198.51.100.${number}` }))
  const again = await post(54, (number) => ({ from: `198.51.100.${number}` }))
  const others = await post(20, (number) => ({ from: `192.0.2.${number}` }))
  return [
    exactly("flood of one visitor: posts kept, of 300", 200, count(small, 201)),
    exactly("flood of one visitor: refused with 429", 100, count(small, 429)),
    exactly("flood of large posts of one visitor: kept, of 100 of 225 KB", 46, count(large, 201)),
    atMost("flood of large posts of one visitor: growth of the database", 35, grownMb, " MB"),
    exactly("form filled up by many: posts kept until it is full", 54, count(many, 201)),
    exactly("full form: second posts refused, of 54", 54, count(again, 429)),
    exactly("full form: first posts of others kept, of 20", 20, count(others, 201)),
  ]
}

async function inSteps(count: number, request: (number: number) => Promise<Reply>): Promise<Reply[]> {
  const replies: Reply[] = []
  let next = 0
  const client = async () => {
    while (next < count) replies.push(await request(next++))
  }
  await Promise.all(Array.from({ length: 8 }, client))
  return replies
}

function count(replies: readonly Reply[], status: number): number {
  return replies.filter((reply) => reply.status === status).length
}
