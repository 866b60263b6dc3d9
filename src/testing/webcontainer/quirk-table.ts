// The quirks by name, with a description and a source. Separate from their implementation, because the findings of a live run are compared
// with it.

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
  crlf: { what: 'the terminal turns LF into CR LF', source: 'what every terminal does' },
  'split-characters': {
    what: 'chunks end in the middle of a character, and each is decoded alone',
    source: 'client 1.6.4, measured',
  },
  'late-chunks': { what: 'output comes after the exit', source: "StackBlitz's own test kit" },
  'unkillable-loops': { what: 'kill() does not end a busy loop', source: 'stackblitz/webcontainer-core#1121' },
  latency: { what: 'one call in sixteen takes up to 20 ms longer', source: 'measured between a page and a worker' },
  'no-symlink-in-dirent': { what: 'a symlink in a listing is neither file nor directory', source: 'client 1.6.4' },
  'restricted-shell': {
    what: 'jsh refuses much of bash, and most Unix tools are missing',
    source: 'stackblitz/webcontainer-core#1608, #1013, #1254',
  },
  'failing-boots': { what: 'one boot in fifty fails', source: 'stackblitz/webcontainer-core#1865' },
  'slow-watch': { what: 'a watch is set some time after it was asked for', source: 'client 1.6.4' },
  'rename-refuses-existing': { what: 'rename does not replace a file', source: 'unverified: undocumented; off by default' },
  'no-runner': { what: 'node does not run the framed runner', source: 'unverified; off by default' },
}

const offByDefault: ReadonlySet<QuirkId> = new Set(['rename-refuses-existing', 'no-runner'])

export const allQuirks: readonly QuirkId[] = Object.keys(quirkTable) as readonly QuirkId[]

export function isOnByDefault(quirk: QuirkId): boolean {
  return !offByDefault.has(quirk)
}
