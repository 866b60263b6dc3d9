// How a merge is compared with its parents: `--diff-merges`, `-m`, `-c`, `--cc`, `--first-parent` and `log.diffMerges`.

import { ownValue } from '../../core/record.ts'
import { fatal } from '../errors.ts'
import type { Options } from '../options.ts'
import type { Config } from '../store/config.ts'

/** How to compare a merge with its parents. */
export type MergeDiff = 'separate' | 'first-parent' | 'combined' | 'dense'

const mergeDiffs: Readonly<Record<string, MergeDiff | 'off'>> = {
  off: 'off',
  none: 'off',
  separate: 'separate',
  1: 'first-parent',
  'first-parent': 'first-parent',
  // The options themselves, which ask for a patch where `--diff-merges` does not.
  '-c': 'combined',
  '--cc': 'dense',
  c: 'combined',
  combined: 'combined',
  cc: 'dense',
  'dense-combined': 'dense',
}

function mergeDiffOf(text: string): MergeDiff | 'off' {
  const found = ownValue(mergeDiffs, text)
  if (found !== undefined) return found
  if (text === 'remerge' || text === 'r') throw fatal('merging again for a diff is not built into this git; use --cc')
  throw fatal(`invalid value for '--diff-merges': '${text}'`)
}

/** `log.diffMerges`: what `-m` and `--diff-merges=on` stand for. */
function usualMergeDiff(config: Config): MergeDiff | 'off' {
  const name = 'log.diffmerges'
  const setting = config.get(name)
  if (setting === undefined || setting === 'on' || setting === 'm') return 'separate'
  const found = ownValue(mergeDiffs, setting)
  if (found !== undefined) return found
  if (setting === 'remerge' || setting === 'r')
    throw fatal('log.diffMerges: merging again for a diff is not built into this git; use -c log.diffMerges=cc')
  throw config.bad(name)
}

function givenMergeDiff(given: string, config: Config): MergeDiff | 'off' {
  return given === 'on' || given === 'm' || given === '-m' ? usualMergeDiff(config) : mergeDiffOf(given)
}

/** A comparison with single parents keeps merges that one parent explains. */
export function keepsExplainedMerges(options: Options, config: Config): boolean {
  return options.values('merge-diff').some(given => /^(?:separate|first-parent)$/.test(givenMergeDiff(given, config)))
}

/** `undefined` if merges show no differences. `whatchanged` compares merges with all parents, also with `--first-parent`. */
export function chosenMergeDiff(
  options: Options,
  config: Config,
  kind: 'log' | 'show' | 'whatchanged' | 'diff-tree',
): MergeDiff | undefined {
  const given = options.value('merge-diff')
  const chosen = givenMergeDiff(given ?? 'on', config)
  if (given !== undefined && chosen === 'off') return undefined
  const isFirstParent = kind !== 'whatchanged' && options.has('first-parent')
  if (isFirstParent && (given === undefined || chosen === 'separate')) return 'first-parent'
  if (given !== undefined && chosen !== 'off') return chosen
  return kind === 'show' ? 'dense' : undefined
}
