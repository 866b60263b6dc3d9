// The subject, the body and the title of a message, and the encoding in which messages are printed.

import type { Config } from '../store/config.ts'

/** The first paragraph as one line. */
export function subjectOf(message: string): string {
  const lines: string[] = []
  for (const line of message.replace(/^(?:[ \t]*\n)+/, '').split('\n')) {
    if (line.trim() === '') break
    lines.push(line.trimEnd())
  }
  return lines.join(' ')
}

/** The text after the first paragraph. */
export function bodyOf(message: string): string {
  const lines = message.replace(/^(?:[ \t]*\n)+/, '').split('\n')
  let at = 0
  while (at < lines.length && (lines[at] ?? '').trim() !== '') at++
  while (at < lines.length && (lines[at] ?? '').trim() === '') at++
  const body = lines.slice(at).join('\n')
  return body
}

/** The subject as a part of a file's name. */
export function sanitized(subject: string): string {
  return subject
    .replaceAll(/[^A-Za-z0-9_.]+/g, '-')
    .replaceAll(/\.{2,}/g, '.')
    .replaceAll(/^-+|[-.]+$/g, '')
}

/** The first line that is not blank: what git takes for a commit's name in logs, labels and reports. */
export function titleOf(message: string): string {
  return (message.replace(/^(?:[ \t]*\n)+/, '').split('\n', 1)[0] ?? '').trimEnd()
}

/** `i18n.logOutputEncoding`, or else that of commits; empty for UTF-8. */
export function outputEncoding(config: Config, given?: string): string {
  const encoding = given ?? config.get('i18n.logoutputencoding') ?? config.get('i18n.commitencoding') ?? ''
  return /^utf-?8$/i.test(encoding) ? '' : encoding
}

export async function outputRecoder(config: Config, given?: string): Promise<(text: string) => string> {
  const encoding = outputEncoding(config, given)
  return encoding === '' ? text => text : (await import('../commands/rare-commands.ts')).singleByteRecoder(encoding)
}
