import { expect, test } from "bun:test"
import { recipeCode } from "../../../src/console/webhooks/recipes/recipe-code.ts"
import { newSecret, sign, signingKey } from "../../../src/webhooks/endpoints/signature.ts"
import { client, end, start } from "../../support/destination.ts"
import { textOf } from "../../support/page-text.ts"

const secret = newSecret()
const body = Buffer.from('{"type":"form.response.created","data":{"values":{"nom":"Zoé"}}}')

/** A code step of a tool that is not programmed, with the owner's secret in it. */
async function run(code: string, parameters: Record<string, unknown>, self?: object): Promise<unknown> {
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor
  const step = new AsyncFunction("require", ...Object.keys(parameters), code.replace("whsec_…", secret))
  return step.call(self, require, ...Object.values(parameters))
}

function headersFor(sentAtSeconds: number, signed: Uint8Array = body) {
  return {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(sentAtSeconds),
    "webhook-signature": sign([signingKey(secret)], "msg_1", sentAtSeconds, signed),
  }
}

const nowSeconds = () => Math.floor(Date.now() / 1000)
const received = JSON.parse(body.toString())

test("the code for n8n lets a message of Guichet pass, and no other", async () => {
  const step = (headers: object) => {
    const helpers = { getBinaryDataBuffer: async () => body }
    return run(recipeCode.n8n, { $input: { all: () => [{ json: { headers } }] } }, { helpers })
  }
  expect(await step(headersFor(nowSeconds()))).toEqual([{ json: received }])
  await expect(step(headersFor(nowSeconds(), Buffer.from("{}")))).rejects.toThrow("signature")
  await expect(step(headersFor(nowSeconds() - 600))).rejects.toThrow("signature")
})

test("the code for Zapier lets a message of Guichet pass, and no other", async () => {
  const step = (headers: ReturnType<typeof headersFor>) => {
    const [id, timestamp, signature] = Object.values(headers)
    return run(recipeCode.zapier, { inputData: { id, timestamp, signature, body: body.toString() } })
  }
  expect(await step(headersFor(nowSeconds()))).toEqual(received)
  await expect(step(headersFor(nowSeconds(), Buffer.from("{}")))).rejects.toThrow("signature")
})

test("a destination leads to recipes, which say that they were not tried and how to verify", async () => {
  await using stack = new AsyncDisposableStack()
  const { id } = await start()
  stack.defer(end)
  for (const address of ["/console/webhooks", `/console/webhooks/${id}`])
    expect((await client.get(address)).text).toContain('href="/console/webhooks/recipes"')
  const { text } = await client.get("/console/webhooks/recipes")
  const page = textOf(text)
  for (const name of ["n8n", "Make", "Zapier", "Brevo", "Google Sheets"])
    expect(page).toContain(`${name} ${name === "n8n" ? "essayée dans n8n 2.8" : "non essayée dans l’outil"}`)
  expect(page.match(/Vérifier la signature/g)).toHaveLength(5)
})
