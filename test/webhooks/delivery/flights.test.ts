import { expect, test } from "bun:test"
import type { Claimed } from "../../../src/webhooks/delivery/claim.ts"
import { type Flights, openFlights } from "../../../src/webhooks/delivery/flights.ts"
import type { Finished } from "../../../src/webhooks/delivery/record.ts"
import { keptConnections } from "../../../src/webhooks/delivery/send.ts"

const flight = (endpointId: string, late = false) => ({ endpointId, late }) as Claimed
/** One that is on its way. */
function departed(flights: Flights, endpointId: string, late = false): Claimed {
  const claimed = flight(endpointId, late)
  flights.add(claimed)
  flights.depart(claimed)
  return claimed
}
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
  expect(flights.room().of("ep_1")).toBe(0)
})

test("one that answered has more claimed than it has places: they wait for these", () => {
  const flights = openFlights()
  const first = flight("ep_1")
  flights.add(first)
  flights.remove(ended(first, "delivered"))
  expect(flights.room().of("ep_1")).toBe(48)
  const claimed = Array.from({ length: 6 }, () => flight("ep_1"))
  for (const one of claimed) flights.add(one)
  for (const one of claimed.slice(0, 5)) {
    expect(flights.mayDepart(one)).toBe(true)
    flights.depart(one)
  }
  const [landing, last] = [claimed[0] as Claimed, claimed[5] as Claimed]
  expect(flights.mayDepart(last)).toBe(false)
  flights.land(landing)
  expect(flights.mayDepart(last)).toBe(true)
  flights.giveUp(last)
  expect(flights.room().of("ep_1")).toBe(0)
})

test("as many depart at once as connections are kept; attempts that last keep nobody waiting: their places are given again", async () => {
  const flights = openFlights()
  for (let index = 0; index < keptConnections; index++) {
    expect(flights.free()).toBeGreaterThan(0)
    departed(flights, `ep_${index % 13}`)
  }
  expect(flights.free()).toBe(0)
  while (flights.free() === 0) await Bun.sleep(10)
})

test("late attempts leave half of the places to first ones", () => {
  const flights = openFlights()
  for (let index = 0; index < 600; index++) flights.add(flight(`ep_${index}`, true))
  expect(flights.room()).toMatchObject({ total: 600, late: 0 })
  for (let index = 0; index < 120; index++) departed(flights, `ep_${index}`, true)
  const [late, first] = [flight("ep_other", true), flight("ep_other")]
  flights.add(late)
  flights.add(first)
  expect(flights.mayDepart(late)).toBe(false)
  expect(flights.mayDepart(first)).toBe(true)
})

test("once many places are taken an endpoint has one, once most are taken those that answer have one too", () => {
  const flights = openFlights()
  const answering = flight("ep_answering")
  flights.add(answering)
  flights.remove(ended(answering, "http_status"))
  for (let index = 0; index < 65; index++) flights.add(flight(`ep_${index}`))
  expect(flights.room().of("ep_new")).toBe(1)
  expect(flights.room().of("ep_1")).toBe(0)
  expect(flights.room().of("ep_answering")).toBe(48)
  for (let index = 65; index < 1081; index++) flights.add(flight(`ep_${index}`))
  expect(flights.room().of("ep_answering")).toBe(1)
})

test("of what is in flight as well: none has five places while most are taken", () => {
  const flights = openFlights()
  const answering = [flight("ep_answering"), flight("ep_answering")] as const
  flights.add(answering[0])
  flights.remove(ended(answering[0], "delivered"))
  departed(flights, "ep_answering")
  const unknown = [flight("ep_unknown"), flight("ep_unknown")] as const
  for (const one of [answering[1], ...unknown]) flights.add(one)
  flights.depart(unknown[0])
  expect(flights.mayDepart(unknown[1])).toBe(true)
  for (let index = 0; index < 63; index++) departed(flights, `ep_${index}`)
  expect(flights.mayDepart(unknown[1])).toBe(false)
  expect(flights.mayDepart(answering[1])).toBe(true)
  for (let index = 63; index < 207; index++) departed(flights, `ep_${index}`)
  expect(flights.mayDepart(answering[1])).toBe(false)
})
