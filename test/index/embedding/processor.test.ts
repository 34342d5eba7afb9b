import { expect, test } from "bun:test"
import { processorArithmetic, unsupportedProcessor } from "../../../src/index/embedding/local/local-model.ts"

const cpuinfo = (flags: string) => `model name\t: Some processor\nflags\t\t: fpu sse4_2 ${flags}\nbugs\t\t:\n`

test("the processors of PCs are told apart by the instructions that the model's vectors depend on", () => {
  expect(processorArithmetic("x64", cpuinfo("avx2 avx512f avx512_vnni"))).toBe("x64-vnni")
  expect(processorArithmetic("x64", cpuinfo("avx2 avx_vnni"))).toBe("x64-vnni")
  expect(processorArithmetic("x64", cpuinfo("avx2 avx512f"))).toBe("x64-avx2")
  expect(processorArithmetic("arm64", "Features\t: fp asimd\n")).toBe("arm64")
})

test("a processor of a PC without AVX2 does not run the model", () => {
  expect(unsupportedProcessor("x64", cpuinfo("avx2"))).toBeUndefined()
  expect(unsupportedProcessor("x64", cpuinfo("avx"))?.code).toBe("checks.noAvx2")
  expect(unsupportedProcessor("arm64", "")).toBeUndefined()
})
