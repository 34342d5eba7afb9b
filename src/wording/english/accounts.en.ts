import { hourMs, minuteMs, secondMs } from "../../base/clock.ts"
import type { words as french } from "../accounts.fr.ts"
import type { Sentences } from "../wording.ts"

/** English sentences about workspaces, projects, people and tokens. */
export const words = {
  invalidProject: "this project cannot be saved: correct the fields that are named",
  unknownProject: ({ id }: { id: string }) => `no project ${id}`,
  tooManyProjects: ({ maximum }: { maximum: number }) => `a workspace has ${maximum} projects at most`,
  tooManyInvitations: ({ maximum }: { maximum: number }) =>
    `a workspace has ${maximum} open invitations at most: cancel one that is no longer needed`,
  tooManyMembers: ({ maximum }: { maximum: number }) => `a workspace has ${maximum} members at most`,
  tooManyTokens: ({ maximum }: { maximum: number }) => `a workspace has ${maximum} tokens at most`,
  tooManyKeys: ({ maximum }: { maximum: number }) =>
    `this token has used too many idempotency keys within 24 hours (${maximum.toLocaleString("en")}, and 8 MB of replies, at most): try again later, or without a key`,
  keyOfAnother:
    "this idempotency key was used for another request within 24 hours: take a new one for each request",
  keyInUse:
    "the first request with this idempotency key is still being done, or was cut short: try again in a moment; if this stays so, look at what was done and take another key",
  keyWithoutReply:
    "the request with this idempotency key was done, but its reply is not kept: it is too long, or holds what a person wrote",
  tooManyWorkspaces: ({ maximum }: { maximum: number }) =>
    `an organisation has ${maximum} workspaces at most`,
  unknownWorkspace: ({ id }: { id: string }) => `no workspace ${id}`,
  defaultWorkspace: "it is the default workspace",
  workspaceName: "the name is to have 1 to 200 characters on one line",
  unknownOperator: ({ id }: { id: string }) => `the workspace has no operator ${id}`,
  memberExists: ({ email }: { email: string }) => `${email} is a member already`,
  lastOwner: "it is the last owner of the workspace: make another one first",
  unknownToken: ({ id }: { id: string }) => `no token ${id}`,
  tokenName: "the name is longer than 200 characters or holds control characters",
  noScope: "give the token one scope at least",
  tokenExpiry: "give a time that is still to come, or null",
  expiryBeyond: "a token that expires makes none that lasts longer than itself",
  scopesBeyond: "a token gets no more rights than the one that makes it",
  roleBeyond: "a token gives no role that allows more than itself",
  takenBeyond: "nobody changes, signs out or removes what allows more than oneself",
  invited: "this person is invited and has not accepted yet",
  alreadyInvited: "this person is invited already: cancel that invitation to make another",
  deadInvitation: "this invitation is no longer valid: it serves once, for 7 days",
  deadPasswordLink: "this link is no longer valid: it serves once, for an hour",
  tooManyPasswordLinks: "several links were asked for already: try again in an hour",
  mailsWaiting: "too many mails wait to be sent: try again later",
  ownFactors: "one's own second factor is removed under “Votre compte”",
  factorsElsewhere: ({ email }: { email: string }) =>
    `this person is a member of another workspace too: only who administers the machine can remove the second factor, by guichet operator password ${email} --without-second-factor`,
  memberElsewhere:
    "this person is a member of another workspace too: only who administers the machine can give another password",
  otherInvited: ({ email }: { email: string }) => `this invitation is for ${email}`,
  deadStep: "this sign-in has waited too long: start again",
  wrongCode: "this code does not fit, is older than 30 seconds or was used already",
  tooManyCodes: "too many codes were tried: try again later",
  noSecondFactor: "this account has no second factor",
  wrongPasskey: "this passkey does not fit: try again, or sign in another way",
  passkeyExists: "this passkey is there already",
  unknownPasskey: "no such passkey",
  passkeyName: "the name is to have 1 to 200 characters on one line",
  tooManyPasskeys: ({ maximum }: { maximum: number }) => `an account has ${maximum} passkeys at most`,
  deadAttempt: "this sign-in has waited too long, was used already or began in another browser",
  providerDenied: "the OpenID provider refused the sign-in, or it was given up there",
  providerFailed: "the answer of the OpenID provider is not valid",
  providerUnavailable: "the OpenID provider does not answer",
  weakProof: "the OpenID provider did not prove the identity as strongly as is required",
  unknownIdentity: "no account has this identity",
  unverifiedEmail: "the OpenID provider has not verified the e-mail address",
  joinFirst: "an account has this e-mail address already, and the identity was not joined to it",
  identityTaken: "this identity belongs to another account",
  otherIdentity: "the account has another identity of this provider",
  passwordsOff: "password sign-in is off",
  endedSession: "this session has ended",
  shutOut: "signed out of that workspace",
  projectName: "the name is empty, longer than 200 characters or not one line",
  siteAddress: "the site is not an http:// or https:// address without query",
  tooManyOrigins: ({ maximum }: { maximum: number }) => `there are more than ${maximum} origins`,
  declaredAddress: "an origin is not an http:// or https:// address",
  kindWord: ({ maximum }: { maximum: number }) =>
    `the word for the site is documentation, site, or a word with its article of ${maximum} characters at most`,
  noAnswerMore: ({ maximum }: { maximum: number }) =>
    `the sentence after a refusal has ${maximum} characters at most on one line`,
  editions: ({ maximum }: { maximum: number }) =>
    `there are ${maximum} editions at most, and no two have one name or one rule`,
  editionName: "the name of an edition has 40 small letters, digits, dots and hyphens at most, such as v2",
  editionLabel: ({ maximum }: { maximum: number }) =>
    `the label of an edition has 1 to ${maximum} characters on one line`,
  editionRule: ({ maximum }: { maximum: number }) =>
    `the rule of an edition is the beginning of a path, such as /v2/, or a host, such as en.acme.fr, of ${maximum} characters at most`,
  invalidWidget: "this look cannot be saved: correct the fields that are named",
  widgetTitle: ({ maximum }: { maximum: number }) =>
    `the title has ${maximum} characters at most, on one line`,
  widgetIntroduction: ({ maximum }: { maximum: number }) =>
    `the introduction has ${maximum} characters at most`,
  widgetSuggestions: ({ maximum }: { maximum: number }) => `${maximum} questions are suggested at most`,
  widgetSuggestion: ({ maximum }: { maximum: number }) =>
    `a suggested question has 2 to ${maximum} characters`,
  widgetButton: ({ maximum }: { maximum: number }) =>
    `the text of the button has ${maximum} characters at most, on one line`,
  logoAddress: "give the complete URL of an image, without parameters, on a declared site of the project",
  widgetColor: "give a colour such as #0b5c8a",
  stateSite: "the look dsfr is for sites of the French State alone: confirm by state_site that this is one",
  invalidOperator: "this account cannot be saved: correct the fields that are named",
  operatorEmail: "that is no e-mail address",
  passwordLength: ({ min, max }: { min: number; max: number }) =>
    `a password has ${min} to ${max} characters`,
  signInAgain: "give the present password, or sign in anew by the OpenID provider first",
  guessablePassword:
    "this password is too easily guessed: it is common, or made of words that one would try here; several words without a link are good",
  presentPassword: "that is not the present password of this account",
  emailTaken: ({ email }: { email: string }) => `${email} has an account already`,
  operatorExists: "there is an operator already",
  wrongSignIn: "wrong address or password",
  tooManySignIns: ({ waitMs }: { waitMs: number }) =>
    `too many tries to sign in: try again ${inAWhile(waitMs)}`,
  crowdedSignIn: "too many passwords wait to be looked at",
  deadSetupLink: "this link is no longer valid: it serves once, for 30 minutes",
  minute: ({ waitMs }: { waitMs: number }) =>
    `too many questions within the minute: try again ${inAWhile(waitMs)}`,
  visitorDay: ({ waitMs }: { waitMs: number }) =>
    `too many questions of this visitor today: try again ${inAWhile(waitMs)}`,
  projectDay: ({ waitMs }: { waitMs: number }) =>
    `too many questions to this documentation today: try again ${inAWhile(waitMs)}`,
  organisationMonth: ({ againAtMs }: { againAtMs: number }) =>
    `the monthly quota of questions is reached: try again on ${new Date(againAtMs).toISOString().slice(0, 10)}`,
} satisfies Sentences<typeof french>

/** `in 40 seconds`, `in 25 minutes`, `tomorrow`. */
function inAWhile(waitMs: number): string {
  const format = new Intl.RelativeTimeFormat("en", { numeric: "auto" })
  if (waitMs <= minuteMs) return format.format(Math.max(1, Math.ceil(waitMs / secondMs)), "second")
  if (waitMs <= hourMs) return format.format(Math.ceil(waitMs / minuteMs), "minute")
  return format.format(1, "day")
}
