// The options of all commands that show differences (diff, log, show, diff-tree …) as rows.

import type { OptionRow } from '../options.ts'

export type DiffFormat =
  | 'patch'
  | 'stat'
  | 'numstat'
  | 'shortstat'
  | 'summary'
  | 'name-only'
  | 'name-status'
  | 'raw'
  | 'compact-summary'
  | 'dirstat'
  | 'check'

const required = (name: string): { readonly name: string } => ({ name })
const optional = (name: string): { readonly name: string; readonly isOptional: true } => ({ name, isOptional: true })
const format = (names: readonly string[], value: DiffFormat): OptionRow => ({
  names,
  key: 'diff-format',
  value,
  isNegatable: false,
})

export const diffOptionRows: readonly OptionRow[] = [
  format(['p', 'u', 'patch'], 'patch'),
  { names: ['s', 'no-patch'], key: 'no-patch', isNegatable: false },
  { names: ['U', 'unified'], argument: optional('n'), key: 'unified' },
  { names: ['stat'], argument: optional('width'), key: 'stat', isNegatable: false },
  { names: ['stat-width'], argument: required('width') },
  { names: ['stat-name-width'], argument: required('width') },
  { names: ['stat-graph-width'], argument: required('width') },
  { names: ['stat-count'], argument: required('count') },
  format(['numstat'], 'numstat'),
  format(['shortstat'], 'shortstat'),
  format(['summary'], 'summary'),
  format(['name-only'], 'name-only'),
  format(['name-status'], 'name-status'),
  format(['raw'], 'raw'),
  { names: ['compact-summary'], isNegatable: false },
  { names: ['patch-with-stat'], isNegatable: false },
  { names: ['patch-with-raw'], isNegatable: false },
  format(['check'], 'check'),
  { names: ['X', 'dirstat'], argument: optional('param'), key: 'dirstat' },
  { names: ['dirstat-by-file'], argument: optional('param') },
  { names: ['cumulative'], isNegatable: false },
  { names: ['r'], isIgnored: true },
  { names: ['t'], refuses: 'showing trees beside files is not built into this git' },
  { names: ['z'] },
  { names: ['M', 'find-renames'], argument: optional('n'), key: 'find-renames' },
  { names: ['C', 'find-copies'], argument: optional('n'), key: 'find-copies' },
  { names: ['find-copies-harder'] },
  { names: ['no-renames'], key: 'no-renames', isNegatable: false },
  { names: ['B', 'break-rewrites'], argument: optional('n'), refuses: 'breaking rewrites is not built into this git' },
  { names: ['D', 'irreversible-delete'] },
  { names: ['l'], argument: required('n'), key: 'rename-limit' },
  { names: ['diff-filter'], argument: required('filter') },
  { names: ['S'], argument: required('string'), key: 'pickaxe-string' },
  { names: ['G'], argument: required('regex'), key: 'pickaxe-pattern' },
  { names: ['pickaxe-regex'], isNegatable: false },
  { names: ['pickaxe-all'], isNegatable: false },
  { names: ['R'], key: 'reverse-sides' },
  { names: ['relative'], argument: optional('path') },
  { names: ['a', 'text'] },
  { names: ['w', 'ignore-all-space'], key: 'whitespace', value: 'all', isNegatable: false },
  { names: ['b', 'ignore-space-change'], key: 'whitespace', value: 'change', isNegatable: false },
  { names: ['ignore-space-at-eol'], key: 'whitespace', value: 'at-end', isNegatable: false },
  { names: ['ignore-cr-at-eol'], key: 'whitespace', value: 'cr-at-end', isNegatable: false },
  { names: ['ignore-blank-lines'] },
  {
    names: ['I', 'ignore-matching-lines'],
    argument: required('regex'),
  },
  { names: ['inter-hunk-context'], argument: required('n') },
  { names: ['W', 'function-context'], key: 'function-context' },
  { names: ['minimal'], key: 'diff-algorithm', value: 'minimal', isNegatable: false },
  { names: ['patience'], key: 'diff-algorithm', value: 'patience', isNegatable: false },
  { names: ['histogram'], key: 'diff-algorithm', value: 'histogram', isNegatable: false },
  { names: ['diff-algorithm'], argument: required('name') },
  { names: ['indent-heuristic'] },
  { names: ['binary'], isNegatable: false },
  { names: ['full-index'] },
  { names: ['abbrev'], argument: optional('n') },
  { names: ['exit-code'] },
  { names: ['no-prefix'], isNegatable: false },
  { names: ['default-prefix'], isNegatable: false },
  { names: ['src-prefix'], argument: required('prefix') },
  { names: ['dst-prefix'], argument: required('prefix') },
  { names: ['color'], argument: optional('when') },
  { names: ['word-diff'], argument: optional('mode'), isNegatable: false },
  { names: ['color-words'], argument: optional('regex'), isNegatable: false },
  { names: ['word-diff-regex'], argument: required('regex'), isNegatable: false },
  { names: ['color-moved'], argument: optional('mode') },
  { names: ['color-moved-ws'], argument: required('mode'), isIgnored: true },
  { names: ['ws-error-highlight'], argument: required('kind'), isNegatable: false },
  { names: ['ext-diff'] },
  { names: ['textconv'] },
  { names: ['ignore-submodules'], argument: optional('when'), isNegatable: false },
  { names: ['submodule'], argument: optional('format'), isNegatable: false },
  { names: ['ita-invisible-in-index'], isIgnored: true, isNegatable: false },
  { names: ['ita-visible-in-index'], refuses: 'showing intended files as empty is not built into this git' },
  { names: ['O'], argument: required('file'), key: 'order-file' },
  { names: ['rotate-to'], argument: required('path'), isNegatable: false },
  { names: ['skip-to'], argument: required('path'), isNegatable: false },
  { names: ['find-object'], argument: required('object'), isNegatable: false },
  { names: ['output-indicator-new'], argument: required('character'), isNegatable: false },
  { names: ['output-indicator-old'], argument: required('character'), isNegatable: false },
  { names: ['output-indicator-context'], argument: required('character'), isNegatable: false },
  { names: ['rename-empty'] },
  { names: ['output'], argument: required('file'), refuses: 'use > to write into a file' },
  { names: ['line-prefix'], argument: required('prefix'), isNegatable: false },
]
