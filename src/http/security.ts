/** Resources from our own origin alone, no inline script or style, and no framing by others. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "frame-src 'self'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  "base-uri 'none'",
].join("; ")

/** Headers of every reply of the console, pages and files alike. */
export const securityHeaders = {
  "content-security-policy": policy,
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=()",
  // `no-referrer` would make browsers send `Origin: null` with our own forms.
  "referrer-policy": "same-origin",
  "x-content-type-options": "nosniff",
  "x-frame-options": "DENY",
} as const

/** Headers of a page that another page of ours shows in a frame. */
export const framedHeaders = {
  ...securityHeaders,
  "content-security-policy": policy.replace("frame-ancestors 'none'", "frame-ancestors 'self'"),
  "x-frame-options": "SAMEORIGIN",
} as const
