import { detail } from "../../base/errors.ts"
import { camelNames } from "../../base/names.ts"
import { readFields, refuseWrong, type Wrong } from "../../http/record/fields.ts"
import type { FormDeps } from "../deps.ts"
import { emailField, type Field } from "./field.ts"
import type { FormDescription } from "./form.ts"
import { changedNotices } from "./notify.ts"
import { formChange, newForm } from "./record.ts"
import { wrongConditions } from "./when.ts"

/** A form without what its description does not mention. */
export const plainForm: Omit<FormDescription, "name" | "fields"> = {
  consent: null,
  redirectUrl: null,
  retentionDays: null,
  notify: [],
  notifyContents: false,
  hosted: false,
  receipt: false,
  button: null,
  thanks: null,
  opensAt: null,
  closesAt: null,
  maxResponses: null,
  proofOfWork: false,
  prefill: false,
}

/**
 * Checks a form description from a request body. With `present`, the body is a change: members that it does
 * not mention keep their value. Throws Refusal `invalid_request` with a problem for every fault at once,
 * keyed by path (`fields.0.name`); `wrong` holds the faults found so far.
 */
export function checkedForm(
  body: Record<string, unknown>,
  { mailer, config: { timezone } }: Pick<FormDeps, "mailer" | "config">,
  wrong: Wrong = {},
  present?: FormDescription,
): FormDescription {
  const schema = present ? formChange : newForm
  const { notify, notifyContents, ownerMail, ...read } = camelNames(
    readFields(body, schema, wrong, timezone),
  ) as Partial<Omit<FormDescription, "notify">> & Parameters<typeof changedNotices>[0]
  const notices = changedNotices({ notify, notifyContents, ownerMail }, present ?? plainForm)
  const described = { ...plainForm, ...present, ...read, ...notices } as FormDescription
  refuseTakenNames(read.fields ?? [], wrong)
  for (const [path, told] of wrongConditions(read.fields ?? [])) wrong[path] ??= told
  const isUnclear = Object.keys(wrong).some((path) => path.startsWith("fields"))
  // Both confirmation and receipt are mailed to the visitor, and need an address.
  const hasAddress = (path: string) =>
    isUnclear || emailField(described.fields.filter(({ when }) => path === "receipt" || !when))
  // A form that was set up while mails could be sent stays editable when they cannot be sent any more.
  const needMail = [
    ["consent.confirmation", described.consent?.confirmation, present?.consent?.confirmation],
    ["receipt", described.receipt, present?.receipt],
    [ownerMail && !notify ? "owner_mail" : "notify", notices.notify.length > 0, present?.notify.length],
  ] as const
  for (const [path, wanted, before] of needMail) {
    if (!wanted) continue
    if (!mailer.configured && !before) wrong[path] = detail("forms.mailNotConfigured")
    else if (path !== "owner_mail" && path !== "notify" && !hasAddress(path))
      wrong[path] = detail(path === "receipt" ? "forms.receiptNeedsEmail" : "forms.confirmationNeedsEmail")
  }
  const { opensAt, closesAt } = described
  if (opensAt !== null && closesAt !== null && closesAt <= opensAt)
    wrong["closes_at"] ??= detail("forms.closesFirst")
  refuseWrong(wrong, schema)
  return described
}

/** A part of a field that is wrong is absent from `fields`. */
function refuseTakenNames(fields: readonly (Partial<Field> | undefined)[], wrong: Wrong): void {
  const names = fields.map((field) => field?.name)
  for (const [index, name] of names.entries())
    if (name !== undefined && names.indexOf(name) < index)
      wrong[`fields.${index}.name`] ??= detail("forms.takenName")
}
