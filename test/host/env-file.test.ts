import { expect, test } from "bun:test"
import { parseSettings } from "../../src/host/env-file.ts"

// systemd 252 gives a service these values when it reads this very file.
test("a file of settings says the same as it does to systemd", () => {
  const file = String.raw`# GUICHET_PORT=1
; GUICHET_PORT=2
GUICHET_HOST=127.0.0.1
  GUICHET_INDENTED=yes
GUICHET_MAIL_FROM=Guichet <guichet@exemple.fr>
GUICHET_EMPTY=
GUICHET_HASH=a#b # c
GUICHET_TRAILING=x   
GUICHET_DOUBLE="a \"b\" \$c \n"
GUICHET_SINGLE='a \"b'
GUICHET_PIECES="a b"'c d'e
GUICHET_INSIDE=a"b"
GUICHET_ESCAPED=a\ \"b\\
GUICHET_JOINED=one \
two
GUICHET_LINES="one
two"
not a setting
GUICHET-ODD=1
GUICHET_HOST=::1`
  expect(parseSettings(file)).toEqual({
    GUICHET_HOST: "::1",
    GUICHET_INDENTED: "yes",
    GUICHET_MAIL_FROM: "Guichet <guichet@exemple.fr>",
    GUICHET_EMPTY: "",
    GUICHET_HASH: "a#b # c",
    GUICHET_TRAILING: "x",
    GUICHET_DOUBLE: 'a "b" $c \\n',
    GUICHET_SINGLE: 'a \\"b',
    GUICHET_PIECES: "a bc de",
    GUICHET_INSIDE: 'a"b"',
    GUICHET_ESCAPED: 'a "b\\',
    GUICHET_JOINED: "one two",
    GUICHET_LINES: "one\ntwo",
  })
})

test("a quote that nothing closes holds the rest of the file, as systemd reads it", () => {
  expect(parseSettings(`A=1\nB="two\nC=3\\`)).toEqual({ A: "1", B: "two\nC=3\\" })
  expect(parseSettings("A='one\nB=2\n")).toEqual({ A: "one\nB=2\n" })
  expect(parseSettings("A=1\\")).toEqual({ A: "1" })
})
