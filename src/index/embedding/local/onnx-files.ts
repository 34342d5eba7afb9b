import { existsSync } from "node:fs"
import { dirname, join } from "node:path"
import { nativeFiles } from "../../../host/native-files.ts"
import { unpackFiles } from "../../../host/unpack.ts"

/**
 * In the environment of a process that loads the runtime. Its official builds send usage to Microsoft from
 * 1.25 on; the version that is pinned has no code for that, and a later one obeys this variable.
 */
export const noTelemetry = { ORT_DISABLE_TELEMETRY: "1" } as const

const addonName = "onnxruntime_binding.node"

/** Paths of the runtime's addon, whose library lies beside it, of the model and of its tokenizer. */
export interface ModelFiles {
  addon: string
  model: string
  tokenizer: string
}

/**
 * The built program unpacks them into `folder`: the runtime reads a model from the disk into its own memory
 * alone. Throws where the platform has no runtime.
 */
export async function filesOnDisk(folder: string): Promise<ModelFiles> {
  if ("model" in nativeFiles) return { addon: installedAddon(), ...nativeFiles }
  const unpacked = await unpackFiles(nativeFiles.inference, folder)
  const at = (name: string) => join(unpacked, name)
  return { addon: at(addonName), model: at("model.onnx"), tokenizer: at("tokenizer.json") }
}

function installedAddon(): string {
  const manifest = Bun.resolveSync("onnxruntime-node/package.json", import.meta.dir)
  const path = join(dirname(manifest), "bin/napi-v6", process.platform, process.arch, addonName)
  if (!existsSync(path)) throw new Error(`no inference runtime for ${process.platform}-${process.arch}`)
  return path
}
