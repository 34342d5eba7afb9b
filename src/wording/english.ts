import { messages as checks } from "./checks.en.ts"
import { messages as reading } from "./reading.en.ts"
import { messages as tls } from "./tls/tls.en.ts"
import { wordingOf } from "./wording.ts"

/**
 * The English sentence of the particulars of a reading, a check or a connection, for the command line, the log and the
 * management API. A test checks that every such code has a message.
 */
export const inEnglish = wordingOf({ checks, reading, tls })
