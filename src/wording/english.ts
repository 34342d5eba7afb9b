import { messages as checks } from "./checks.en.ts"
import { messages as reading } from "./reading.en.ts"
import { wordingOf } from "./wording.ts"

/**
 * The English sentence of the particulars of a reading or a check, for the command line, the log and the
 * management API. A test checks that every such code has a message.
 */
export const inEnglish = wordingOf({ checks, reading })
