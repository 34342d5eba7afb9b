import library from "../../../../node_modules/onnxruntime-node/bin/napi-v6/darwin/arm64/libonnxruntime.1.24.3.dylib" with {
  type: "file",
}
import addon from "../../../../node_modules/onnxruntime-node/bin/napi-v6/darwin/arm64/onnxruntime_binding.node" with {
  type: "file",
}

/** The runtime of this platform, for the built program alone: Bun imports no addon as a file from the sources. */
export const files = [
  { name: "onnxruntime_binding.node", path: addon },
  { name: "libonnxruntime.1.24.3.dylib", path: library },
] as const
