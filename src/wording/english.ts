import type { Explanation, Refusal } from "../base/errors.ts"
import { words as checks } from "./checks.en.ts"
import { words as reading } from "./reading.en.ts"
import { words as tls } from "./tls/tls.en.ts"
import { wordingOf } from "./wording.ts"

/** Why something is refused, by the code of its detail: for the command line and the log. */
export const refusals = {
  accounts: {
    crowdedSignIn: "too many passwords wait to be looked at",
    declaredAddress: "an origin is not an http:// or https:// address",
    defaultWorkspace: "it is the default workspace",
    emailTaken: ({ email }: { email: string }) =>
      `${email} has an account already: guichet operator password changes its password`,
    kindWord: ({ maximum }: { maximum: number }) =>
      `the word for the site is documentation, site, or a word with its article of ${maximum} characters at most`,
    lastOwner: "it is the last owner of the workspace",
    memberExists: ({ email }: { email: string }) =>
      `${email} is a member already: guichet operator password changes its password`,
    noAnswerMore: ({ maximum }: { maximum: number }) =>
      `the sentence after a refusal has ${maximum} characters at most on one line`,
    operatorEmail: "that is no e-mail address",
    operatorExists: "there is an operator already",
    passwordLength: ({ min, max }: { min: number; max: number }) =>
      `a password has ${min} to ${max} characters`,
    projectName: "the name is empty, longer than 200 characters or not one line",
    shutOut: "signed out of that workspace",
    siteAddress: "the site is not an http:// or https:// address without query",
    tokenName: "the name is longer than 200 characters or holds control characters",
    tooManyOrigins: ({ maximum }: { maximum: number }) => `there are more than ${maximum} origins`,
    tooManyProjects: ({ maximum }: { maximum: number }) => `a workspace has ${maximum} projects at most`,
    tooManyTokens: ({ maximum }: { maximum: number }) => `a workspace has ${maximum} tokens at most`,
    unknownOperator: ({ id }: { id: string }) => `the workspace has no operator ${id}`,
    unknownProject: ({ id }: { id: string }) =>
      `no project ${id}: guichet project list shows those there are`,
    unknownToken: ({ id }: { id: string }) => `no token ${id}: guichet token list shows those there are`,
    unknownWorkspace: ({ id }: { id: string }) =>
      `no workspace ${id}: guichet workspace list shows those there are`,
    workspaceName: "the name is to have 1 to 200 characters on one line",
    wrongSignIn: "wrong address or password",
  },
  assistant: {
    chosenNotFound: ({ project, id }: InProject) => `project ${project} has no chosen answer ${id}`,
    feedNotFound: ({ project, id }: InProject) =>
      `project ${project} has no feed ${id}: guichet feed list ${project} shows those there are`,
    invalidFeed: "not a feed of this site",
    notIndexed: "the project is not indexed: there is nothing to cite",
    notJson: "not sent as JSON",
    setEmpty: ({ project }: { project: string }) => `project ${project} has no evaluation set`,
    setFull: ({ maximum }: { maximum: number }) => `an evaluation set has ${maximum} questions at most`,
    setQuestionNotFound: ({ project, id }: InProject) =>
      `project ${project} has no question ${id} in its evaluation set`,
    setRunNotFound: ({ project, id }: InProject) =>
      `project ${project} has no run ${id} of its evaluation set`,
    setRunning: ({ project }: { project: string }) =>
      `the evaluation set of project ${project} is being tried`,
    synonymCount: "a group has 2 to 10 different words",
    synonymLength: "a word is empty, or longer than 60 characters",
    synonymMeaningless: ({ word }: { word: string }) =>
      `${JSON.stringify(word)} holds no word that is searched`,
    synonymNotFound: ({ project, id }: InProject) => `project ${project} has no group of synonyms ${id}`,
    tooLarge: "body too large",
    tooManyChosen: ({ maximum }: { maximum: number }) => `a project has ${maximum} chosen answers at most`,
    tooManyFeeds: ({ maximum }: { maximum: number }) => `a project has ${maximum} feeds at most`,
    tooManySynonyms: ({ maximum }: { maximum: number }) =>
      `a project has ${maximum} groups of synonyms at most`,
  },
  requests: {
    exportRunning: "an export of the same operator or token is under way",
  },
  webhooks: {
    deletedEndpoint: "the endpoint was deleted",
    erasedPayload: "the payload was erased",
    inactiveEndpoint: "the endpoint is inactive",
    messageTooLarge: "the message would be larger than any may be",
    tooManyAttempts: ({ maximum }: { maximum: number }) => `the delivery was attempted ${maximum} times`,
    unknownDelivery: "no such delivery",
    unknownEndpoint: "no such endpoint",
  },
}

interface InProject {
  project: string
  id: string
}

/**
 * The English sentence of the particulars of a reading, a check or a connection, for the command line, the log and the
 * management API. A test checks that every such code has a sentence. The code of a refusal is told as it stands where
 * `refusals` has no sentence for it.
 */
export const inEnglish = wordingOf({ ...refusals, checks, reading, tls }, (code) => code)

/** Why something was refused, in English: the sentence of its code, or else what is wrong with each field. */
export function reasonOf({ reason, fields = {} }: Refusal): string {
  if (isSaid(reason)) return inEnglish(reason)
  const wrong = Object.entries(fields).map(([field, told]) =>
    typeof told === "object" && isSaid(told) ? inEnglish(told) : `not a right value: ${field}`,
  )
  return [...new Set(wrong)].join("; ") || inEnglish(reason)
}

function isSaid(told: Explanation): boolean {
  return typeof told === "string" || inEnglish(told) !== told.code
}
