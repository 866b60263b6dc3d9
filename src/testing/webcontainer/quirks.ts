// What makes the stand-in as unpleasant as the service it stands in for. Each quirk is seen with the service, or reported of it, and is
// on unless a test turns it off; a driver that only works without one would fail there. No live run has confirmed them yet.
// Merged streams, lost error codes and missing times are not among them: the client makes those itself, whatever answers it.
// Source: webcontainer §8.

import { createRandom, type Random } from '../random.ts'

export type QuirkId =
  | 'crlf'
  | 'split-characters'
  | 'late-chunks'
  | 'unkillable-loops'
  | 'latency'
  | 'no-symlink-in-dirent'
  | 'restricted-shell'
  | 'failing-boots'
  | 'slow-watch'
  | 'rename-refuses-existing'
  | 'no-runner'

interface Quirk {
  readonly what: string
  readonly source: string
}

export const quirkTable: Readonly<Record<QuirkId, Quirk>> = {
  crlf: { what: 'the terminal turns LF into CR LF', source: 'pty; webcontainer §2' },
  'split-characters': {
    what: 'chunks end in the middle of a character, and each is decoded alone',
    source: 'client 1.6.4, measured',
  },
  'late-chunks': { what: 'output comes after the exit', source: "StackBlitz's own test kit, webcontainer §2" },
  'unkillable-loops': { what: 'kill() does not end a busy loop', source: 'stackblitz/webcontainer-core#1121' },
  latency: { what: 'one call in sixteen takes up to 20 ms longer', source: 'webcontainer §8' },
  'no-symlink-in-dirent': { what: 'a symlink in a listing is neither file nor directory', source: 'client 1.6.4' },
  'restricted-shell': {
    what: 'jsh refuses much of bash, and most Unix tools are missing',
    source: 'stackblitz/webcontainer-core#1608, #1013, #1254',
  },
  'failing-boots': { what: 'one boot in fifty fails', source: 'stackblitz/webcontainer-core#1865; webcontainer §8' },
  'slow-watch': { what: 'a watch is set some time after it was asked for', source: 'client 1.6.4' },
  'rename-refuses-existing': { what: 'rename does not replace a file', source: 'unverified: undocumented; off by default' },
  'no-runner': { what: 'node does not run the framed runner', source: 'unverified; off by default' },
}

const offByDefault: ReadonlySet<QuirkId> = new Set(['rename-refuses-existing', 'no-runner'])

export interface QuirkSettings {
  readonly seed?: number
  readonly on?: readonly QuirkId[]
  readonly off?: readonly QuirkId[]
}

export interface Quirks {
  readonly random: Random
  readonly has: (quirk: QuirkId) => boolean
  /** Waits as long as this call takes. */
  readonly pause: () => Promise<void>
}

export function createQuirks({ seed = 1, on = [], off = [] }: QuirkSettings = {}): Quirks {
  const random = createRandom(seed)
  const active = new Set<string>(Object.keys(quirkTable))
  for (const quirk of offByDefault) active.delete(quirk)
  for (const quirk of off) active.delete(quirk)
  for (const quirk of on) active.add(quirk)
  const has = (quirk: QuirkId): boolean => active.has(quirk)
  return {
    random,
    has,
    async pause() {
      if (has('latency') && random.chance(1 / 16)) await delay(random.below(21))
    },
  }
}

export function delay(durationMs: number): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, durationMs)
  })
}
