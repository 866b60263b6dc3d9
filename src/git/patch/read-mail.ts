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
}

export interface MailRules {
  /** `-k`: keeps the subject as it is. */
  readonly keepsSubject: boolean
  /** `-b`: removes only brackets that begin with PATCH. */
  readonly keepsOtherBrackets: boolean
  readonly cutsAtScissors: boolean
}

/** The emails of a mailbox. A text that begins like a patch or a header is one email. */
export function splitMailbox(text: string): readonly string[] {
  const starts = [...text.matchAll(/^From \S+ .*\d:\d\d:\d\d .*\d{4}\r?$/gm)].map(({ index }) => index)
  if (starts.length === 0) return text.trim() === '' ? [] : [text]
  return starts.map((start, at) => text.slice(start, starts[at + 1] ?? text.length))
}

export function readMail(mail: string, rules: MailRules): PatchMail {
  const unix = mail.replaceAll('\r\n', '\n').replace(/^From .*\n/, '')
  const end = unix.indexOf('\n\n')
  const headers = headersOf(end === -1 ? unix : unix.slice(0, end))
  let body = decodedBody(end === -1 ? '' : unix.slice(end + 2), headers.get('content-transfer-encoding') ?? '')
  // The first lines of the text may name another author, date and subject.
  const own = /^\s*((?:(?:From|Date|Subject): .*\n(?:[ \t].*\n)*)+)\n/.exec(body)
  if (own !== null) {
    for (const [key, value] of headersOf(own[1] ?? '')) headers.set(key, value)
    body = body.slice(own[0].length)
  }
  if (rules.cutsAtScissors) {
    const scissors = [...body.matchAll(/^(?=.*(?:8<|>8|%<|>%))[-\s8<>%]{8,}.*\n/gm)].at(-1)
    if (scissors !== undefined) body = body.slice(scissors.index + scissors[0].length)
  }
  const cut = /^(?:---[ \t]*$|diff -|Index: )/m.exec(body)
  const text = cut === null ? body : body.slice(0, cut.index)
  const [, name = '', email = ''] = /^\s*"?(.*?)"?\s*<([^>]*)>/.exec(headers.get('from') ?? '') ?? []
  const subject = rules.keepsSubject ? (headers.get('subject') ?? '') : plainSubject(headers.get('subject') ?? '', rules)
  return {
    name: name === '' ? email : name.replaceAll(/\\(.)/g, '$1'),
    email,
    date: headers.get('date') ?? '',
    subject,
    message: `${subject}\n\n${text}`,
    patch: cut === null ? '' : body.slice(cut.index),
  }
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
  if (/^utf-?8$/i.test(charset)) return decodeText(bytes)
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

function decodedBody(body: string, encoding: string): string {
  if (/quoted-printable/i.test(encoding)) return decodeText(quotedPrintable(body))
  return /base64/i.test(encoding) ? decodeText(base64(body)) : body
}

function plainSubject(subject: string, { keepsOtherBrackets }: MailRules): string {
  const noise = keepsOtherBrackets ? /^\s*(?:re:|:|\[[^\]]*PATCH[^\]]*\])\s*/i : /^\s*(?:re:|:|\[[^\]]*\])\s*/i
  let left = subject
  while (noise.test(left)) left = left.replace(noise, '')
  return left.replaceAll(/\s+/g, ' ').trim()
}
