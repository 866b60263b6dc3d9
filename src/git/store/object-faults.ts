// Faults of an object that can be read, as `git fsck` reports them.

import { decodeText } from '../../shell/byte-text.ts'
import type { ObjectType } from './object-format.ts'

/** An error always fails the check, a warning only with `--strict`; hints are only shown with it. */
export type FaultLevel = 'error' | 'warning' | 'hint'

export interface ObjectFault {
  readonly level: FaultLevel
  /** git's name for it. */
  readonly name: string
  readonly text: string
}

const fault = (level: FaultLevel, name: string, text: string): ObjectFault => ({ level, name, text })

export function faultsOf(type: ObjectType, bytes: Uint8Array): readonly ObjectFault[] {
  if (type === 'tree') return treeFaults(bytes)
  return type === 'commit' ? commitFaults(bytes) : []
}

function treeFaults(bytes: Uint8Array): readonly ObjectFault[] {
  const found = new Map<string, ObjectFault>()
  const add = (level: FaultLevel, name: string, text: string): void => {
    found.set(name, fault(level, name, text))
  }
  const names = new Set<string>()
  let before: string | undefined
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at)
    const end = bytes.indexOf(0, space)
    const mode = latin1(bytes.subarray(at, space))
    const name = latin1(bytes.subarray(space + 1, end))
    if (mode.startsWith('0')) add('warning', 'zeroPaddedFilemode', 'contains zero-padded file modes')
    const kind = mode.replace(/^0+/, '')
    if (kind === '100664') add('hint', 'badFilemode', 'contains bad file modes')
    else if (!['100644', '100755', '120000', '40000', '160000'].includes(kind))
      add('hint', 'badFilemode', 'contains bad file modes')
    if (name === '') add('warning', 'emptyName', 'contains empty pathname')
    if (name === '.') add('warning', 'hasDot', "contains '.'")
    if (name === '..') add('warning', 'hasDotdot', "contains '..'")
    if (/^(?:\.git|git~1)[ .]*$/i.test(name)) add('warning', 'hasDotgit', "contains '.git'")
    if (name.includes('/')) add('warning', 'fullPathname', 'contains full pathnames')
    if (bytes.subarray(end + 1, end + 21).every(byte => byte === 0))
      add('warning', 'nullSha1', 'contains entries pointing to null sha1')
    const key = kind === '40000' ? `${name}/` : name
    if (names.has(name)) add('error', 'duplicateEntries', 'contains duplicate file entries')
    else if (before !== undefined && before > key) add('error', 'treeNotSorted', 'not properly sorted')
    names.add(name)
    before = key
    at = end + 21
  }
  return [...found.values()]
}

/** Text of one character for each byte, so that it is ordered as the bytes are. */
function latin1(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

function commitFaults(bytes: Uint8Array): readonly ObjectFault[] {
  const text = decodeText(bytes)
  const head = text.slice(0, Math.max(0, text.indexOf('\n\n')) || text.length)
  const found: ObjectFault[] = []
  const authors = [...head.matchAll(/^author (.*)$/gm)]
  if (authors.length === 0) found.push(fault('error', 'missingAuthor', "invalid format - expected 'author' line"))
  if (authors.length > 1) found.push(fault('error', 'multipleAuthors', "invalid format - multiple 'author' lines"))
  const committer = /^committer (.*)$/m.exec(head)
  if (committer === null) found.push(fault('error', 'missingCommitter', "invalid format - expected 'committer' line"))
  for (const who of [authors[0]?.[1], committer?.[1]]) {
    const wrong = who === undefined ? undefined : personFault(who)
    if (wrong !== undefined) found.push(wrong)
  }
  if (text.includes('\0')) found.push(fault('warning', 'nulInCommit', 'NUL byte in the commit object body'))
  return found
}

function personFault(who: string): ObjectFault | undefined {
  const line = 'invalid author/committer line - '
  if (who.startsWith('<')) return fault('error', 'missingNameBeforeEmail', `${line}missing space before email`)
  if (!who.includes('<')) return fault('error', 'missingEmail', `${line}missing email`)
  if (!/^[^<>]* <[^<>]*>/.test(who)) return fault('error', 'badEmail', `${line}bad email`)
  const rest = who.slice(who.indexOf('>') + 1)
  if (!rest.startsWith(' ')) return fault('error', 'missingSpaceBeforeDate', `${line}missing space before date`)
  if (/^ 0\d/.test(rest)) return fault('error', 'zeroPaddedDate', `${line}zero-padded date`)
  if (!/^ \d+ /.test(rest)) return fault('error', 'badDate', `${line}bad date`)
  return /^ \d+ [+-]\d{4}$/.test(rest) ? undefined : fault('error', 'badTimezone', `${line}bad time zone`)
}
