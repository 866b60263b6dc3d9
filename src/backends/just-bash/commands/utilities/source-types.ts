// Recognizes source code and other texts by their lines, as libmagic does: the languages are those that it knows, and where it takes one
// language for another (Go for C, by its `main(`), so does this.

import type { ScriptType } from './script-types.ts'

type Rule = readonly [test: RegExp, kind: ScriptType]

const c: ScriptType = { name: 'C source', mime: 'text/x-c' }
const cPlusPlus: ScriptType = { name: 'C++ source', mime: 'text/x-c++' }
const html: ScriptType = { name: 'HTML document', mime: 'text/html' }
const java: ScriptType = { name: 'Java source', mime: 'text/x-java' }
const javaScript: ScriptType = { name: 'JavaScript source', mime: 'application/javascript' }
const makefile: ScriptType = { name: 'makefile script', mime: 'text/x-makefile' }
const python: ScriptType = { name: 'Python script', mime: 'text/x-script.python', isExecutable: true }
const ruby: ScriptType = { name: 'Ruby script', mime: 'text/x-ruby' }

const named = (name: string, mime = 'text/plain'): ScriptType => ({ name, mime })
const complete = (name: string, mime = 'text/plain'): ScriptType => ({ name, mime, adds: false })

/** The first rule that matches decides. Each test sees at most the first lines of a text. */
const rules: readonly Rule[] = [
  [/^(?:\xef\xbb\xbf)?<\?xml [^]{0,4096}<svg\b/, complete('SVG Scalable Vector Graphics image', 'image/svg+xml')],
  [/^(?:\xef\xbb\xbf)?<\?xml /, named('XML 1.0 document', 'text/xml')],
  [/^-----BEGIN CERTIFICATE-----/, complete('PEM certificate')],
  [/^-----BEGIN CERTIFICATE REQUEST-----/, complete('PEM certificate request')],
  [/^-----BEGIN EC PRIVATE KEY-----/, complete('PEM EC private key')],
  [/^-----BEGIN DSA PRIVATE KEY-----/, complete('PEM DSA private key')],
  [/^-----BEGIN PGP SIGNED MESSAGE-----/, complete('PGP signed message', 'text/PGP')],
  [/^-----BEGIN RSA PRIVATE KEY-----/, complete('PEM RSA private key')],
  [/^-----BEGIN OPENSSH PRIVATE KEY-----/, complete('OpenSSH private key')],
  [/^-----BEGIN PGP PUBLIC KEY BLOCK-----/, complete('PGP public key block', 'application/pgp-keys')],
  [/^ssh-rsa /, complete('OpenSSH RSA public key')],
  [/^ecdsa-sha2-/, complete('OpenSSH ECDSA public key')],
  [/^ssh-ed25519 /, complete('OpenSSH ED25519 public key')],
  [/^BEGIN:VCALENDAR/, complete('vCalendar calendar file', 'text/calendar')],
  [/^BEGIN:VCARD/i, complete('vCard visiting card', 'text/vcard')],
  [/^\{\\rtf1\\ansi/, complete('Rich Text Format data, version 1, ANSI', 'text/rtf')],
  [/^%!PS-Adobe-/, complete('PostScript document text', 'application/postscript')],
  [/^#EXTM3U/, named('M3U playlist')],
  [/^1\n\d\d:\d\d:\d\d,\d\d\d --> /, named('SubRip', 'application/x-subrip')],
  [/^begin [0-7]{3} /, named('uuencoded or xxencoded text')],
  [/^(?:diff --git |--- [^\n]*\n\+\+\+ [^\n]*\n@@|Index: [^\n]*\n)/, named('unified diff output', 'text/x-diff')],
  [/^diff /, named('diff output', 'text/x-diff')],
  [/^\*\*\* [^\n]*\n--- /, named('context diff output', 'text/x-diff')],
  [/^Return-Path:/, named('SMTP mail', 'message/rfc822')],
  [/^(?:From|Date): /, named('news or mail', 'message/rfc822')],
  [/^Received: /, named('RFC 822 mail', 'message/rfc822')],
  [/^@(?:echo|rem|set|setlocal)\b/i, named('DOS batch file', 'text/x-msdos-batch')],
  [/<(?:!doctype html|html|head|title)\b/i, html],
  [/^\s*<svg\b/, complete('SVG Scalable Vector Graphics image', 'image/svg+xml')],
  [/^\\document(?:class|style)\b/m, named('LaTeX 2e document', 'text/x-tex')],
  [/^\\(?:section|chapter|setlength|part)\b/m, named('LaTeX document', 'text/x-tex')],
  [/^"""/, { ...python, mime: 'text/plain' }],
  [/^from[ \t]+[\w.]+[ \t]+import\b/m, python],
  [/^import [\w., ]+ as [A-Za-z]\s*$/m, python],
  [/^[ \t]{0,50}def +\w+ *\([^()\n:->]*\) *:/m, python],
  [/^class +\w+(?:\([^)\n]*\))? *:(?:[ \t]+pass)?[ \t]*$/m, python],
  [/^try:\s*\n[^]*?^\s*(?:except|finally)\b/m, python],
  [/^if __name__ == ["']__main__["']:/m, python],
  [/^[ \t]*(?:class|module|def)[ \t][^]*?\n[ \t]*end[ \t]*$/m, ruby],
  [/^require[ \t]'[^']*'/m, ruby],
  [/^package[ \t]+[\w:]+;/m, named('Perl5 module source')],
  [/^export[ \t]+(?:async[ \t]+)?(?:default|const|let|var|function|class|\*|\{[^}\n]*\}[ \t]*from\b)/m, javaScript],
  [/^import[ \t]+(?:[^\n]*[ \t]from[ \t]|['"]\.)/m, javaScript],
  [
    /^(?:(?:const|let|var)[ \t]+[^=\n]+=[ \t]*)?require\(|^(?:exports[ \t]*=[ \t]*)?module(?:\.exports\b|\[['"]exports)|['"]use strict['"]/m,
    javaScript,
  ],
  [/^<\?php/, named('PHP script', 'text/x-php')],
  [/<(?:script|style|table|a[ \t]+href)\b/i, html],
  [/^namespace[ \t]+[\w:]+[ \t]*\{?[ \t]*$|^using[ \t]+namespace\b|^[ \t]*template[ \t]*<[^>]*>[ \t]*$/m, cPlusPlus],
  [/^[ \t]*class[ \t]+\w+[ \t]*\{[^]*\}|^[ \t]*(?:public|private|protected):/m, cPlusPlus],
  [/^dnl[ \t]/m, named('M4 macro processor script', 'text/x-m4')],
  [/^#[ \t]*include\b|^#[ \t]*pragma\b|^#[ \t]*if(?:n)?def\b[^]*^#[ \t]*(?:endif|define)\b/m, c],
  [/^[ \t]*(?:\w+[ \t]+){0,2}main[ \t]*\([^)]*\)[ \t]*\n?\{/m, c],
  [/^import\b[^\n]*;[ \t]*$|^[ \t]*public static void main[ \t]*\(/m, java],
  [/^#import\b/m, named('Objective-C source', 'text/x-objective-c')],
  [/^(?:struct|union)[ \t]+\w|^extern[ \t]|^[ \t]*(?:char|double|float)[ \t]+\*?\w[^\n;(]*;[ \t]*$/m, c],
  [/^[ \t]{0,50}\.(?:globl|text|asciiz|byte|even|file|type)\b/m, named('assembler source', 'text/x-asm')],
  [/^\(ns[ \t]/m, named('Clojure module source', 'text/x-clojure')],
  [/^;;|^[ \t]*\((?:defun|defvar|defparam|defmacro|autoload|setq|eval-when)\b/m, named('Lisp/Scheme program', 'text/x-lisp')],
  [/^(?:CFLAGS|VPATH|LDFLAGS|all:|\.PRECIOUS)/m, makefile],
  [/^(?:\.\\"|'\\"|'\.\\"|\.(?:TH|SH|SS|PP|IP|Dd|so)\b|'''\s)/, named('troff or preprocessor input', 'text/troff')],
  [/^#[^]*\nmsgid "/, named('GNU gettext message catalogue', 'text/x-po')],
  [/^\s*BEGIN\s*\{/m, named('awk or perl script')],
  [/<!(?:DOCTYPE|ENTITY|ELEMENT|ATTLIST)\b/, named('exported SGML document')],
]

const mostCharacters = 8192

/** The kind of the text that begins with `head`; `undefined` for plain text. */
export function textKindOf(head: string): ScriptType | undefined {
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
