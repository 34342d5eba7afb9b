import { encodeQR } from "qr"

/** A QR code as an SVG of its own: dark on light with a quiet zone, which every reader expects. */
export function qrCode(text: string): string {
  const code = encodeQR(text, "svg", { ecc: "medium", border: 4 })
  return code.replace(
    "><path",
    ` width="512" height="512"><rect width="100%" height="100%" fill="#fff"/><path`,
  )
}
