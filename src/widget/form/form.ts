import { formMessages } from "../messages.fr.ts"
import { languageOf, ownScript, serviceOf } from "../own-script.ts"
import { formHelper } from "./helper.ts"

// `/form.js`, browser code: sends the Guichet forms of the page without leaving it. They work without it,
// too.
const script = ownScript("form")
formHelper(serviceOf(script), formMessages[languageOf(script)])
