import { createToken } from "../../src/workspaces/token.ts"
import { addWorkspace } from "../../src/workspaces/workspace.ts"
import { startSite } from "./ask.ts"
