#!/usr/bin/env bash
# Behaviour: `.nullable()` on a registered enumeration becomes `allOf` of the reference and of `type: [string, null]`: null is no value of it, and its own description in a second part.
# Expected:  `anyOf` of the reference and null, as of `z.toJSONSchema`; null is valid.
# Versions:  @asteasolutions/zod-to-openapi 9.1.0, zod 4.6.7, ajv 8.20.0
# Guichet reads it as it is meant: the values, or null.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

echo '{ "private": true }' > package.json
npm install --silent --no-fund --no-audit @asteasolutions/zod-to-openapi@9.1.0 zod@4.6.7 ajv@8.20.0
cat > show.mjs << 'NODE'
import { extendZodWithOpenApi, OpenAPIRegistry, OpenApiGeneratorV31 } from "@asteasolutions/zod-to-openapi"
import Ajv from "ajv/dist/2020.js"
import { z } from "zod"

extendZodWithOpenApi(z)
const registry = new OpenAPIRegistry()
const State = registry.register("State", z.enum(["open", "closed"]))
const zod = z.object({ state: State.nullable() })
registry.register("Request", zod)
const { components } = new OpenApiGeneratorV31(registry.definitions).generateComponents()
console.log("zod-to-openapi:", JSON.stringify(components.schemas.Request.properties.state))
console.log("z.toJSONSchema:", JSON.stringify(z.toJSONSchema(zod).properties.state))
const ajv = new Ajv({ strict: false })
ajv.addSchema({ $id: "api", components })
console.log("null: zod", zod.safeParse({ state: null }).success, "- the description", ajv.validate("api#/components/schemas/Request", { state: null }))
console.log("open: zod", zod.safeParse({ state: "open" }).success, "- the description", ajv.validate("api#/components/schemas/Request", { state: "open" }))
NODE

output=$(
  for name in @asteasolutions/zod-to-openapi zod ajv; do node -p "'$name ' + JSON.parse(fs.readFileSync('node_modules/$name/package.json')).version"; done
  node show.mjs
)
echo "$output"

# Fails once the output is another one than on 29 November 2026.
diff - <(echo "$output") << 'SEEN'
@asteasolutions/zod-to-openapi 9.1.0
zod 4.6.7
ajv 8.20.0
zod-to-openapi: {"allOf":[{"$ref":"#/components/schemas/State"},{"type":["string","null"]}]}
z.toJSONSchema: {"anyOf":[{"type":"string","enum":["open","closed"]},{"type":"null"}]}
null: zod true - the description false
open: zod true - the description true
SEEN
