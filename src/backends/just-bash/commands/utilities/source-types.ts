// Recognizes source code and other texts by their lines, as libmagic does: the languages are those that it knows, and where it takes one
// language for another (Go for C, by its `main(`), so does this.

/** `adds` is false for a kind whose description does not say how the text is encoded. */
interface TextKind {
  readonly name: string
  readonly mime: string
  readonly adds?: false
  readonly isExecutable?: true
}

type Rule = readonly [test: RegExp, kind: TextKind]

const c: TextKind = { name: 'C source', mime: 'text/x-c' }
const cPlusPlus: TextKind = { name: 'C++ source', mime: 'text/x-c++' }
const html: TextKind = { name: 'HTML document', mime: 'text/html' }
const java: TextKind = { name: 'Java source', mime: 'text/x-java' }
const javaScript: TextKind = { name: 'JavaScript source', mime: 'application/javascript' }
const makefile: TextKind = { name: 'makefile script', mime: 'text/x-makefile' }
const python: TextKind = { name: 'Python script', mime: 'text/x-script.python', isExecutable: true }
const ruby: TextKind = { name: 'Ruby script', mime: 'text/x-ruby' }

const named = (name: string, mime = 'text/plain'): TextKind => ({ name, mime })
const complete = (name: string, mime = 'text/plain'): TextKind => ({ name, mime, adds: false })

/** The first rule that matches decides. Each test sees at most the first lines of a text. */
const rules: readonly Rule[] = [
  [/^-----BEGIN CERTIFICATE-----/, complete('PEM certificate')],
  [/^-----BEGIN RSA PRIVATE KEY-----/, complete('PEM RSA private key')],
  [/^-----BEGIN OPENSSH PRIVATE KEY-----/, complete('OpenSSH private key')],
  [/^-----BEGIN PGP PUBLIC KEY BLOCK-----/, complete('PGP public key block', 'application/pgp-keys')],
  [/^ssh-rsa /, complete('OpenSSH RSA public key')],
  [/^ssh-ed25519 /, complete('OpenSSH ED25519 public key')],
  [/^BEGIN:VCALENDAR/, complete('vCalendar calendar file', 'text/calendar')],
  [/^<\?php/, named('PHP script', 'text/x-php')],
  [/^(?:diff |--- [^\n]*\n\+\+\+ |Index: [^\n]*\n)/, named('unified diff output', 'text/x-diff')],
  [/^\*\*\* [^\n]*\n--- /, named('context diff output', 'text/x-diff')],
  [/^From: /, named('news or mail', 'message/rfc822')],
  [/^Received: /, named('RFC 822 mail', 'message/rfc822')],
  [/^@echo off/i, named('DOS batch file', 'text/x-msdos-batch')],
  [/<(?:!doctype html|html|head|title)\b/i, html],
  [/^[^]{0,400}<svg\b/, complete('SVG Scalable Vector Graphics image', 'image/svg+xml')],
  [/^\\document(?:class|style)\b/m, named('LaTeX 2e document', 'text/x-tex')],
  [/^\\(?:section|chapter|setlength|part)\b/m, named('LaTeX document', 'text/x-tex')],
  [/^from[ \t]+[\w.]+[ \t]+import\b/m, python],
  [/^import [\w., ]+ as [A-Za-z]\s*$/m, python],
  [/^[ \t]{0,50}def +\w+ *\([^()\n:->]*\) *:/m, python],
  [/^class +\w+(?:\([^)\n]*\))? *:(?:[ \t]+pass)?[ \t]*$/m, python],
  [/^try:\s*\n[^]*?^\s*except\b/m, python],
  [/^"""/, { ...python, mime: 'text/plain' }],
  [/^[ \t]*(?:class|module|def)[ \t][^]*?\n[ \t]*end[ \t]*$/m, ruby],
  [/^package[ \t]+[\w:]+;[^]*^(?:use|sub|our|my)[ \t]/m, named('Perl5 module source')],
  [/^import[ \t]+java[\w.]*\.\w+;[^]*^public[ \t]+(?:class|interface|enum)\b/m, java],
  [
    /^(?:export|import)[ \t]+(?:async[ \t]+)?(?:default|const|let|var|function|class|type\b[^=;]*from|\{|\*|\w+ from|\w+,)/m,
    javaScript,
  ],
  [/^(?:const|let|var)[ \t]+[^=\n]+=[ \t]*require\b|^module\.exports\b|['"]use strict['"];/m, javaScript],
  [/<script\b/i, html],
  [/^namespace[ \t]+[\w.]+[ \t]*\{?|^using[ \t]+namespace\b|^[ \t]*template[ \t]*<[^>]*>[ \t]*$/m, cPlusPlus],
  [/^[ \t]*class[ \t]+\w+[ \t]*\{[^]*\}|^[ \t]*(?:public|private|protected):/m, cPlusPlus],
  [/^#[ \t]*include\b|^#[ \t]*pragma\b|^#[ \t]*if(?:n)?def\b[^]*^#[ \t]*(?:endif|define)\b/m, c],
  [/^(?:\w+[ \t]+){0,3}main[ \t]*\(/m, c],
  [/^(?:struct|union)[ \t]+\w|^extern[ \t]|^[ \t]*(?:char|double|float)[ \t]+\*?\w[^\n;(]*;[ \t]*$/m, c],
  [/^[ \t]{0,50}\.(?:globl|text|asciiz|byte|even|file|type)\b/m, named('assembler source', 'text/x-asm')],
  [/^(?:CFLAGS|VPATH|LDFLAGS|all:|\.PRECIOUS|\.PHONY)/m, makefile],
]

const mostCharacters = 8192

/** The kind of the text that begins with `head`; `undefined` for plain text. */
export function textKindOf(head: string): TextKind | undefined {
  const begin = head.slice(0, mostCharacters).replaceAll('\r\n', '\n')
  return rules.find(([test]) => test.test(begin))?.[1]
}

const mostCsvLines = 10

/** Whether at least three of the first lines have the same number of fields, at least two, divided by commas. */
export function isCommaSeparated(head: string): boolean {
  let [fields, firstFields, lines] = [1, 0, 0]
  let isQuoted = false
  for (const letter of head) {
    if (letter === '"') isQuoted = !isQuoted
    else if (isQuoted) continue
    else if (letter === ',') fields += 1
    else if (letter === '\n') {
      lines += 1
      if (lines === 1) firstFields = fields
      if (fields !== firstFields || fields === 1) return false
      if (lines === mostCsvLines) return true
      fields = 1
    }
  }
  return lines > 2
}
