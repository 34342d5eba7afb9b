import { Tensor } from "onnxruntime-common"
import type { ModelFiles } from "./onnx-files.ts"

/** A model that is ready. */
export interface OnnxSession {
  /** Hidden states of the tokens, one after another. Blocks the thread until they are there. */
  run(tokens: readonly number[]): Float32Array
}

/** ONNX Runtime's addon as its own package drives it; only the part in use. */
interface Binding {
  InferenceSession: new () => NativeSession
  initOrtOnce(logLevel: number, tensor: typeof Tensor, isVerbose: boolean): void
}

interface NativeSession {
  loadModel(path: string, options: object): void
  run(inputs: Record<string, Tensor>, outputs: Record<string, null>, options: object): Record<string, Tensor>
}

/** The runtime's log level for errors: it has nothing else to say that concerns an owner. */
const errorsOnly = 3
const output = "last_hidden_state"

/**
 * Opens the model, with input `input_ids` (int64, 1 × tokens) and output `last_hidden_state`
 * (float32, 1 × tokens × dimensions). Throws where the runtime cannot be loaded.
 */
export function openOnnxSession(files: ModelFiles): OnnxSession {
  const module = { exports: {} }
  process.dlopen(module, files.addon)
  const binding = module.exports as Binding
  binding.initOrtOnce(errorsOnly, Tensor, true)
  const session = new binding.InferenceSession()
  // Two threads that share a text wait for each other half of the time: further processors get a process each.
  // Without its arena the runtime gives memory back after a long text.
  session.loadModel(files.model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
    enableMemPattern: false,
  })
  return {
    run(tokens) {
      const shape = [1, tokens.length]
      const ids = BigInt64Array.from(tokens, BigInt)
      const inputs = { input_ids: new Tensor("int64", ids, shape) }
      return session.run(inputs, { [output]: null }, {})[output]?.data as Float32Array
    },
  }
}
