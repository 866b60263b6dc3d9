// A commit as an email, as `format-patch` writes it and `am` reads it.

import { bodyOf, subjectOf } from './subject.ts'
import type { Commit, ObjectId, Person } from '../store/object-format.ts'
import { wrapText } from '../wrap-text.ts'
import { formatDate } from './date.ts'

export interface MailOptions {
  /** The text in brackets before the subject: `PATCH 1/3`; '' for none. */
  readonly subjectPrefix: string
  /** Header lines before all others, and after them; without line feeds. */
  readonly firstHeaders?: readonly string[]
  readonly headers: readonly string[]
  /** The sender, if it is not the author. The author is then named above the message. */
  readonly from?: Person | undefined
  /** Names the author above the message, also if the author is the sender. */
  readonly namesAuthor?: boolean
  /** Header lines keep letters beyond ASCII. */
  readonly keepsHeadersPlain?: boolean
  /** Marks a line that looks like the first line of an email with `>`. */
  readonly quotesFrom?: boolean
  /** The subject keeps the line breaks of the message. */
  readonly subject?: string | undefined
  /** The mail has parts, separated by lines with this text. */
  readonly boundary?: string | undefined
}

const lineMaxColumns = 78
const encodedMaxBytes = 75

// oxlint-disable-next-line no-control-regex
const isAscii = (text: string): boolean => /^[\x00-\x7f]*$/.test(text)

/** The mail up to the end of the message, without the last line feed. */
export function mailOf(oid: ObjectId, commit: Commit, options: MailOptions): string {
  const { author } = commit
  const from = options.from ?? author
  const isPlain = (text: string): boolean => options.keepsHeadersPlain === true || isAscii(text)
  const isOther =
    options.from !== undefined && (options.namesAuthor === true || from.name !== author.name || from.email !== author.email)
  const subject = options.subject ?? subjectOf(commit.message)
  const prefix = options.subjectPrefix === '' ? '' : `[${options.subjectPrefix}] `
  const body = bodyOf(commit.message).replace(/\s+$/, '')
  const lines = [
    `From ${oid} Mon Sep 17 00:00:00 2001`,
    ...(options.firstHeaders ?? []),
    addressLine(from, isPlain),
    `Date: ${formatDate(author, 'rfc', 0) ?? ''}`,
    subjectLine(`Subject: ${prefix}`, subject, isPlain).trimEnd(),
  ]
  const ownFrom = isOther ? `From: ${author.name} <${author.email}>\n\n` : ''
  const { boundary } = options
  if (boundary === undefined && !isAscii(ownFrom + commit.message))
    lines.push('MIME-Version: 1.0', 'Content-Type: text/plain; charset=UTF-8', 'Content-Transfer-Encoding: 8bit')
  lines.push(...options.headers)
  if (boundary !== undefined)
    lines.push(
      'MIME-Version: 1.0',
      `Content-Type: multipart/mixed; boundary="${boundary}"`,
      '',
      'This is a multi-part message in MIME format.',
      `--${boundary}`,
      'Content-Type: text/plain; charset=UTF-8; format=fixed',
      'Content-Transfer-Encoding: 8bit',
      ...(ownFrom + body === '' ? [] : ['']),
    )
  const text = options.quotesFrom ? body.replaceAll(/^(>*From )/gm, '>$1') : body
  return ownFrom + text === '' ? `${lines.join('\n')}\n` : `${lines.join('\n')}\n\n${(ownFrom + text).replace(/\n\n$/, '\n')}`
}

function addressLine({ name, email }: Person, isPlain: (text: string) => boolean): string {
  if (!isPlain(name)) {
    const encoded = encodedWords(name, 'From: '.length, true)
    const columns = encoded.length - encoded.lastIndexOf('\n') - 1 + (encoded.includes('\n') ? 0 : 'From: '.length)
    return `From: ${encoded}${columns + email.length + 3 > lineMaxColumns ? '\n' : ''} <${email}>`
  }
  const shown = /[()<>[\]:;@\\,."]/.test(name) ? `"${name.replaceAll(/["\\]/g, String.raw`\$&`)}"` : name
  return `From: ${shown} <${email}>`
}

function subjectLine(start: string, subject: string, isPlain: (text: string) => boolean): string {
  if (!isPlain(subject)) return start + encodedWords(subject, start.length, false)
  return wrapText(start + subject, { width: lineMaxColumns, indent: 0, nextIndent: 1 })
}

/** Words of RFC 2047 in UTF-8, with as many bytes in each as a line can hold. */
function encodedWords(text: string, columns: number, isName: boolean): string {
  const start = '=?UTF-8?q?'
  let result = start
  let length = columns + start.length
  for (const character of text) {
    const isSafe = isName ? /[A-Za-z0-9!*+/-]/.test(character) : /[!-<>@-^`-~]/.test(character)
    const encoded = isSafe
      ? character
      : [...new TextEncoder().encode(character)].map(byte => `=${byte.toString(16).toUpperCase().padStart(2, '0')}`).join('')
    if (length + encoded.length + 2 > encodedMaxBytes + 1) {
      result += `?=\n ${start}`
      length = 1 + start.length
    }
    result += encoded
    length += encoded.length
  }
  return `${result}?=`
}
