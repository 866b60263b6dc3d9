// The four kinds of objects as bytes and as values. Their text may contain any bytes; it is kept as byte text (shell/byte-text.ts), which
// converts back to the same bytes.

import { joinBytes } from '../../core/bytes.ts'
import { decodeText, encodeText } from '../../shell/byte-text.ts'
import { fatal } from '../errors.ts'
import { fromHex, toHex } from './sha1.ts'

/** A SHA-1 in 40 lower-case hexadecimal digits. */
export type ObjectId = string

export type ObjectType = 'blob' | 'tree' | 'commit' | 'tag'

export interface GitObject {
  readonly type: ObjectType
  readonly bytes: Uint8Array
}

export interface TreeEntry {
  /** `0o100644`, `0o100755`, `0o120000` (symlink), `0o40000` (tree) or `0o160000` (commit of a submodule). */
  readonly mode: number
  readonly name: string
  readonly oid: ObjectId
}

/** Someone at a moment. */
export interface Person {
  readonly name: string
  readonly email: string
  /** Seconds since the epoch. */
  readonly time: number
  /** As written in the object, such as `+0130`. */
  readonly zone: string
}

export interface Commit {
  readonly tree: ObjectId
  readonly parents: readonly ObjectId[]
  /** The parents in the object itself, where a shallow history ends at this commit and `parents` is empty. */
  readonly storedParents?: readonly ObjectId[]
  readonly author: Person
  readonly committer: Person
  /** Other headers in order, such as `encoding` and `gpgsig`; continuation lines are joined with line feeds. */
  readonly extra: readonly { readonly key: string; readonly value: string }[]
  readonly message: string
}

export interface Tag {
  readonly object: ObjectId
  readonly type: ObjectType
  readonly name: string
  readonly tagger: Person | undefined
  readonly message: string
}

export const modes = { file: 0o100644, executable: 0o100755, symlink: 0o120000, tree: 0o40000, submodule: 0o160000 } as const

export const zeroId: ObjectId = '0'.repeat(40)
export const emptyTreeId: ObjectId = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'
export const emptyBlobId: ObjectId = 'e69de29bb2d1d6434b8b29ae775ad8c2e48c5391'

/** A regular file, executable or not. */
export function isRegularMode(mode: number): boolean {
  return (mode & 0o170000) === 0o100000
}

export function typeOfMode(mode: number): 'blob' | 'tree' | 'commit' {
  return mode === modes.tree ? 'tree' : mode === modes.submodule ? 'commit' : 'blob'
}

export function isObjectId(text: string): boolean {
  return /^[0-9a-f]{40}$/.test(text)
}

export function parseTree(bytes: Uint8Array, oid: ObjectId): readonly TreeEntry[] {
  const entries: TreeEntry[] = []
  for (let at = 0; at < bytes.length;) {
    const space = bytes.indexOf(0x20, at)
    const end = space === -1 ? -1 : bytes.indexOf(0, space)
    if (end === -1 || end + 21 > bytes.length) throw fatal(`bad tree object ${oid}: too-short tree file`)
    let mode = 0
    for (let index = at; index < space; index++) mode = mode * 8 + ((bytes[index] ?? 0) - 48)
    const name = shortText(bytes, space + 1, end)
    if (name === '') throw fatal(`bad tree object ${oid}: empty filename in tree entry`)
    entries.push({ mode: canonicalMode(mode), name, oid: toHex(bytes, end + 1, end + 21) })
    at = end + 21
  }
  return entries
}

/** Old tools wrote modes such as `100664`, which mean one of the five modes. */
export function canonicalMode(mode: number): number {
  const kind = mode & 0o170000
  if (kind === 0o100000) return mode & 0o100 ? modes.executable : modes.file
  return kind === 0o120000 || kind === 0o40000 ? kind : modes.submodule
}

/** ASCII names, which are the usual case, need no decoder. */
export function shortText(bytes: Uint8Array, start: number, end: number): string {
  let text = ''
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0
    if (byte > 127) return decodeText(bytes.subarray(start, end))
    text += String.fromCharCode(byte)
  }
  return text
}

/** The order of entries in a tree: by bytes, and a tree as if its name ended in '/'. */
export function compareTreeEntries(a: TreeEntry, b: TreeEntry): number {
  return compareText(a.mode === modes.tree ? `${a.name}/` : a.name, b.mode === modes.tree ? `${b.name}/` : b.name)
}

/** By bytes, as git sorts names. UTF-16 order differs only if there are surrogates. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left === right) continue
    if (left >= 0xd800 || right >= 0xd800) return compareBytes(encodeText(a), encodeText(b))
    return left - right
  }
  return a.length - b.length
}

function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const difference = (a[at] ?? 0) - (b[at] ?? 0)
    if (difference !== 0) return difference
  }
  return a.length - b.length
}

/** `entries` in the order of {@link compareTreeEntries}. */
export function encodeTree(entries: readonly TreeEntry[]): Uint8Array {
  return joinBytes(entries.flatMap(({ mode, name, oid }) => [encodeText(`${mode.toString(8)} ${name}\0`), fromHex(oid)]))
}

interface Headers {
  readonly headers: readonly { readonly key: string; readonly value: string }[]
  readonly message: string
}

function parseHeaders(bytes: Uint8Array): Headers {
  const text = decodeText(bytes)
  const headers: { key: string; value: string }[] = []
  let at = 0
  while (at < text.length && text[at] !== '\n') {
    const end = text.indexOf('\n', at)
    const line = end === -1 ? text.slice(at) : text.slice(at, end)
    const last = headers.at(-1)
    if (line.startsWith(' ') && last !== undefined) last.value += `\n${line.slice(1)}`
    else {
      const space = line.indexOf(' ')
      headers.push({ key: space === -1 ? line : line.slice(0, space), value: space === -1 ? '' : line.slice(space + 1) })
    }
    at = end === -1 ? text.length : end + 1
  }
  return { headers, message: text.slice(at + 1) }
}

const nobody: Person = { name: '', email: '', time: 0, zone: '+0000' }

export function parsePerson(text: string): Person {
  const found = /^(.*?) ?<([^>]*)>(?:.*>)?(?: +(-?\d+))?(?: +([+-]\d+))?/s.exec(text)
  if (found === null) return nobody
  const [, name = '', email = '', time = '0', zone = '+0000'] = found
  return { name, email, time: Number(time), zone }
}

export function encodePerson({ name, email, time, zone }: Person): string {
  return `${name} <${email}> ${time} ${zone}`
}

export function parseCommit(bytes: Uint8Array, oid: ObjectId): Commit {
  const { headers, message } = parseHeaders(bytes)
  const parents: ObjectId[] = []
  const extra: { key: string; value: string }[] = []
  let tree: ObjectId | undefined
  let author = nobody
  let committer = nobody
  for (const { key, value } of headers) {
    if (key === 'tree') tree = value
    else if (key === 'parent') parents.push(value)
    else if (key === 'author') author = parsePerson(value)
    else if (key === 'committer') committer = parsePerson(value)
    else extra.push({ key, value })
  }
  if (tree === undefined || !isObjectId(tree)) throw fatal(`bad commit object ${oid}: bogus commit object`)
  const encoding = extra.find(({ key }) => key === 'encoding')?.value
  if (encoding === undefined || /^utf-?8$/i.test(encoding)) return { tree, parents, author, committer, extra, message }
  const inUtf8 = (person: Person): Person => ({ ...person, name: reencoded(person.name, encoding) })
  return {
    tree,
    parents,
    author: inUtf8(author),
    committer: inUtf8(committer),
    extra,
    message: reencoded(message, encoding),
  }
}

/** Text of a commit in another encoding, converted to UTF-8. */
function reencoded(text: string, encoding: string): string {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(encodeText(text))
  } catch {
    // With an unknown encoding, or invalid bytes, git shows the bytes unchanged.
    return text
  }
}

export function encodeCommit({ tree, parents, author, committer, extra, message }: Commit): Uint8Array {
  const lines = [
    `tree ${tree}`,
    ...parents.map(parent => `parent ${parent}`),
    `author ${encodePerson(author)}`,
    `committer ${encodePerson(committer)}`,
    ...extra.map(({ key, value }) => `${key} ${value.replaceAll('\n', '\n ')}`),
  ]
  return encodeText(`${lines.join('\n')}\n\n${message}`)
}

export function parseTag(bytes: Uint8Array, oid: ObjectId): Tag {
  const { headers, message } = parseHeaders(bytes)
  const value = (key: string): string | undefined => headers.find(header => header.key === key)?.value
  const object = value('object')
  const type = value('type')
  if (object === undefined || !isObjectId(object) || !isObjectType(type)) throw fatal(`bad tag object ${oid}`)
  const tagger = value('tagger')
  return { object, type, name: value('tag') ?? '', tagger: tagger === undefined ? undefined : parsePerson(tagger), message }
}

export function encodeTag({ object, type, name, tagger, message }: Tag): Uint8Array {
  const who = tagger === undefined ? '' : `tagger ${encodePerson(tagger)}\n`
  return encodeText(`object ${object}\ntype ${type}\ntag ${name}\n${who}\n${message}`)
}

export function isObjectType(text: string | undefined): text is ObjectType {
  return text === 'blob' || text === 'tree' || text === 'commit' || text === 'tag'
}
