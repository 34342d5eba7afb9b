import { expect, test } from "bun:test"
import { readBody } from "../../src/http/body.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

test("a body that does not end is given up in time, and whoever sends it is told", async () => {
  const told = Promise.withResolvers<void>()
  const body = new ReadableStream({
    pull: (controller) => controller.enqueue(bytes("x")),
    cancel: () => told.resolve(),
  })
  const trickling = body.pipeThrough(
    new TransformStream({
      async transform(chunk, controller) {
        await Bun.sleep(5)
        controller.enqueue(chunk)
      },
    }),
  )
  const request = new Request("http://docs.exemple.fr", { method: "POST", body: trickling })
  await expect(readBody(request, 1000, 50)).rejects.toThrow("too long")
  await told.promise
})

test("exactly as many bytes as allowed are read, from however many pieces; not one more", async () => {
  const body = () =>
    new ReadableStream({
      start(controller) {
        for (const part of ["abc", "de"]) controller.enqueue(bytes(part))
        controller.close()
      },
    })
  const request = () => new Request("http://docs.exemple.fr", { method: "POST", body: body() })
  expect(await readBody(request(), 5)).toEqual(Buffer.from("abcde"))
  expect(await readBody(request(), 4)).toBeUndefined()
  expect(await readBody(new Request("http://docs.exemple.fr"), 4)).toHaveLength(0)
})
