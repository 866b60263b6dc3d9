// The options of a series of cherry-picks or reverts, which `sequencer/opts` keeps for `--continue` and `--skip`.

import { encodeText } from '../../shell/byte-text.ts'
import { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { parseConfig } from '../store/config.ts'
import { readState } from './merge-state.ts'

/** Names in the file and of the options, in git's order. */
const names = [
  ['no-commit', 'no-commit'],
  ['edit', 'edit'],
  ['allow-empty', 'allow-empty'],
  ['allow-empty-message', 'allow-empty-message'],
  ['keep-redundant-commits', 'keep-redundant-commits'],
  ['signoff', 'signoff'],
  ['record-origin', 'x'],
  ['allow-ff', 'ff'],
  ['mainline', 'mainline'],
  ['strategy-option', 'strategy-option'],
] as const

/** The text of the file; empty for a series without options. */
export function sequenceOptionsText(options: Options): string {
  const rows = names.flatMap(([name, key]) => {
    if (key === 'mainline' || key === 'strategy-option') return options.values(key).map(value => `\t${name} = ${value}\n`)
    if (key === 'edit' && options.isNegated(key)) return ['\tedit = false\n']
    const isOn = options.has(key) || (key === 'allow-empty' && options.has('keep-redundant-commits'))
    return isOn ? [`\t${name} = true\n`] : []
  })
  return rows.length === 0 ? '' : `[options]\n${rows.join('')}`
}

/** With the options that the series began with. */
export async function withSequenceOptions(repository: Repository, options: Options): Promise<Options> {
  const text = await readState(repository, 'sequencer/opts')
  if (text === undefined) return options
  const kept = parseConfig(encodeText(text), 'sequencer/opts', 'local').entries.flatMap(({ name, value }) => {
    const key = names.find(([own]) => `options.${own}` === name)?.[1]
    return key === undefined ? [] : [{ key, value, isNegated: value === 'false' }]
  })
  return new Options([...kept, ...options.given], options.words, options.paths)
}
