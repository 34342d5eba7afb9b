import { expect, test } from "bun:test"
import type { Claimed } from "../../src/webhooks/claim.ts"
import { openFlights } from "../../src/webhooks/flights.ts"
import type { Finished } from "../../src/webhooks/record.ts"

let number = 0
const flight = (endpointId: string, late = false) =>
  ({ attemptId: `att_${number++}`, endpointId, late }) as Claimed
const ended = (claimed: Claimed, outcome: Finished["outcome"]) => ({ claimed, outcome }) as Finished

test("an endpoint has five attempts in flight, and one once it let an attempt run out of time", () => {
  const flights = openFlights()
  expect(flights.room().of("ep_1")).toBe(5)
  const first = flight("ep_1")
  flights.add(first)
  expect(flights.room().of("ep_1")).toBe(4)
  flights.remove(ended(first, "timeout"))
  expect(flights.room().of("ep_1")).toBe(1)
  expect(flights.room().of("ep_2")).toBe(5)
  const second = flight("ep_1")
  flights.add(second)
  expect(flights.room()).toMatchObject({ full: ["ep_1"] })
  flights.remove(ended(second, "delivered"))
  expect(flights.room().of("ep_1")).toBe(5)
})

test("64 depart at once; attempts that last keep nobody waiting: their places are given again", async () => {
  const flights = openFlights()
  for (let index = 0; index < 64; index++) {
    expect(flights.free()).toBe(true)
    const claimed = flight(`ep_${index % 13}`)
    flights.add(claimed)
    flights.depart(claimed)
  }
  expect(flights.free()).toBe(false)
  while (!flights.free()) await Bun.sleep(10)
})

test("late attempts leave half of the places to first ones", () => {
  const flights = openFlights()
  for (let index = 0; index < 120; index++) flights.add(flight(`ep_${index}`, true))
  expect(flights.room()).toMatchObject({ total: 120, late: 0 })
})

test("once many places are taken an endpoint has one, once most are taken those that answer have one too", () => {
  const flights = openFlights()
  const answering = flight("ep_answering")
  flights.add(answering)
  flights.remove(ended(answering, "http_status"))
  for (let index = 0; index < 65; index++) flights.add(flight(`ep_${index}`))
  expect(flights.room().of("ep_new")).toBe(1)
  expect(flights.room().of("ep_1")).toBe(0)
  expect(flights.room().of("ep_answering")).toBe(5)
  for (let index = 65; index < 209; index++) flights.add(flight(`ep_${index}`))
  expect(flights.room().of("ep_answering")).toBe(1)
})
