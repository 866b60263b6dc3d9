// Saves and restores the memory of a session, so that a conversation can outlive its page. A state can be outdated but never
// wrong: it is compared with the files, and a modified state is refused.

import type { VfsPath } from '../core/path.ts'
import type { SessionState } from '../core/tool.ts'
import { fullHash } from '../core/hash.ts'
import { contentTag } from '../text/hashline/tag.ts'
import type { SavedConflicts } from './conflicts.ts'
import { asSavedOutputs, type SavedOutputs } from './saved-outputs.ts'
import type { RestoredState, SessionMemory } from './session-memory.ts'
import type { IssuedTags, KeptText, ShownRows } from './snapshots.ts'
import { StateBudget } from './state-budget.ts'
import { asCount, asList, asPath, asRecord, asText, checkOf, hashPattern, notState } from './state-parts.ts'

const tagPattern = /^[0-9A-F]{4}$/

/** `given` comes from the host's storage. Throws `AnchorageError` `toolset-options` if it is not an unmodified state of `toolset`. */
export function readState(given: unknown, toolset: string): RestoredState {
  const { check, ...state } = asRecord(given, 'it is not an object')
  if (state['version'] !== 1) throw notState('it is of another version')
  if (state['toolset'] !== undefined && state['toolset'] !== toolset)
    throw notState(`it belongs to the toolset ${JSON.stringify(state['toolset'])}, not to ${JSON.stringify(toolset)}`)
  const seen = asList(state['seen']).map(entry => {
    const [path, hash] = asList(entry)
    return [asPath(path), asText(hash, hashPattern)] as const
  })
  const issued = asList(state['tags']).map(asIssued)
  // Releases that stored only hashes wrote this state. The hashes are compared with the files, and other parts are not used.
  if (check === undefined) return { seen, snapshots: { issued, texts: [], displays: [] } }
  if (check !== checkOf(state)) throw notState('it was changed or damaged after it was saved')
  const tagsOf = new Map(issued.map(({ path, tags }) => [path, new Map(tags)]))
  return {
    seen,
    snapshots: {
      issued,
      texts: asList(state['texts']).map(entry => asKeptText(entry, tagsOf)),
      displays: asList(state['displays']).map(entry => {
        const [display, path] = asList(entry)
        return [asText(display), asPath(path)]
      }),
      rows: asList(state['rows'] ?? []).map(asShownRows),
    },
    conflicts: asConflicts(state['conflicts']),
    own: asRecord(state['own']),
    outputs: asSavedOutputs(state['outputs']),
  }
}

/** `outputs` describes the session's outputs. The state contains at most `maxTextBytes` of texts. */
export function sessionState(
  { freshness, snapshots, conflicts, own }: SessionMemory,
  maxTextBytes: number,
  toolset: string,
  outputs?: SavedOutputs,
): SessionState {
  const budget = new StateBudget(maxTextBytes)
  // This part is saved first, because it cannot be read again from a file.
  const ownSaved = own.save(budget)
  const { issued, texts, displays, rows = [] } = snapshots.save(budget)
  const state = {
    version: 1,
    toolset,
    seen: freshness.identities(),
    tags: issued.map(({ path, tags }) => [path, tags] as const),
    texts,
    displays,
    rows,
    conflicts: conflicts.save(),
    ...(outputs === undefined ? {} : { outputs }),
    own: ownSaved,
  } as const
  return { ...state, check: checkOf(state) }
}

function asIssued(value: unknown): IssuedTags {
  const [path, tags] = asList(value)
  return { path: asPath(path), tags: asList(tags).map(asTag) }
}

function asTag(value: unknown): readonly [tag: string, hashes: readonly (string | null)[]] {
  const [tag, hashes] = asList(value)
  return [asText(tag, tagPattern), asList(hashes).map(hash => (hash === null ? null : asText(hash, hashPattern)))]
}

type HashesOfTags = ReadonlyMap<VfsPath, ReadonlyMap<string, readonly (string | null)[]>>

/** A text is accepted only if its hash matches that of its tag. */
function asKeptText(value: unknown, tagsOf: HashesOfTags): KeptText {
  const [givenPath, givenTag, givenText] = asList(value)
  const [path, tag, text] = [asPath(givenPath), asText(givenTag, tagPattern), asText(givenText)]
  const hashes = tagsOf.get(path)?.get(tag) ?? []
  if (contentTag(text) !== tag || !hashes.includes(fullHash(text))) throw notState('a text in it does not belong to its tag')
  return [path, tag, text]
}

function asShownRows(value: unknown): ShownRows {
  const [path, tag, index, spans] = asList(value)
  const pairs = asList(spans).map((span): readonly [number, number] => {
    const [start, end] = asList(span)
    return [asCount(start), asCount(end)]
  })
  return [asPath(path), asText(tag, tagPattern), asCount(index), pairs]
}

function asConflicts(value: unknown): SavedConflicts {
  const { nextId, entries } = asRecord(value)
  return {
    nextId: asCount(nextId),
    entries: asList(entries).map(entry => {
      const [id, path, display, hash] = asList(entry)
      return [asCount(id), asPath(path), asText(display), asText(hash, hashPattern)]
    }),
  }
}
