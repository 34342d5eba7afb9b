import { existsSync, lstatSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import model from "../../../../data/model/e5-small-fr-en.int8.onnx" with { type: "file" }
import { isCompiled } from "../../../host/child-process.ts"
import { unpackedFolder } from "../../../host/native-addon.ts"

/**
 * In the environment of a process that loads the runtime. Its official builds send usage to Microsoft from 1.25 on; the
 * version that is pinned has no code for that, and a later one obeys this variable.
 */
export const noTelemetry = { ORT_DISABLE_TELEMETRY: "1" } as const

/** A file that the program holds: its name on the disk, and where the program has it. */
interface RuntimeFile {
  name: string
  path: string
}

const modelName = "model.onnx"
const platform = `${process.platform}-${process.arch}`

/**
 * Paths of the runtime's addon, whose library lies beside it, and of the model. The built program holds them and
 * unpacks them once for each version into `folder`, which must allow execution: the runtime reads a model from the
 * disk into its own memory alone. Throws where the platform has no runtime.
 */
export async function filesOnDisk(folder: string): Promise<{ addon: string; model: string }> {
  if (!isCompiled) return { addon: sourcePath(), model }
  const files = await embeddedFiles()
  const target = join(folder, runtimeFolder(files))
  mkdirSync(target, { recursive: true, mode: 0o700 })
  requireOwn(target)
  for (const { name, path } of files) await unpack(path, join(target, name))
  return { addon: join(target, (files[0] as RuntimeFile).name), model: join(target, modelName) }
}

/** Name of the folder into which the built program unpacks them; undefined where it has none. */
export async function unpackedRuntime(): Promise<string | undefined> {
  return isCompiled ? runtimeFolder(await embeddedFiles()) : undefined
}

/** The addon first. */
async function embeddedFiles(): Promise<readonly RuntimeFile[]> {
  return [...(await runtimeFiles()), { name: modelName, path: model }]
}

/** Build targets other than the program's own are external there, and never imported. */
async function runtimeFiles(): Promise<readonly RuntimeFile[]> {
  if (platform === "linux-x64") return (await import("./onnx-files.linux-x64.ts")).files
  if (platform === "linux-arm64") return (await import("./onnx-files.linux-arm64.ts")).files
  if (platform === "darwin-arm64") return (await import("./onnx-files.darwin-arm64.ts")).files
  throw new Error(`no inference runtime for ${platform}`)
}

function sourcePath(): string {
  const [system, processor] = platform.split("-") as [string, string]
  const manifest = Bun.resolveSync("onnxruntime-node/package.json", import.meta.dir)
  const path = join(dirname(manifest), "bin/napi-v6", system, processor, "onnxruntime_binding.node")
  if (!existsSync(path)) throw new Error(`no inference runtime for ${platform}`)
  return path
}

/** Others may write to the folder: native code of theirs, prepared under this name, is never loaded. */
function requireOwn(target: string): void {
  const { uid, mode } = lstatSync(target)
  const isOwn = (process.getuid === undefined || uid === process.getuid()) && (mode & 0o022) === 0
  if (!isOwn || !lstatSync(target).isDirectory())
    throw new Error(`${target} is not a folder of this account's own`)
}

/** Bun names embedded files by their contents. */
function runtimeFolder(files: readonly RuntimeFile[]): string {
  return unpackedFolder("onnx", Bun.hash(files.map(({ path }) => path).join("\n")).toString(36))
}

/** Whole or not at all: several processes may start at the same time. */
async function unpack(path: string, target: string): Promise<void> {
  const file = Bun.file(path)
  if (existsSync(target) && statSync(target).size === file.size) return
  const unfinished = `${target}.${process.pid}`
  try {
    writeFileSync(unfinished, await file.bytes(), { mode: 0o700, flag: "wx" })
    renameSync(unfinished, target)
  } finally {
    rmSync(unfinished, { force: true })
  }
}
