/** Files imported `with { type: "text" }`. */
declare module "*.md" {
  const text: string
  // biome-ignore lint/style/noDefaultExport: that is how Bun gives the text of a file
  export default text
}
declare module "*.css" {
  const text: string
  // biome-ignore lint/style/noDefaultExport: that is how Bun gives the text of a file
  export default text
}
declare module "*.service" {
  const text: string
  // biome-ignore lint/style/noDefaultExport: that is how Bun gives the text of a file
  export default text
}
declare module "*.dic" {
  const text: string
  // biome-ignore lint/style/noDefaultExport: that is how Bun gives the text of a file
  export default text
}
declare module "*.aff" {
  const text: string
  // biome-ignore lint/style/noDefaultExport: that is how Bun gives the text of a file
  export default text
}

/** Files imported `with { type: "file" }`: their path. */
declare module "*.onnx" {
  const path: string
  // biome-ignore lint/style/noDefaultExport: that is how Bun gives the path of a file
  export default path
}
