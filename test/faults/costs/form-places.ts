import { fieldTypes } from "../../../src/forms/definition/field-types.ts"
import { prose, textOf } from "../../support/hostile-text.ts"
import { rawRequest } from "../../support/raw-request.ts"
import { bytes, frameBytes, jsonEscaped, kb, percentEncoded, type Target, visitor } from "../target.ts"
import { type Pair, usualTimes } from "./pairs.ts"
import type { Place } from "./places.ts"
import { longOptions, type PublicSite, shortOptions } from "./public-site.ts"

const postBytes = 1024 * kb
const urlEncoded = "application/x-www-form-urlencoded"
const multipart = "multipart/form-data; boundary=b"
const asPage = { accept: "text/html" }

/** Bodies are made when they are sent: some are 25 MB long. */
type MakePair = (
  name: string,
  hostile: () => string,
  /** Of about as many bytes. */
  harmless: (size: number) => string,
  times?: number,
) => Pair

/** Posts to forms in every encoding, by a script and by a browser, which is shown the form again. */
export function formPlaces(site: PublicSite): Place[] {
  const { origin, forms } = site
  const send =
    (form: string, type: string, headers: Record<string, string> = {}) =>
    (body: string) =>
    (number: number) =>
      rawRequest(
        "POST",
        `/f/${form}`,
        { origin, "content-type": type, ...headers, ...visitor(number) },
        bytes(body),
      )
  const place = (name: string, form: string, more: { targets?: Target[]; pairs?: Pair[] }): Place => ({
    route: "POST /f/:publicId",
    path: `/f/${form}`,
    ...more,
    ...(more.targets && {
      targets: more.targets.map((each) => ({ ...each, name: `${name}, ${each.name}` })),
    }),
    ...(more.pairs && { pairs: more.pairs.map((each) => ({ ...each, name: `${name}, ${each.name}` })) }),
  })

  /** `text` as the value of a field, in each encoding. */
  const field = (form: string, name: string, headers = {}): Target[] => [
    {
      name: `${name}, urlencoded`,
      maxBytes: postBytes - frameBytes,
      written: percentEncoded,
      request: (text, number) => send(form, urlEncoded, headers)(`${name}=${percentEncoded(text)}`)(number),
    },
    {
      name: `${name}, multipart`,
      maxBytes: postBytes - frameBytes,
      request: (text, number) => send(form, multipart, headers)(parts([part(name, text)]))(number),
    },
    {
      name: `${name}, JSON`,
      maxBytes: postBytes - frameBytes,
      written: jsonEscaped,
      request: (text, number) =>
        send(form, "application/json", headers)(JSON.stringify({ [name]: text }))(number),
    },
  ]
  const body = (form: string, type: string): Target => ({
    name: `body, ${type}`,
    maxBytes: postBytes,
    request: (text, number) => send(form, type)(text)(number),
  })

  /** Many values, beside one text of the same size. */
  const against =
    (form: string, type: string, headers: Record<string, string> = asPage): MakePair =>
    (name, hostile, harmless, times = usualTimes) => ({
      name,
      times,
      hostile: (number) => send(form, type, headers)(hostile())(number),
      harmless: (number) => send(form, type, headers)(harmless(bytes(hostile()).length))(number),
    })
  const plainPair = (name: string, size: number) =>
    `${name}=${textOf(prose, size - name.length - 1).replaceAll(" ", "+")}`

  /** Choices of a field of several, as one text and as lists. */
  const chosen = (form: string, name: string, options: readonly string[], step = ""): Pair[] => {
    const url = (title: string, text: () => string) =>
      against(form, urlEncoded)(
        title,
        () => `${step}${name}=${encodeURIComponent(text())}`.slice(0, postBytes).replace(/%.?$/, ""),
        (size) => step + plainPair(name, size - step.length),
      )
    const listed = (title: string, values: readonly string[]) =>
      against(form, "application/json")(
        title,
        () => {
          const most = Math.floor((postBytes - 100) / (Buffer.byteLength(JSON.stringify(values[0])) + 1))
          const count = Math.min(19_900, most)
          return JSON.stringify({
            [name]: Array.from({ length: count }, (_, at) => values[at % values.length]),
          })
        },
        (size) => JSON.stringify({ [name]: textOf(prose, size - 20) }),
      )
    return [
      ...[",", "a,", "é,", " , ", "o1,", "o479, "].map((unit) =>
        url(`text of ${JSON.stringify(unit)}`, () => unit.repeat(postBytes / unit.length)),
      ),
      url("every option", () => options.join(", ")),
      url("every option, written otherwise", () =>
        options.map((option) => ` ${option.normalize("NFD")}  `).join(","),
      ),
      listed("a list of one letter", ["a"]),
      listed("a list of the last option", options.slice(-1)),
      listed("a list of every option", options),
    ]
  }

  const many = (count: number, item: (number: number) => string, between: string) =>
    Array.from({ length: count }, (_, number) => item(number)).join(between)
  const counts = 19_900
  const crowds = (form: string, headers = {}): Pair[] => {
    const url = (name: string, text: () => string) =>
      against(form, urlEncoded, headers)(name, text, (size) => plainPair("texte", size))
    const json = (name: string, text: () => string) =>
      against(form, "application/json", headers)(name, text, (size) =>
        JSON.stringify({ texte: textOf(prose, size - 20) }),
      )
    return [
      url("fields", () => many(counts, (number) => `x${number}=%20${number}`, "&")),
      url("fields of one name", () => many(counts, () => "texte=%C3%A9", "&")),
      url("fields without values", () => many(counts, String, "&")),
      url("percent signs", () => `texte=${"%20".repeat(postBytes / 3 - 20)}`),
      url("wrong percent signs", () => `texte=${"%".repeat(postBytes - 20)}`),
      json("items", () => `{${many(counts, (number) => `"x${number}":${number}`, ",")}}`),
      json("items of one list", () => `{"texte":[${many(counts, String, ",")}]}`),
      json("nested lists", () => `{"texte":${"[".repeat(9000)}${"]".repeat(9000)}}`),
      json("nested objects", () => `{"texte":${'{"a":'.repeat(9000)}1${"}".repeat(9000)}}`),
      json("escapes", () => `{"texte":"${"\\u0041".repeat(postBytes / 6 - 10)}"}`),
    ]
  }

  return [
    place("every type", site.formId, {
      targets: [
        ...fieldTypes.flatMap((type) => field(site.formId, `a_${type}`).slice(0, 1)),
        ...["page", "consent", "guichet_started", "guichet_key", "guichet_again", "guichet_site"].flatMap(
          (name) => field(site.formId, name).slice(0, 1),
        ),
        ...["guichet_answer", "guichet_proof", "guichet_trap", "guichet_step"].flatMap((name) =>
          field(site.formId, name).slice(0, 1),
        ),
        ...[urlEncoded, multipart, "application/json", "text/plain"].map((type) => body(site.formId, type)),
      ],
    }),
    place("every type, shown again", site.formId, {
      targets: ["a_text", "a_textarea", "a_email", "a_select", "a_hidden"].flatMap((name) =>
        field(site.formId, name, asPage).slice(0, 1),
      ),
      pairs: crowds(site.formId, asPage),
    }),
    place("one text", site.storedFormPublicId, {
      targets: field(site.storedFormPublicId, "texte"),
      pairs: crowds(site.storedFormPublicId),
    }),
    ...(["url", "email"] as const).map((type) => {
      const form = site.wideFormIds[type]
      return place(`a hundred fields of type ${type}`, form, {
        targets: [
          {
            name: "each",
            maxBytes: 10_000,
            written: percentEncoded,
            request: (text, number) =>
              send(form, urlEncoded)(many(100, (at) => `a${at}=${percentEncoded(text)}`, "&"))(number),
          },
        ],
      })
    }),
    place("500 options", forms.choices, {
      targets: [
        ...field(forms.choices, "choix", asPage).slice(0, 1),
        ...field(forms.choices, "un", asPage).slice(0, 1),
      ],
      pairs: [...chosen(forms.choices, "choix", longOptions), ...chosen(forms.choices, "un", longOptions)],
    }),
    place("98 fields of five conditions", forms.conditions, {
      pairs: chosen(forms.conditions, "choix", shortOptions),
    }),
    place("fifty steps", forms.steps, {
      pairs: ["next", "back"].flatMap((go) =>
        chosen(forms.steps, "choix", shortOptions, `guichet_step=20&guichet_go=${go}&`).map((pair) => ({
          ...pair,
          name: `${go}, ${pair.name}`,
        })),
      ),
    }),
    place("parts", forms.files, { pairs: partPairs(against(forms.files, multipart, {})) }),
    place("parts, without files", site.storedFormPublicId, {
      pairs: partPairs(against(site.storedFormPublicId, multipart, {}), postBytes - 20),
    }),
  ]
}

function part(name: string, value: string, headers = ""): string {
  return `--b\r\nContent-Disposition: form-data; name="${name}"${headers}\r\n\r\n${value}\r\n`
}

function parts(all: readonly string[]): string {
  return `${all.join("")}--b--\r\n`
}

/** What one post may hold today. */
const mostParts = 19_900
const fileBytes = 24.5 * kb * kb

/** Long headers beside blank ones, which may cost three times as much; small parts beside one large one. */
function partPairs(make: MakePair, maxBytes = fileBytes): Pair[] {
  const fillers = {
    parameters: ";a=b",
    quotes: ';a="\\"\\""',
    "open quotes": ';a="',
    lines: "\r\nx: y",
    "folded lines": "\r\n ",
    colons: ":",
    "blanks before an equals sign": "; a =\t",
  }
  const filled = (unit: string, headerBytes: number) => {
    const one = part("texte", "x", unit.repeat((headerBytes - 100) / unit.length))
    return parts(Array(Math.min(mostParts, Math.floor((maxBytes - 10) / one.length))).fill(one))
  }
  const crowd = (name: string, hostile: () => string) =>
    make(name, hostile, (size) => parts([part("texte", textOf(prose, size - 100))]))
  const small = (bytesEach: number, one: (number: number) => string) => () =>
    parts(Array.from({ length: Math.min(mostParts, Math.floor(maxBytes / bytesEach)) }, (_, at) => one(at)))
  const coded = (encoding: string, unit: string) => () =>
    parts([
      part("texte", unit.repeat(postBytes / unit.length - 60), `\r\nContent-Transfer-Encoding: ${encoding}`),
    ])
  return [
    ...[200, 1200, 2000, 16_000].flatMap((headerBytes) =>
      Object.entries(fillers).map(([name, unit]) =>
        make(
          `headers of ${headerBytes}, ${name}`,
          () => filled(unit, headerBytes),
          () => filled(" ", headerBytes),
          3,
        ),
      ),
    ),
    crowd(
      "small parts",
      small(70, () => part("texte", "x")),
    ),
    crowd(
      "small parts of other names",
      small(70, (at) => part(`x${at}`, "x")),
    ),
    crowd(
      "small files",
      small(95, (at) => part("piece", "x", `; filename="${at}.pdf"`)),
    ),
    crowd("boundaries that are none", () => parts([part("texte", "\n--bb".repeat(postBytes / 5 - 50))])),
    crowd("quoted-printable", coded("quoted-printable", "=41")),
    crowd("base64", coded("base64", "QUFB")),
  ]
}
