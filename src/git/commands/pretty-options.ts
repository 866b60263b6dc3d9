// Options for how commits are shown, as rows.

import type { OptionRow } from '../options.ts'

const optional = (name: string): { readonly name: string; readonly isOptional: true } => ({ name, isOptional: true })

export const prettyOptionRows: readonly OptionRow[] = [
  { names: ['oneline'], isNegatable: false },
  { names: ['pretty'], argument: optional('format') },
  { names: ['format'], argument: { name: 'format' } },
  { names: ['abbrev-commit'] },
  { names: ['date'], argument: { name: 'format' } },
  { names: ['relative-date'], key: 'date', value: 'relative', isNegatable: false },
  { names: ['decorate'], argument: optional('style') },
  { names: ['decorate-refs'], argument: { name: 'pattern' } },
  { names: ['decorate-refs-exclude'], argument: { name: 'pattern' } },
  { names: ['clear-decorations'], isNegatable: false },
  { names: ['source'] },
  { names: ['graph'] },
  { names: ['show-signature'] },
  { names: ['notes'], argument: optional('ref') },
  { names: ['standard-notes'], key: 'notes' },
  { names: ['show-notes'], argument: optional('ref') },
  { names: ['encoding'], argument: { name: 'encoding' } },
  { names: ['encode-email-headers'] },
  { names: ['expand-tabs'], argument: optional('n') },
  { names: ['log-size'], refuses: 'sizes of messages are not built into this git' },
  { names: ['mailmap', 'use-mailmap'] },
  { names: ['follow'] },
  { names: ['full-diff'], isNegatable: false },
  { names: ['root'] },
  { names: ['m'], key: 'merge-diff', value: '-m', isNegatable: false },
  { names: ['c'], key: 'merge-diff', value: '-c', isNegatable: false },
  { names: ['cc'], key: 'merge-diff', value: '--cc', isNegatable: false },
  { names: ['diff-merges'], argument: { name: 'format' }, key: 'merge-diff' },
  { names: ['g', 'walk-reflogs'], isNegatable: false },
  { names: ['q', 'quiet'] },
  { names: ['merge'], isNegatable: false },
  { names: ['no-diff-merges'], key: 'merge-diff', value: 'off', isNegatable: false },
  { names: ['remerge-diff'], refuses: 'merging again for a diff is not built into this git; use --cc' },
]
