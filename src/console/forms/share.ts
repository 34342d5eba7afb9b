import { encodeQR } from "qr"
import type { Field } from "../../forms/definition/field.ts"
import type { Form } from "../../forms/definition/form.ts"
import { formAddress } from "../../forms/submission/page.ts"
import { fieldFaces } from "../../wording/field-faces.fr.ts"

/** A QR code as an SVG of its own: dark on light with a quiet zone, which every reader expects. */
export function qrCode(text: string): string {
  const code = encodeQR(text, "svg", { ecc: "medium", border: 4 })
  return code.replace(
    "><path",
    ` width="512" height="512"><rect width="100%" height="100%" fill="#fff"/><path`,
  )
}

/** Text to copy, so it is written here and not rendered: quotes are all that a name can end an attribute by. */
export function frameCode(form: Form, publicUrl: string): string {
  const title = form.name.replaceAll("&", "&amp;").replaceAll('"', "&quot;")
  const frame = `<iframe src="${formAddress(publicUrl, form)}" title="${title}" width="100%" height="${framePx(form)}" frameborder="0" loading="lazy"></iframe>`
  return `${frame}\n<script src="${publicUrl}/form.js" defer></script>`
}

/** About the page's height in pixels, 600 wide, until the script has asked for it. A lower frame scrolls. */
function framePx({ fields, consent }: Form): number {
  const base = 330
  const heights: Record<string, number> = { input: 105, select: 105, files: 135, textarea: 190 }
  const fieldHeight = ({ type, options, help }: Field) => {
    const { control } = fieldFaces[type]
    const choices = control === "select" ? 0 : 35 * options.length
    return control === "hidden" ? 0 : (heights[control] ?? 60) + choices + (help ? 30 : 0)
  }
  const total = base + (consent ? 90 : 0) + fields.reduce((sum, field) => sum + fieldHeight(field), 0)
  return Math.ceil(total / 20) * 20
}
