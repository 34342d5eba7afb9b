/**
 * The checker as plain JavaScript: the same on every machine, without the native programs of its optional
 * packages.
 */
declare module "recheck/lib/browser.js" {
  export { checkSync } from "recheck"
}
