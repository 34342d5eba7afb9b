import type { Moment } from "./kill.ts"

/**
 * Named points of the life of the service and of a message at which a kill is worst. Posts are under way
 * throughout.
 */
export const moments: Record<string, Moment> = {
  "as soon as it is ready": async () => {},
  "when the receiver has got a message and not answered yet": (_, receiver) => {
    const arrived = Promise.withResolvers<void>()
    const before = receiver.answer
    receiver.answer = async (received, number) => {
      receiver.answer = before
      arrived.resolve()
      await Bun.sleep(20)
      return before(received, number)
    }
    return arrived.promise
  },
  "when the receiver has just answered": (_, receiver) => {
    const answered = Promise.withResolvers<void>()
    const before = receiver.answer
    receiver.answer = () => {
      receiver.answer = before
      setImmediate(answered.resolve)
      return new Response("ok")
    }
    return answered.promise
  },
  "when the receiver has just refused": (_, receiver) => {
    const answered = Promise.withResolvers<void>()
    const before = receiver.answer
    receiver.answer = () => {
      receiver.answer = before
      setImmediate(answered.resolve)
      return new Response("", { status: 500 })
    }
    return answered.promise
  },
  "while it stops": async (service) => {
    await Bun.sleep(200)
    service.stop("SIGTERM")
    await Bun.sleep(10)
  },
}
