import type { AddressRule } from "../../outbound/address-text.ts"
import type { words as french } from "../webhooks.fr.ts"
import type { Sentences } from "../wording.ts"

export const words = {
  unknownEndpoint: "no such endpoint",
  invalidEndpoint: "this endpoint cannot be saved: correct the fields that are named",
  chooseProjects: "choose the projects or forms whose messages this endpoint gets, or all projects",
  description: ({ max }: { max: number }) => `the description has ${max} characters at most, on one line`,
  tooManyEndpoints: ({ maximum }: { maximum: number }) => `a workspace has ${maximum} endpoints at most`,
  oneTestEndpoint: "this workspace has a test receiver already",
  testEndpointUrl: "the test receiver has no URL: it is within Guichet",
  testOnly: "only the test receiver has this setting",
  after: "the cursor is that of an earlier reply, or “end”",
  tooManySecrets:
    "the secret was changed several times within 24 hours: try again once the ones before no longer sign",
  unknownProjects: "this list holds a project that does not exist",
  unknownForms: "this list holds a form that does not exist",
  events: "choose at least one of the events that there are",
  unknownForm: "no such form",
  unknownField: ({ field }: { field: string }) =>
    `this form has no field “${field}” whose value can be compared`,
  unknownValue: ({ value, field }: { value: string; field: string }) =>
    `the field “${field}” has no option “${value}”`,
  conditions: ({ max }: { max: number }) => `give ${max} conditions at most`,
  conditionValues: ({ max, maxLength }: { max: number; maxLength: number }) =>
    `give one to ${max} values, of ${maxLength} characters at most`,
  unresolved: "the domain name of this URL does not exist, or leads to no server",
  unresolvedNow: "the domain name could not be looked up at the moment: try again shortly",
  privateAddress: "the domain name of this URL leads to a private or reserved network",
  rules: {
    unreadable: "the URL is empty, or holds a space or a character that has no place in it",
    too_long: "the URL has 2048 characters at most",
    https: "the URL is to begin with https://, and then the domain name",
    credentials: "the URL may hold no user name and no password",
    fragment: "the URL may hold no fragment (#…)",
    port: "the URL is to use port 443",
    ip: "the URL is to have a domain name, not an IP number",
    name: "the URL is to have a public domain name, as it is written",
    internal: "this name is reserved for internal networks: give a public domain name",
    own: "this URL is that of Guichet itself",
  } satisfies Record<AddressRule, string>,
  headersOfOtherHost: ({ name }: { name: string }) =>
    `the URL leads to another server: give the value of each header again, or leave it out (“${name}”)`,
  testEndpointHeaders: "the test receiver has no headers of your own: it shows those that it gets",
  tooManyTests: ({ maximum }: { maximum: number }) =>
    `this endpoint has had ${maximum} test messages today: try again later`,
  unknownDelivery: "no such delivery, or it is no longer in the log",
  inactiveEndpoint: "the endpoint is inactive",
  deletedEndpoint: "the endpoint was deleted",
  erasedPayload: "the payload was erased",
  tooManyAttempts: ({ maximum }: { maximum: number }) => `the delivery was attempted ${maximum} times`,
  nothingToCancel: "no attempt of this delivery is to come",
  rate: ({ max }: { max: number }) => `give a whole number from 1 to ${max}`,
  messageTooLarge: "the message would be larger than any may be: 256 KB",
} satisfies Omit<Sentences<typeof french>, "outcomes" | "gone" | "status">
