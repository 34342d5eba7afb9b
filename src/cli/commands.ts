import { apply } from "./apply/apply.ts"
import { ask } from "./ask.ts"
import { check } from "./check.ts"
import { completion } from "./completion.ts"
import { config } from "./config.ts"
import { backup } from "./data/backup.ts"
import { eraseAgain } from "./data/erase-again.ts"
import { move } from "./data/move.ts"
import { restore } from "./data/restore.ts"
import { demo } from "./demo.ts"
import { evaluate } from "./eval.ts"
import { feedList, feedRemove } from "./feed.ts"
import { index } from "./index.ts"
import type { Command } from "./kit/command.ts"
import { listen } from "./listen.ts"
import { operatorCreate, operatorList, operatorPassword, operatorRemove, setupLink } from "./operator.ts"
import { erase, exported } from "./person.ts"
import { projectAdd, projectList, projectRemove, projectSet, projectShow } from "./project.ts"
import { serve } from "./serve.ts"
import { synonymAdd, synonymList, synonymRemove } from "./synonym.ts"
import { systemdUnit } from "./systemd-unit.ts"
import { tokenCreate, tokenList, tokenRevoke } from "./token.ts"
import { version } from "./version.ts"
import { deliveryCancel, deliveryList, deliveryResend, deliveryShow } from "./webhooks/delivery.ts"
import { endpointList, endpointShow, endpointTest } from "./webhooks/endpoint.ts"
import { verify } from "./webhooks/verify.ts"
import {
  workspaceAdd,
  workspaceExport,
  workspaceImport,
  workspaceList,
  workspaceRemove,
} from "./workspace.ts"

/** The commands by what they are for, in the order of `guichet --help`. */
export const commandGroups: Record<string, Record<string, Command>> = {
  "The service": { serve, demo, check, config, "setup-link": setupLink, version },
  "Projects and their answers": {
    "project add": projectAdd,
    "project list": projectList,
    "project show": projectShow,
    "project set": projectSet,
    "project remove": projectRemove,
    apply,
    index,
    "feed list": feedList,
    "feed remove": feedRemove,
    ask,
    eval: evaluate,
    "synonym add": synonymAdd,
    "synonym list": synonymList,
    "synonym remove": synonymRemove,
  },
  "Messages and webhooks": {
    listen,
    verify,
    "endpoint list": endpointList,
    "endpoint show": endpointShow,
    "endpoint test": endpointTest,
    "delivery list": deliveryList,
    "delivery show": deliveryShow,
    "delivery resend": deliveryResend,
    "delivery cancel": deliveryCancel,
  },
  "Access and workspaces": {
    "operator create": operatorCreate,
    "operator list": operatorList,
    "operator password": operatorPassword,
    "operator remove": operatorRemove,
    "token create": tokenCreate,
    "token list": tokenList,
    "token revoke": tokenRevoke,
    "workspace add": workspaceAdd,
    "workspace list": workspaceList,
    "workspace remove": workspaceRemove,
    "workspace export": workspaceExport,
    "workspace import": workspaceImport,
  },
  "Personal data": { export: exported, erase, "erase-again": eraseAgain },
  "The data folder": { backup, restore, move },
  "For the shell and systemd": { completion, "systemd-unit": systemdUnit },
}

/** Every command by its name. */
export const commands: Record<string, Command> = Object.assign({}, ...Object.values(commandGroups))
