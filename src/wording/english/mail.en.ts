import type { words as french } from "../mail.fr.ts"
import type { Sentences } from "../wording.ts"

export const words = {
  notConfigured: "no mail server is set on this service (GUICHET_SMTP_URL)",
  address: "that is no e-mail address",
  tooManyTests: ({ most }: { most: number }) => `a workspace sends ${most} test mails a day at most`,
} satisfies Sentences<typeof french>
