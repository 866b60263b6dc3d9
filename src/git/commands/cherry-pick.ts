// `git cherry-pick` and `git revert`.

import type { GitCall } from '../call.ts'
import { GitFailure } from '../errors.ts'
import { isRange, pickedCommits } from '../merge/picked-commits.ts'
import { conflictStyle, type ReplayKind, strategyOptions } from '../merge/replay.ts'
import { sequenceOptionsText, withSequenceOptions } from '../merge/sequence-options.ts'
import { Sequencer } from '../merge/sequencer.ts'
import type { OptionRow, Options } from '../options.ts'
import type { GitCommand } from './command.ts'

const commonRows: readonly OptionRow[] = [
  { names: ['quit'], isNegatable: false },
  { names: ['continue'], isNegatable: false },
  { names: ['abort'], isNegatable: false },
  { names: ['skip'], isNegatable: false },
  { names: ['cleanup'], argument: { name: 'mode' }, refuses: 'it is not built into this git' },
  { names: ['n', 'no-commit'], isNegatable: false },
  { names: ['e', 'edit'] },
  { names: ['s', 'signoff'] },
  { names: ['m', 'mainline'], argument: { name: 'parent-number' } },
  { names: ['rerere-autoupdate'], isIgnored: true },
  { names: ['strategy'], argument: { name: 'strategy' }, accepts: ['ort', 'recursive'], isIgnored: true },
  { names: ['X', 'strategy-option'], argument: { name: 'option' } },
  { names: ['S', 'gpg-sign'], argument: { name: 'key-id', isOptional: true }, refuses: 'signing is not built into this git' },
]

export const cherryPick: GitCommand = {
  name: 'cherry-pick',
  summary: 'Apply the changes introduced by some existing commits',
  options: {
    rows: [
      ...commonRows,
      { names: ['x'] },
      { names: ['ff'] },
      { names: ['allow-empty'] },
      { names: ['allow-empty-message'] },
      { names: ['keep-redundant-commits'] },
    ],
    usage: 'git cherry-pick [<options>] <commit>...\n   or: git cherry-pick (--continue | --skip | --abort | --quit)',
  },
  run: (call, options) => sequence(call, options, 'cherry-pick'),
}

export const revert: GitCommand = {
  name: 'revert',
  summary: 'Revert some existing commits',
  options: {
    rows: [...commonRows, { names: ['reference'] }],
    usage: 'git revert [<options>] <commit>...\n   or: git revert (--continue | --skip | --abort | --quit)',
  },
  run: (call, options) => sequence(call, options, 'revert'),
}

async function sequence(call: GitCall, given: Options, kind: ReplayKind): Promise<number> {
  const repository = await call.repository()
  const options = given.has('continue') || given.has('skip') ? await withSequenceOptions(repository, given) : given
  const sequencer = new Sequencer(call, repository, {
    ...strategyOptions(options.values('strategy-option')),
    style: conflictStyle(repository),
    kind,
    mainline: options.number('mainline'),
    isCommitted: !options.has('no-commit'),
    namesOrigin: options.has('x'),
    signsOff: options.has('signoff'),
    allowsEmptyMessage: options.has('allow-empty-message'),
    allowsEmpty: options.has('allow-empty') || options.has('keep-redundant-commits'),
    keepsRedundant: options.has('keep-redundant-commits'),
    isForwarded: options.has('ff'),
    isReference: kind === 'revert' && (options.has('reference') || repository.config().bool('revert.reference', false)),
    text: sequenceOptionsText(options),
  })
  if (options.has('continue')) return sequencer.continue()
  if (options.has('skip')) return sequencer.skip()
  if (options.has('abort')) return sequencer.abort()
  if (options.has('quit')) return sequencer.quit()
  const words = [...options.words, ...(options.paths ?? [])]
  if (words.length === 0) {
    const command = kind === 'revert' ? revert : cherryPick
    throw new GitFailure(`usage: ${command.options.usage}\n`, 129)
  }
  return sequencer.start(await pickedCommits(repository, words, kind === 'cherry-pick'), words.length > 1 || words.some(isRange))
}
