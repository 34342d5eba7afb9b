import type { formTables } from "../../../src/db/tables/forms.ts"
import { maxConsentTexts } from "../../../src/forms/definition/consent-text.ts"
import { isAmongLast, type WorstIds, writer } from "./ids.ts"
import type { WorstRows } from "./rows.ts"
import { nearly, text, words } from "./texts.ts"

/** The newest of them are as long as they may be. */
const long = { forms: 40, responses: 100 }

function fields(count: number): string {
  return JSON.stringify([
    { name: "adresse", label: "Votre adresse", type: "email", required: false, options: [] },
    ...Array.from({ length: count }, (_, at) => ({
      name: `choix${at}`,
      label: nearly(400),
      type: "select",
      required: false,
      options: Array.from({ length: 100 }, (_, option) => ({ value: `v${option}`, label: words(190) })),
    })),
  ])
}

export function formRows(of: WorstIds): Pick<WorstRows, keyof typeof formTables> {
  const [small, large] = [fields(0), fields(20)]
  return {
    form: {
      rows: of.forms.length,
      row: (at) => ({
        id: of.forms[at] as string,
        public_id: `worst${at}`,
        name: text(at, 200),
        fields: isAmongLast(at, of.forms, long.forms) ? large : small,
        consent_text: nearly(5000),
        thanks: nearly(2000),
      }),
    },
    form_wording: {
      rows: maxConsentTexts,
      row: (at) => ({ form_id: of.form, mark: `m${at}`, text: nearly(5000) }),
    },
    form_response: {
      rows: of.responses.length,
      row: (at) => ({
        id: of.responses[at] as string,
        form_id: of.form,
        state: at % 4 === 0 ? "held" : at % 4 === 1 ? "unwanted" : "received",
        stopped_by: at % 4 === 0 ? "speed" : at % 4 === 1 ? "rate" : null,
        field_values: JSON.stringify({
          adresse: writer,
          message: isAmongLast(at, of.responses, long.responses) ? "é".repeat(100_000) : words(200),
        }),
        email: writer,
        page: `https://docs.exemple.fr/${nearly(1900)}`,
        idempotency_hash: null,
        answer_id: of.questions[at % of.questions.length] as string,
        created_at: of.nowMs,
        read_at: at % 2 === 0 ? null : of.nowMs,
      }),
    },
    form_response_address: {
      rows: of.responses.length,
      row: (at) => ({ address: writer, response_id: of.responses[at] as string }),
    },
    form_response_text: {
      rows: of.responses.length,
      row: (at) => ({
        response_id: of.responses[at] as string,
        text: at % 2 === 0 ? ` ${nearly(60)}`.repeat(49) : ` ${words(2990)}`,
      }),
    },
    form_response_file: "a response has few",
    form_response_note: {
      rows: 50,
      row: (at) => ({
        id: `note_${at}`,
        response_id: of.responses.at(-1) as string,
        author: writer,
        note: nearly(2000),
        created_at: of.nowMs,
      }),
    },
    consent_token: "read by their key",
    notice_token: "a form has ten at most",
    form_notice: "a form has one",
  }
}
