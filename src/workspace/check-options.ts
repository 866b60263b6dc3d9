// Checks the options of a workspace, so that a wrong name or type is an error at once and not an option without effect. It is loaded
// only if a workspace has other options than `fs`, or an `fs` that is not one backend.

import { AnchorageError } from '../core/errors.ts'
import { defaultLimits } from '../core/limits.ts'
import { isRecord, ownValue } from '../core/record.ts'
import type { GitHostOptions } from '../git/network/options.ts'
import type { HistoryOptions } from '../history/history.ts'
import type { UrlRules } from '../resources/host.ts'
import type { WorkspaceOptions } from './workspace.ts'

type Test = (value: unknown) => boolean

interface Row {
  readonly expected: string
  readonly test: Test
}

/** With a row for each option of a type, so that none is forgotten. */
type Rows<Name extends string = string> = Readonly<Record<Name, Row>>

const isFunction: Test = value => typeof value === 'function'
const isText: Test = value => typeof value === 'string'
const isCount: Test = value => typeof value === 'number' && value >= 0
const isTexts: Test = value => Array.isArray(value) && value.every(isText)
const isObject: Test = value => isRecord(value) && !(value instanceof Promise)

const aFunction: Row = { expected: 'a function', test: isFunction }
const anObject: Row = { expected: 'an object', test: isObject }
const texts: Row = { expected: 'a list of strings', test: isTexts }
const aText: Row = { expected: 'a string', test: isText }
const aCount: Row = { expected: 'a number that is not negative', test: isCount }
const aSwitch: Row = { expected: 'true or false', test: value => typeof value === 'boolean' }

/** `buffers` and `policy` are checked elsewhere. */
const workspaceRows: Rows<keyof WorkspaceOptions> = {
  fs: {
    expected: "a filesystem, such as memory({ 'src/a.ts': '…' }), or an object of absolute paths and filesystems",
    test: isObject,
  },
  shell: {
    expected: "'just-bash', 'none', or a shell, such as justBash() of anchorage/shell/just-bash",
    test: value =>
      value === 'just-bash' ||
      value === 'none' ||
      isFunction(value) ||
      (isRecord(value) && ('start' in value || 'recipe' in value)),
  },
  root: { expected: 'an absolute path, such as /workspace', test: value => typeof value === 'string' && value.startsWith('/') },
  policy: anObject,
  limits: anObject,
  outputs: {
    expected: "'auto', 'memory', or a function that opens a storage",
    test: value => value === 'auto' || value === 'memory' || isFunction(value),
  },
  history: { expected: 'true, false, or { maxEntries, maxBytes }', test: value => typeof value === 'boolean' || isObject(value) },
  buffers: anObject,
  router: anObject,
  fetch: aFunction,
  urls: anObject,
  git: anObject,
  clock: aFunction,
  startWorker: aFunction,
}

/** The rows of `connectWorkspace`: what stays in the worker is left out. */
const { clock: _clock, startWorker: _startWorker, ...sentRows } = workspaceRows
const clientRows: Rows = {
  ...sentRows,
  callTimeoutMs: aCount,
  connectTimeoutMs: aCount,
  onReplaced: aFunction,
}

/** The rows of options that are objects. */
const innerRows: {
  readonly limits: Rows
  readonly history: Rows<keyof HistoryOptions>
  readonly urls: Rows<keyof UrlRules>
  readonly git: Rows<keyof GitHostOptions>
} = {
  limits: Object.fromEntries(Object.keys(defaultLimits).map(name => [name, aCount])),
  history: { maxEntries: aCount, maxBytes: aCount },
  urls: { allow: texts, deny: texts },
  git: {
    remotes: texts,
    credentials: aFunction,
    push: aSwitch,
    corsProxy: aText,
    fetch: aFunction,
    maxBytes: aCount,
    timeoutMs: aCount,
    author: anObject,
  },
}

/** What `serveWorkspace` gives a custom worker module beside these options; it may be passed on as it is. */
const hosted: ReadonlySet<string> = new Set(['containers', 'containerShell'])

/** Throws `AnchorageError` `workspace-options` for an option that does not exist or has a value of a wrong type. */
export function checkWorkspaceOptions(caller: 'createWorkspace' | 'connectWorkspace', options: unknown): void {
  if (!isObject(options)) refuse(`${caller} needs an object of options, such as { fs: memory() }.`)
  const given = options as Readonly<Record<string, unknown>>
  checkNames(caller, given, caller === 'createWorkspace' ? workspaceRows : clientRows)
  if (given['fs'] === undefined && caller === 'createWorkspace')
    refuse(`createWorkspace needs the option fs, ${workspaceRows.fs.expected}.`)
  for (const [name, rows] of Object.entries(innerRows)) {
    const inner = given[name]
    if (isRecord(inner)) checkNames(caller, inner, rows, `${name}.`)
  }
  if (isRecord(given['fs']) && !isFileSystem(given['fs'])) checkMounts(given['fs'])
}

function checkNames(caller: string, given: Readonly<Record<string, unknown>>, rows: Rows, prefix = ''): void {
  for (const [name, value] of Object.entries(given)) {
    if (rows === workspaceRows && hosted.has(name)) continue
    const row = ownValue(rows, name)
    if (row === undefined) refuse(`${caller} has no option ${prefix}${name}. Options: ${Object.keys(rows).join(', ')}.`)
    if (value !== undefined && !row.test(value)) refuse(`${caller}: ${prefix}${name} must be ${row.expected}.`)
  }
}

function isFileSystem(value: unknown): boolean {
  return isRecord(value) && ('lookup' in value || 'recipe' in value)
}

function checkMounts(table: Readonly<Record<string, unknown>>): void {
  const paths = Object.entries(table)
  if (paths.length === 0) refuse('The mount table in `fs` is empty. Pass a filesystem, such as memory().')
  for (const [path, backend] of paths) {
    if (path.startsWith('/') && isFileSystem(backend)) continue
    refuse(
      `fs[${JSON.stringify(path)}] is not a filesystem at an absolute path. To pass files, write fs: memory({ ${JSON.stringify(path)}: … }).`,
    )
  }
}

function refuse(reason: string): never {
  throw new AnchorageError('workspace-options', reason)
}
