import { isoTime } from "../../base/clock.ts"
import type { FieldType } from "../../forms/definition/field-types.ts"
import type { FileHazard } from "../../forms/files/judge-file.ts"
import type { words as french } from "../forms.fr.ts"
import type { Sentences } from "../wording.ts"

const formFormats = "application/x-www-form-urlencoded, multipart/form-data or application/json"

/** English sentences about forms, for programs and the log: visitors and owners read French. */
export const words = {
  mustBeFilled: "fill in this field",
  mustBeChosen: "choose from the list",
  mustBeChecked: "this box is to be checked",
  notAnOption: "choose one of the options",
  chooseAtLeastOne: "check one box at least",
  tooLong: ({ max }: { max: number }) =>
    `this text is too long: ${max.toLocaleString("en")} characters at most`,
  notOfType: ({ type }: { type: FieldType }) => `not a value of a field of type ${type}`,
  oneTelephone: "give one telephone number alone",
  yearMissing: "give the date with the four digits of its year",
  atLeast: ({ min }: { min: number }) => `give a number from ${min} on`,
  atMost: ({ max }: { max: number }) => `give a number up to ${max}`,
  between: ({ min, max }: { min: number; max: number }) => `give a number from ${min} to ${max}`,
  notWhole: "give a whole number",
  unreadable: "this value cannot be read",
  mustBeAttached: "a file is to be chosen",
  tooManyFiles: ({ max }: { max: number }) => `${max} files at most`,
  tooManyFilesOfPost: ({ max }: { max: number }) => `a post has ${max} files at most, in all fields together`,
  fileTooLarge: ({ name, megabytes }: { name: string; megabytes: number }) =>
    `“${name}” is too large: ${megabytes} MB at most`,
  emptyFile: ({ name }: { name: string }) => `“${name}” is empty`,
  wrongFile: ({ name, kinds }: { name: string; kinds: string }) =>
    `“${name}” is, by its content, of no kind that is taken here: ${kinds}`,
  hazardousFile: ({ name, hazard }: { name: string; hazard: FileHazard }) =>
    hazard === "macros"
      ? `“${name}” has macros: save it without them`
      : `“${name}” is under a password: save it without one`,
  filesNeedParts: "files come in multipart/form-data alone: no other format of a post carries them",
  chooseAgain: "this file is to be chosen again: browsers do not keep it",
  addressForConfirmation: "an e-mail address is needed, to which the mail that asks to confirm is sent",

  notOpenYet: ({ atMs }: { atMs: number }) => `this form opens at ${isoTime(atMs)}: it takes no response yet`,
  closed: ({ atMs }: { atMs: number }) =>
    `this form is closed since ${isoTime(atMs)}: it takes no more responses`,
  full: "this form has all its responses: it takes no more",
  correct: "the message was not sent: correct the fields that are named",
  correctStep: "correct the fields that are named, then go on",
  tooLarge: "the message is too large to be sent",
  noFiles: "this form takes no files",
  filesTooLarge: ({ megabytes }: { megabytes: number }) =>
    `the files are too large together: ${megabytes} MB a post at most`,
  filesUnderWay: "too many files are on their way at once: try again in a minute",
  noRoomForFiles: "the workspace has no room for more files: the message was not kept",
  filesNotKept: "the files cannot be kept at the moment: try again later",
  fileLinkGone: "this file is gone, or its link is past its 30 days",
  unknownFile: "this file does not exist, or no longer",
  noFormat: `this post has no Content-Type, which says how to read it: ${formFormats}`,
  unknownFormat: ({ format }: { format: string }) =>
    `this post says that it is “${format}” (Content-Type), which is no format of a form: ${formFormats}`,
  notAnObject: "this post is not a JSON object with a member for each name",
  compressed: ({ coding }: { coding: string }) =>
    `this post is compressed (Content-Encoding: ${coding}): send it without compression`,
  noBoundary: "this multipart/form-data post does not name its boundary in its Content-Type",
  otherBoundary: "this multipart/form-data post does not hold the boundary that its Content-Type names",
  cutMultipart: "this multipart/form-data post ends before its end: its last boundary is missing",
  partWithoutName: "a part of this multipart/form-data post has no name in its Content-Disposition",
  partHeaders: "a part of this multipart/form-data post has more than 2 KB of headers",
  partEncoding: ({ name, encoding }: { name: string; encoding: string }) =>
    `the field “${name}” of this multipart/form-data post cannot be read as “${encoding}”: send it in UTF-8, without a transfer encoding`,
  nothingUnderstood:
    "this post holds no field of this form: check the names of its fields and its Content-Type",
  unreadablePost: "this post cannot be read: check that the page is written in UTF-8",
  unknownForm: "this form does not exist, or no longer",
  originNotAllowed: "this form cannot be sent from this page",
  originHidden:
    "the page hides which site it is of (Referrer-Policy), and its form does not prove it: copy the HTML of the form into the page again",
  tooManyPosts: "too many posts from this connection: this one was not kept; try again later",
  visitorDay: "too many posts from this connection today: this one was not kept; try again tomorrow",
  formDay: "too many posts to this form today: this one was not kept; try again tomorrow",
  diskNearlyFull: "the message could not be kept: the service is short of space",
  noContactForm: "this site offers no form to write by",
  tooManyVisits: "too many requests in a short time: try again in a minute",

  invalidForm: "this form cannot be saved: correct the fields that are named",
  unknownProject: "this project does not exist",
  tooManyForms: ({ maximum }: { maximum: number }) => `a project has ${maximum} forms at most`,
  tooManyInWorkspace: ({ maximum }: { maximum: number }) =>
    `a workspace has ${maximum.toLocaleString("en")} forms at most, in all projects together`,
  tooManyWordings: ({ maximum }: { maximum: number }) =>
    `the consent text of this form has had ${maximum} versions, which are kept as proofs: take one of them again, or make another form`,
  formName: "give a name of 1 to 200 characters",
  fieldCount: ({ max }: { max: number }) => `describe 1 to ${max} fields`,
  fieldShape: "describe the field by its name, its label and its type",
  fieldName:
    "a variable name begins with a lowercase letter and holds nothing but lowercase letters without accent, digits and “_”, 64 characters at most",
  reservedName:
    "this name is reserved: take another one than “page”, “consent” and those that begin with “guichet_”",
  takenName: "another field has this name",
  fieldLabel: ({ max }: { max: number }) => `give a label of 1 to ${max} characters`,
  fieldType: ({ types }: { types: string }) => `choose one of these types: ${types}`,
  trueOrFalse: "give true or false",
  options: ({ maxOptions, maxLength }: { maxOptions: number; maxLength: number }) =>
    `give 1 to ${maxOptions} options of different values, each with a value of ${maxLength.toLocaleString("en")} characters at most and a label`,
  noOptions: "only the types select, radio and checkboxes have options",
  commaInOption: "a value of checkboxes holds no comma, which parts the values that are chosen",
  noBounds: "only the type number has a minimum, a maximum and a rule of whole numbers",
  onlyForFiles: "only the type file has kinds, a number and a size of files",
  fileKinds: ({ kinds }: { kinds: string }) => `choose one or several of: ${kinds}`,
  wholeUpTo: ({ max }: { max: number }) => `give a whole number from 1 to ${max}, or nothing`,
  notOfThisType: "this type of field has no such part",
  paragraph: ({ max }: { max: number }) =>
    `give the text to read, of 1 to ${max.toLocaleString("en")} characters`,
  bound: "give a number in digits, or nothing",
  when: "say when to show the field by “match” (all or any) and “conditions”, or give null",
  conditionCount: ({ max }: { max: number }) => `give 1 to ${max} conditions`,
  conditionValues: ({ max }: { max: number }) =>
    `give 1 to ${max} values to compare with, and none where the field only has to be filled`,
  conditionOnNothing: ({ field }: { field: string }) =>
    `this condition asks about the field “${field}”, which does not exist, or no longer`,
  conditionOnLater: ({ field }: { field: string }) =>
    `this condition asks about the field “${field}”, which does not stand before this one`,
  pageHasNone: "a page has no condition: it is passed over where none of its fields is shown",
  fileOnLastPage: "a field of files stands on the last page, which the form is sent from",
  conditionOnFiles: "of a field of files a condition asks only whether it is filled",
  conditionValue: ({ value, field }: { value: string; field: string }) =>
    `the field “${field}” has no option “${value}”`,
  fieldOfEndpoint: ({ field, endpoint }: { field: string; endpoint: string }) =>
    `the endpoint “${endpoint}” chooses its messages by the value of the field “${field}”, and would miss some: change its condition first`,
  boundsReversed: "give a maximum that is not smaller than the minimum",
  shortText: ({ max }: { max: number }) => `give a text of ${max.toLocaleString("en")} characters at most`,
  receiptNeedsEmail: "to send a receipt, the form needs a field of type email",
  consentText: ({ max }: { max: number }) =>
    `give the consent text, of 1 to ${max.toLocaleString("en")} characters`,
  confirmationNeedsEmail:
    "to confirm a consent by mail, the form needs a field of type email without a condition",
  mailNotConfigured: "no mail server is set on this service (GUICHET_SMTP_URL)",
  redirectUrl: "give a complete URL that begins with https:// or http://",
  retentionDays: ({ min, max }: { min: number; max: number }) =>
    `give a number of days from ${min} to ${max.toLocaleString("en")}, or nothing to keep all`,
  proofMissing:
    "this form needs a proof of work (guichet_proof), which JavaScript makes: switch it on and send again, or write in another way",
  proofOnOwnPage: ({ address }: { address: string }) =>
    `this form needs a proof of work (guichet_proof), which proof.js makes: load it on the page, or fill the form in at ${address}`,
  proofNotMade:
    "this form needs a proof of work (guichet_proof), which proof.js makes: load it on the page that sends the form",
  proofWrong:
    "the proof of work (guichet_proof) is wrong, too old or was used before: solve a new challenge of …/start",
  closesFirst: "give a closing that comes after the opening",
  maxResponses: ({ max }: { max: number }) =>
    `give a number of responses from 1 to ${max.toLocaleString("en")}, or nothing for any number`,
  notify: ({ max }: { max: number }) => `give ${max} e-mail addresses at most`,
  ownerMailTo: "that is no e-mail address",
  notToConfirm: "this address is none that is still to confirm",
  askedOften: "this address got enough mails today: look among the unwanted ones too, or try again tomorrow",
  wrongPage: "the HTML cannot be made for this page: correct the parameter that is named",
  pageAddress: "give the complete URL of the page, on a declared site of the project",

  unknownContactForm: "choose a form of this project",
  unknownContactField: "choose a text field of this form",

  unknownNote: "the form response has no such note",
  noteOfAnother: "only who wrote this note, or an owner of the workspace, can erase it",
  unknownResponse: "no such form response",
  unknownAssignee: "choose a member of the workspace",
  note: ({ max }: { max: number }) => `write a note of 1 to ${max.toLocaleString("en")} characters`,
  tooManyNotes: ({ maximum }: { maximum: number }) => `a form response has ${maximum} notes at most`,
  alreadyReceived: "this form response is accepted already",
  journalAway: "nothing was erased: the journal of erasures cannot be written to at the moment",
} satisfies Sentences<typeof french>
