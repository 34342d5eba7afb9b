import heard from "../style/heard.css" with { type: "text" }
import { tokenSheet } from "../style/tokens.ts"
import appearance from "./appearance/appearance.css" with { type: "text" }
import builder from "./forms/builder/builder.css" with { type: "text" }
import forms from "./forms/forms.css" with { type: "text" }
import home from "./home/home.css" with { type: "text" }
import { addAsset } from "./kit/assets.ts"
import base from "./kit/style/base.css" with { type: "text" }
import buttons from "./kit/style/buttons.css" with { type: "text" }
import chart from "./kit/style/chart.css" with { type: "text" }
import code from "./kit/style/code.css" with { type: "text" }
import fields from "./kit/style/forms.css" with { type: "text" }
import lists from "./kit/style/lists.css" with { type: "text" }
import navigation from "./kit/style/navigation.css" with { type: "text" }
import notices from "./kit/style/notices.css" with { type: "text" }
import shell from "./kit/style/shell.css" with { type: "text" }
import tables from "./kit/style/tables.css" with { type: "text" }
import projects from "./projects/projects.css" with { type: "text" }
import questions from "./questions/questions.css" with { type: "text" }
import responses from "./responses/responses.css" with { type: "text" }
import settings from "./settings/settings.css" with { type: "text" }
import webhooks from "./webhooks/webhooks.css" with { type: "text" }
import workspaces from "./workspaces/workspaces.css" with { type: "text" }

const shared = [base, shell, navigation, fields, buttons, notices, lists, tables, chart, code]
const areas = [
  home,
  questions,
  responses,
  forms,
  builder,
  appearance,
  projects,
  settings,
  webhooks,
  workspaces,
]

/** The one style sheet of the console: shared rules first, so that the rules of an area win over them. */
export const style = [tokenSheet, heard, ...shared, ...areas].join("\n")

addAsset("style.css", style, "text/css")
