// A conversation may outlive its page. What its session has seen is kept as identities only: a restored session lets an edit pass where
// the file holds the very text that was shown, and asks for another read everywhere else, so a state can be old but never wrong.

import { AnchorageError } from '../core/errors.ts'
import { parsePath, pathProblem, type VfsPath } from '../core/path.ts'
import type { SessionState } from '../core/tool.ts'
import { FreshnessLedger } from './freshness.ts'
import { SnapshotStore } from './snapshots.ts'

/** Files, and tags of one file, that a state may hold; a session keeps fewer. */
const maxEntries = 200_000
const hashPattern = /^[0-9a-f]{64}$/
const tagPattern = /^[0-9A-F]{4}$/

export interface SeenFiles {
  readonly freshness: FreshnessLedger
  readonly snapshots: SnapshotStore
}

/** `given` comes from wherever the host kept it. Throws `AnchorageError` `toolset-options` for what is no state. */
export function openSeenFiles(snapshotMaxBytes: number, given: unknown): SeenFiles {
  const freshness = new FreshnessLedger()
  if (given === undefined) return { freshness, snapshots: new SnapshotStore(snapshotMaxBytes) }
  const state = asRecord(given, 'it is not an object')
  if (state['version'] !== 1) throw notState('it is of another version')
  for (const entry of asList(state['seen'])) {
    const [path, hash] = asList(entry)
    freshness.noteHash(asPath(path), undefined, asText(hash, hashPattern))
  }
  const issued = asList(state['tags']).map(entry => {
    const [path, tags] = asList(entry)
    return { path: asPath(path), tags: asList(tags).map(asTag) }
  })
  return { freshness, snapshots: new SnapshotStore(snapshotMaxBytes, undefined, issued) }
}

export function sessionState({ freshness, snapshots }: SeenFiles): SessionState {
  return {
    version: 1,
    seen: freshness.identities(),
    tags: snapshots.issued().map(({ path, tags }) => [path, tags] as const),
  }
}

function asTag(value: unknown): readonly [tag: string, hashes: readonly (string | null)[]] {
  const [tag, hashes] = asList(value)
  return [asText(tag, tagPattern), asList(hashes).map(hash => (hash === null ? null : asText(hash, hashPattern)))]
}

function asPath(value: unknown): VfsPath {
  if (typeof value !== 'string' || !value.startsWith('/') || pathProblem(value) !== undefined)
    throw notState('it holds no path where one belongs')
  return parsePath(value)
}

function asText(value: unknown, pattern: RegExp): string {
  if (typeof value !== 'string' || !pattern.test(value)) throw notState('it holds a wrong identity')
  return value
}

function asList(value: unknown): readonly unknown[] {
  if (!Array.isArray(value) || value.length > maxEntries)
    throw notState(`it lacks a list, or one has more than ${maxEntries} entries`)
  return value
}

function asRecord(value: unknown, reason: string): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null) throw notState(reason)
  return { ...value }
}

function notState(reason: string): AnchorageError {
  return new AnchorageError(
    'toolset-options',
    `state is not what \`Toolset.state()\` gave: ${reason}. Leave it out to begin a session that has seen nothing.`,
  )
}
