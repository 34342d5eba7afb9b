import cookieParser from "cookie-parser"
import { doubleCsrf } from "csrf-csrf"
import express from "express"

const [mistake, port] = process.argv.slice(2)
const app = express()
if (mistake === "csrf") {
  const options = { getSecret: () => "x", getSessionIdentifier: () => "" }
  app.use(cookieParser(), doubleCsrf(options).doubleCsrfProtection)
}
if (mistake === "size") app.use(express.json({ limit: "100b" }))
app[mistake === "path" ? "get" : "post"]("/hook", (request, response) => {
  if (mistake === "signature") throw new Error("No matching signature found")
  response.send(mistake === "form" ? request.body.nom : "ok")
})
app.listen(Number(port), "127.0.0.1")
