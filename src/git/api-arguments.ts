// The arguments of the functions for hosts, so that a wrong one is named before any command runs.

import type { ArgumentKind } from '../core/argument.ts'
import type { Git, GitStashes } from './api-types.ts'

const plain = ['signal']
const transfer = [...plain, 'onProgress']
const diff = [...plain, 'staged', 'from', 'to', 'paths']

type Kinds<F> = { readonly [K in keyof F]: readonly ArgumentKind[] }

export const logArguments: readonly ArgumentKind[] = [[...plain, 'from', 'count', 'skip', 'paths']]

export const gitArguments: Kinds<Omit<Git, 'log' | 'stash'>> = {
  run: ['texts', transfer],
  status: [plain],
  show: ['text?', plain],
  readFile: ['text', 'text', plain],
  diff: [diff],
  diffFiles: [diff],
  blame: ['text', [...plain, 'revision', 'firstLine', 'lastLine']],
  stage: ['texts', plain],
  unstage: ['texts', plain],
  commit: ['text', [...plain, 'amend']],
  branches: [plain],
  switch: ['text', [...plain, 'create']],
  restore: ['texts', [...plain, 'source']],
  merge: ['text', [...plain, 'message', 'fastForward', 'squash']],
  abortMerge: [plain],
  clone: ['text', [...transfer, 'branch', 'depth']],
  fetch: [[...transfer, 'remote', 'prune', 'depth']],
  push: [[...transfer, 'remote', 'references', 'setUpstream', 'force']],
  watch: ['function'],
}

export const stashArguments: Kinds<GitStashes> = {
  save: [[...plain, 'message', 'untracked', 'keepIndex', 'paths']],
  list: [plain],
  apply: ['number?', [...plain, 'index']],
  pop: ['number?', [...plain, 'index']],
  drop: ['number?', plain],
}
