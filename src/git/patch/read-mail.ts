// Reads emails with patches, as `git am` does: author, message and patch.

import { decodeText, encodeText } from '../../shell/byte-text.ts'

export interface PatchMail {
  readonly name: string
  readonly email: string
  /** As in the email; '' for none. */
  readonly date: string
  readonly subject: string
  /** The subject, a blank line and the text. */
  readonly message: string
  readonly patch: string
  /** Whether lines of the text end in CR LF. */
  readonly hasReturns: boolean
}

export interface MailRules {
  /** `-k`: keeps the subject as it is. */
  readonly keepsSubject: boolean
  /** `-b`: removes only brackets that begin with PATCH. */
  readonly keepsOtherBrackets: boolean
  readonly cutsAtScissors: boolean
  /** Makes CR LF in the text a line feed. */
  readonly dropsReturns: boolean
}

/** The emails of a mailbox. A text that begins like a patch or a header is one email. */
export function splitMailbox(text: string): readonly string[] {
  const starts = [...text.matchAll(/^From \S+ .*\d:\d\d:\d\d .*\d{4}\r?$/gm)].map(({ index }) => index)
  if (starts.length === 0) return text.trim() === '' ? [] : [text]
  return starts.map((start, at) => text.slice(start, starts[at + 1] ?? text.length))
}

/** The line where the text ends and the patch begins. */
const patchBreak = /^(?:---[ \t]*\r?$|diff -|Index: )/m

export function readMail(mail: string, rules: MailRules): PatchMail {
  const whole = mail.replace(/^From .*\n/, '')
  const gap = /\r?\n\r?\n/.exec(whole)
  const headers = headersOf(whole.slice(0, gap?.index ?? whole.length).replaceAll('\r\n', '\n'))
  const charset = /charset="?([^\s;"]+)/i.exec(headers.get('content-type') ?? '')?.[1] ?? 'utf-8'
  const given = gap === null ? '' : whole.slice(gap.index + gap[0].length)
  const decoded = decodedBody(given, headers.get('content-transfer-encoding') ?? '', charset)
  const hasReturns = decoded.includes('\r\n')
  let body = rules.dropsReturns ? decoded.replaceAll('\r\n', '\n') : decoded
  const patchStart = patchBreak.exec(body)?.index ?? body.length
  if (rules.cutsAtScissors) {
    const scissors = [...body.slice(0, patchStart).matchAll(/^.*\n/gm)].findLast(([line]) => isScissors(line))
    if (scissors !== undefined) body = body.slice(scissors.index + scissors[0].length)
  }
  // The first lines of the text may name another author, date and subject.
  const own = /^\s*((?:(?:From|Date|Subject): .*\n(?:[ \t].*\n)*)+)\r?\n/.exec(body)
  if (own !== null) {
    for (const [key, value] of headersOf((own[1] ?? '').replaceAll('\r\n', '\n'))) headers.set(key, value)
    body = body.slice(own[0].length)
  }
  const cut = patchBreak.exec(body)
  const text = (cut === null ? body : body.slice(0, cut.index)).replaceAll('\r\n', '\n')
  const [, name = '', email = ''] = /^\s*"?(.*?)"?\s*<([^>]*)>/.exec(headers.get('from') ?? '') ?? []
  const subject = rules.keepsSubject ? (headers.get('subject') ?? '') : plainSubject(headers.get('subject') ?? '', rules)
  return {
    name: name === '' ? email : name.replaceAll(/\\(.)/g, '$1'),
    email,
    date: headers.get('date') ?? '',
    subject,
    message: `${subject}\n\n${text}`,
    patch: cut === null ? '' : body.slice(cut.index),
    hasReturns,
  }
}

/** A line of dashes and scissors; other text may fill less than two thirds of it. */
function isScissors(line: string): boolean {
  const shown = line.trim()
  const perforation = [...shown.matchAll(/(?:-| |8<|>8|%<|>%)+/g)]
    .filter(([part]) => /[-8%]/.test(part))
    .reduce((sum, [part]) => sum + part.length, 0)
  return /8<|>8|%<|>%/.test(shown) && shown.length >= 8 && shown.length < perforation * 3
}

function headersOf(text: string): Map<string, string> {
  const found = new Map<string, string>()
  for (const line of text.replaceAll(/\n[ \t]+/g, ' ').split('\n')) {
    const colon = line.indexOf(':')
    if (colon === -1) continue
    const key = line.slice(0, colon).toLowerCase()
    if (!found.has(key)) found.set(key, decodedWords(line.slice(colon + 1).trim()))
  }
  return found
}

/** Encoded words of RFC 2047. */
function decodedWords(text: string): string {
  return text
    .replaceAll(/(\?=)\s+(=\?)/g, '$1$2')
    .replaceAll(/=\?([^?]+)\?([qb])\?([^?]*)\?=/gi, (_whole, charset: string, kind: string, word: string) =>
      textOf(kind.toLowerCase() === 'q' ? quotedPrintable(word.replaceAll('_', ' ')) : base64(word), charset),
    )
}

function textOf(bytes: Uint8Array, charset: string): string {
  if (/^(?:utf-?8|us-ascii)$/i.test(charset)) return decodeText(bytes)
  return new TextDecoder(charset).decode(bytes)
}

function quotedPrintable(text: string): Uint8Array {
  const parts = encodeText(text.replaceAll(/=\n/g, ''))
  const bytes: number[] = []
  for (let at = 0; at < parts.length; at++) {
    const hex = parts[at] === 0x3d ? String.fromCharCode(parts[at + 1] ?? 0, parts[at + 2] ?? 0) : ''
    if (/^[0-9A-Fa-f]{2}$/.test(hex)) {
      bytes.push(Number.parseInt(hex, 16))
      at += 2
    } else bytes.push(parts[at] ?? 0)
  }
  return Uint8Array.from(bytes)
}

function base64(text: string): Uint8Array {
  return Uint8Array.from(atob(text.replaceAll(/\s/g, '')), character => character.charCodeAt(0))
}

function decodedBody(body: string, encoding: string, charset: string): string {
  const isEncoded = /quoted-printable/i.test(encoding)
  if (isEncoded || /base64/i.test(encoding)) return textOf(isEncoded ? quotedPrintable(body) : base64(body), charset)
  return /^(?:utf-?8|us-ascii)$/i.test(charset) ? body : textOf(encodeText(body), charset)
}

function plainSubject(subject: string, { keepsOtherBrackets }: MailRules): string {
  const noise = keepsOtherBrackets ? /^\s*(?:re:|:|\[[^\]]*PATCH[^\]]*\])\s*/i : /^\s*(?:re:|:|\[[^\]]*\])\s*/i
  let left = subject
  while (noise.test(left)) left = left.replace(noise, '')
  return left.replaceAll(/\s+/g, ' ').trim()
}
