import { originOf } from "../../accounts/origin.ts"
import { type Detail, detail, Refusal } from "../../base/errors.ts"
import { isEmail } from "./address.ts"
import type { Consent } from "./consent-text.ts"
import { checkedFields, emailField, isObject, isText } from "./field.ts"
import type { FormDescription, OwnerMail } from "./form.ts"

export const maxNameLength = 200
export const maxConsentLength = 5000
/** The last attempt of a delivery comes after 27 h 35: what it sends must still be there. */
export const minRetentionDays = 2
export const maxRetentionDays = 3650
export const maxButtonLength = 100
export const maxThanksLength = 2000

type Problems = Record<string, Detail>

/**
 * Checks a form description from a request body. With `present`, the body is a change: members that it does
 * not mention keep their value. Throws Refusal `invalid_request` with a problem for every fault at once,
 * keyed by path (`fields.0.name`).
 */
export function checkedForm(
  body: Record<string, unknown>,
  canMail: boolean,
  problems: Problems = {},
  present?: FormDescription,
): FormDescription {
  const given = (name: string) => present === undefined || Object.hasOwn(body, name)
  const described = {
    name: given("name") ? checkedName(body["name"], problems) : present?.name,
    fields: given("fields") ? checkedFields(body["fields"], problems) : present?.fields,
    consent: given("consent") ? checkedConsent(body["consent"], problems) : (present?.consent ?? null),
    redirectUrl: given("redirect_url")
      ? checkedUrl(body["redirect_url"], problems)
      : (present?.redirectUrl ?? null),
    retentionDays: given("retention_days")
      ? checkedDays(body["retention_days"], problems)
      : (present?.retentionDays ?? null),
    ownerMail: given("owner_mail")
      ? checkedOwnerMail(body["owner_mail"], problems)
      : (present?.ownerMail ?? null),
    hosted: given("hosted") ? checkedFlag("hosted", body, problems) : (present?.hosted ?? false),
    receipt: given("receipt") ? checkedFlag("receipt", body, problems) : (present?.receipt ?? false),
    button: given("button") ? checkedButton(body["button"], problems) : (present?.button ?? null),
    thanks: given("thanks") ? checkedThanks(body["thanks"], problems) : (present?.thanks ?? null),
  }
  // A form that was set up while mails could be sent stays editable when they cannot be sent any more.
  if (described.consent?.confirmation) {
    if (!canMail && !present?.consent?.confirmation)
      problems["consent.confirmation"] = detail("forms.mailNotConfigured")
    else if (described.fields && !emailField(described.fields))
      problems["consent.confirmation"] = detail("forms.confirmationNeedsEmail")
  }
  if (described.receipt) {
    if (!canMail && !present?.receipt) problems["receipt"] = detail("forms.mailNotConfigured")
    else if (described.fields && !emailField(described.fields))
      problems["receipt"] = detail("forms.receiptNeedsEmail")
  }
  if (described.ownerMail && !canMail && !present?.ownerMail)
    problems["owner_mail"] = detail("forms.mailNotConfigured")
  if (Object.keys(problems).length > 0)
    throw new Refusal("invalid_request", detail("forms.invalidForm"), { fields: problems })
  return described as FormDescription
}

function checkedName(name: unknown, problems: Problems): string | undefined {
  if (isText(name, maxNameLength)) return name.trim()
  problems["name"] = detail("forms.formName")
  return undefined
}

function checkedConsent(consent: unknown, problems: Problems): Consent | null {
  if (consent === undefined || consent === null) return null
  const { text, confirmation = false } = isObject(consent) ? consent : {}
  if (!isLines(text, maxConsentLength))
    problems["consent.text"] = detail("forms.consentText", { max: maxConsentLength })
  if (typeof confirmation !== "boolean") problems["consent.confirmation"] = detail("forms.trueOrFalse")
  return { text: text as string, confirmation: confirmation === true }
}

/** As `isText`, for a paragraph or two: line breaks are allowed. */
function isLines(value: unknown, maxLength: number): value is string {
  return isText(typeof value === "string" ? value.replace(/[\r\n\t]/g, " ") : value, maxLength)
}

function checkedFlag(name: "hosted" | "receipt", body: Record<string, unknown>, problems: Problems): boolean {
  const value = body[name] ?? false
  if (typeof value !== "boolean") problems[name] = detail("forms.trueOrFalse")
  return value === true
}

function checkedButton(button: unknown, problems: Problems): string | null {
  if (button === undefined || button === null || button === "") return null
  if (isText(button, maxButtonLength)) return button.trim()
  problems["button"] = detail("forms.shortText", { max: maxButtonLength })
  return null
}

function checkedThanks(thanks: unknown, problems: Problems): string | null {
  if (thanks === undefined || thanks === null || thanks === "") return null
  if (isLines(thanks, maxThanksLength)) return thanks.trim()
  problems["thanks"] = detail("forms.shortText", { max: maxThanksLength })
  return null
}

function checkedUrl(url: unknown, problems: Problems): string | null {
  if (url === undefined || url === null || url === "") return null
  if (typeof url === "string" && originOf(url)) return new URL(url).href
  problems["redirect_url"] = detail("forms.redirectUrl")
  return null
}

function checkedDays(days: unknown, problems: Problems): number | null {
  if (days === undefined || days === null) return null
  const [min, max] = [minRetentionDays, maxRetentionDays]
  if (Number.isInteger(days) && (days as number) >= min && (days as number) <= max) return days as number
  problems["retention_days"] = detail("forms.retentionDays", { min, max })
  return null
}

function checkedOwnerMail(mail: unknown, problems: Problems): OwnerMail | null {
  if (mail === undefined || mail === null) return null
  const { to, contents = false } = isObject(mail) ? mail : {}
  if (typeof to !== "string" || !isEmail(to)) problems["owner_mail.to"] = detail("forms.ownerMailTo")
  if (typeof contents !== "boolean") problems["owner_mail.contents"] = detail("forms.trueOrFalse")
  return { to: to as string, contents: contents === true }
}
