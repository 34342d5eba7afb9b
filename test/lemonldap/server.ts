import { generateKeyPairSync } from "node:crypto"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { folderOf } from "../support/folder-of.ts"
import { mustEnd } from "../support/leaks.ts"
import { freePort } from "../support/port.ts"

/** Debian's LemonLDAP::NG on loopback, with the people of its demonstration (`dwho`, `rtyler`, `msmith`). */
export interface LemonLdap extends AsyncDisposable {
  issuer: string
  clientId: string
  clientSecret: string
  /** Rules by group, in its own words: `$uid eq "dwho"`. Taken up within a second. */
  configure(of: { groups: Record<string, string>; mail?: string }): Promise<void>
}

/**
 * `apt install lemonldap-ng` and what it only suggests for this: libio-string-perl libstring-random-perl
 * libcrypt-rijndael-perl libgd-securityimage-perl libimage-magick-perl libmime-tools-perl libemail-sender-perl
 */
const portal = "/usr/share/lemonldap-ng/portal/htdocs/index.psgi"
const packaged = "/var/lib/lemonldap-ng/conf/lmConf-1.json"

export async function startLemonLdap(publicUrl: string): Promise<LemonLdap> {
  const ended = mustEnd("a LemonLDAP::NG")
  const folder = folderOf({ "conf/.keep": "", "sessions/lock/.keep": "", "cache/.keep": "" })
  const port = await freePort()
  const issuer = `http://localhost:${port}`
  const [clientId, clientSecret] = ["guichet", "un secret/+ entre les deux"]
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 })
  const path = (name: string) => join(folder.path, name)
  const cache = {
    namespace: "guichet",
    default_expires_in: 600,
    directory_umask: "007",
    cache_root: path("cache"),
    cache_depth: 3,
  }
  let number = 0

  async function configure({ groups, mail = "$mail" }: Parameters<LemonLdap["configure"]>[0]): Promise<void> {
    number++
    const config = {
      ...JSON.parse(readFileSync(packaged, "utf8")),
      cfgNum: number,
      portal: `${issuer}/`,
      domain: "localhost",
      securedCookie: 0,
      requireToken: 0,
      globalStorageOptions: {
        Directory: path("sessions"),
        LockDirectory: path("sessions/lock"),
        generateModule: "Lemonldap::NG::Common::Apache::Session::Generate::SHA256",
      },
      localSessionStorageOptions: cache,
      groups,
      macros: { _whatToTrace: "lc($_user)", addresses: mail },
      issuerDBOpenIDConnectActivation: 1,
      oidcServiceMetaDataIssuer: issuer,
      oidcServicePrivateKeySig: privateKey.export({ type: "pkcs8", format: "pem" }),
      oidcServicePublicKeySig: publicKey.export({ type: "spki", format: "pem" }),
      oidcServiceKeyIdSig: "one",
      oidcServiceAllowAuthorizationCodeFlow: 1,
      oidcRPMetaDataExportedVars: { guichet: { email: "addresses", groups: "groups" } },
      oidcRPMetaDataOptionsExtraClaims: { guichet: { email: "email groups" } },
      oidcRPMetaDataOptions: {
        guichet: {
          oidcRPMetaDataOptionsClientID: clientId,
          oidcRPMetaDataOptionsClientSecret: clientSecret,
          oidcRPMetaDataOptionsRedirectUris: `${publicUrl}/console/sign-in/oidc/callback`,
          oidcRPMetaDataOptionsBypassConsent: 1,
          oidcRPMetaDataOptionsIDTokenSignAlg: "RS256",
          oidcRPMetaDataOptionsUserIDAttr: "uid",
        },
      },
    }
    writeFileSync(path(`conf/lmConf-${number}.json`), JSON.stringify(config))
    // Its own check of the configuration, every second.
    if (number > 1) await Bun.sleep(2500)
  }

  await configure({ groups: {} })
  const ini = `[all]
logLevel = warn
checkTime = 1
[configuration]
type = File
dirName = ${path("conf")}
localStorage = Cache::FileCache
localStorageOptions = { 'namespace' => 'guichet-config', 'default_expires_in' => 600, 'cache_root' => '${path("cache")}', 'cache_depth' => 3 }
[portal]
staticPrefix = /static
templateDir = /usr/share/lemonldap-ng/portal/templates
languages = en
`
  writeFileSync(path("lemonldap-ng.ini"), ini)
  const server = Bun.spawn(["plackup", "--host", "127.0.0.1", "--port", String(port), portal], {
    env: { ...process.env, LLNG_DEFAULTCONFFILE: path("lemonldap-ng.ini") },
    stdout: "ignore",
    stderr: Bun.file(path("log")),
  })
  for (let tries = 0; ; tries++) {
    const reply = await fetch(`${issuer}/.well-known/openid-configuration`).catch(() => undefined)
    if (reply?.ok) break
    if (tries > 100) throw new Error(`LemonLDAP::NG did not start:\n${readFileSync(path("log"), "utf8")}`)
    await Bun.sleep(200)
  }
  return {
    issuer,
    clientId,
    clientSecret,
    configure,
    async [Symbol.asyncDispose]() {
      server.kill()
      await server.exited
      folder[Symbol.dispose]()
      ended()
    },
  }
}
