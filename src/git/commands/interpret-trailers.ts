// `git interpret-trailers`: reads, adds and replaces lines such as `Signed-off-by:` at the end of messages.

import { decodeText, encodeText } from '../../shell/byte-text.ts'
import { failure, fatal } from '../errors.ts'
import { Changes } from '../changes.ts'
import type { Options } from '../options.ts'
import { type Trailer, trailerBlock, trailersIn } from '../revs/trailers.ts'
import type { GitCommand } from './command.ts'

const wheres = ['end', 'start', 'after', 'before']
const existing = ['addIfDifferentNeighbor', 'addIfDifferent', 'add', 'replace', 'doNothing']
const missing = ['add', 'doNothing']

interface Added {
  readonly key: string
  readonly value: string
  readonly where: string
  readonly ifExists: string
  readonly ifMissing: string
}

export const interpretTrailers: GitCommand = {
  name: 'interpret-trailers',
  summary: 'Add or parse structured information in commit messages',
  options: {
    rows: [
      { names: ['in-place'] },
      { names: ['where'], argument: { name: 'placement' }, accepts: wheres },
      { names: ['if-exists'], argument: { name: 'action' }, accepts: existing },
      { names: ['if-missing'], argument: { name: 'action' }, accepts: missing },
      { names: ['only-trailers'] },
      { names: ['only-input'] },
      { names: ['unfold'] },
      { names: ['parse'], isNegatable: false },
      { names: ['no-divider'], isNegatable: false },
      { names: ['trailer'], argument: { name: 'trailer' } },
    ],
    usage: 'git interpret-trailers [<options>] [(--trailer <token>[(=|:)<value>])...] [<file>...]',
  },
  async run(call, options) {
    const config = await call.config()
    const setting = config.entries.find(({ name }) => name.startsWith('trailer.'))
    if (setting !== undefined) throw failure(`${setting.name}: settings of trailers are not built into this git`, 129)
    const added = addedTrailers(options)
    const names = options.all
    if (options.has('in-place') && names.length === 0) throw fatal('no input file given for in-place editing')
    for (const name of names.length === 0 ? [undefined] : names) {
      const { files, cwd } = call.environment
      const path = name === undefined || name.startsWith('/') ? (name ?? '') : `${cwd}/${name}`
      const bytes = name === undefined ? await call.inputBytes() : await files.read(path)
      if (bytes === undefined) throw fatal(`could not read input file '${name ?? ''}': No such file or directory`)
      const result = interpreted(decodeText(bytes), options, added)
      if (!options.has('in-place')) {
        await call.out.write(result)
        continue
      }
      const changes = new Changes()
      changes.write(path, encodeText(result))
      await changes.commit(files, call.environment.signal)
    }
    return 0
  },
}

/** `--where`, `--if-exists` and `--if-missing` apply to the trailers after them. */
function addedTrailers(options: Options): readonly Added[] {
  const placed: Record<string, string | undefined> = {}
  const found: Added[] = []
  for (const { key: option, value, isNegated } of options.given) {
    if (option !== 'trailer') placed[option] = isNegated ? undefined : value
    else if (isNegated) found.length = 0
    else found.push(readTrailer(value ?? '', placed))
  }
  if (found.length > 0 && (options.has('only-input') || options.has('parse')))
    throw fatal('--trailer with --only-input does not make sense')
  return found
}

function readTrailer(text: string, placed: Readonly<Record<string, string | undefined>>): Added {
  const at = text.search(/[:=]/)
  const key = (at === -1 ? text : text.slice(0, at)).trim()
  if (key === '') throw failure(`empty trailer token in trailer '${text}'`, 129)
  return {
    key,
    value: at === -1 ? '' : text.slice(at + 1).trim(),
    where: placed['where'] ?? 'end',
    ifExists: placed['if-exists'] ?? 'addIfDifferentNeighbor',
    ifMissing: placed['if-missing'] ?? 'add',
  }
}

function interpreted(text: string, options: Options, added: readonly Added[]): string {
  const unfolds = options.has('parse') || options.has('unfold')
  const isOnly = options.has('parse') || options.has('only-trailers')
  const message = text.slice(0, endOfMessage(text, options.has('no-divider')))
  const block = trailerBlock(message)
  const rows = block === '' ? [] : [...trailersIn(block)]
  for (const trailer of added) place(rows, trailer)
  const shown = rows
    .filter(({ key }) => key !== '' || !isOnly)
    .map(({ key, value, text: line }) =>
      key === '' ? line : `${key}: ${unfolds ? value.replaceAll(/\s*\n\s*/g, ' ') : value}\n`,
    )
    .join('')
  if (isOnly) return shown
  const before = message.slice(0, message.length - (block !== '' && !message.endsWith('\n') ? block.length - 1 : block.length))
  return `${before}${/(?:^|\n)\n$/.test(before) ? '' : '\n'}${shown}${text.slice(message.length)}`
}

/** A patch, comments and blank lines may follow the message. */
function endOfMessage(text: string, isWhole: boolean): number {
  const patch = isWhole ? -1 : text.search(/^---\s/m)
  const lines = (patch === -1 ? text : text.slice(0, patch)).split(/(?<=\n)/)
  while (/^(?:#|\s*$)/.test(lines.at(-1) ?? 'x')) lines.pop()
  return lines.join('').length
}

function place(rows: Trailer[], { key, value, where, ifExists, ifMissing }: Added): void {
  const isAfter = where === 'end' || where === 'after'
  const isSame = (row: Trailer | undefined): boolean => row?.key.toLowerCase() === key.toLowerCase()
  const isEqual = (row: Trailer | undefined): boolean => isSame(row) && row?.value === value
  const row: Trailer = { key, value, text: `${key}: ${value}\n` }
  const on = isAfter ? rows.findLastIndex(isSame) : rows.findIndex(isSame)
  const add = (): void => {
    if (where === 'end') rows.push(row)
    else if (where === 'start') rows.unshift(row)
    else if (on === -1) rows.splice(isAfter ? rows.length : 0, 0, row)
    else rows.splice(isAfter ? on + 1 : on, 0, row)
  }
  if (on === -1) {
    if (ifMissing === 'add') add()
    return
  }
  if (ifExists === 'doNothing') return
  if (ifExists === 'replace') {
    const replaced = rows[on]
    add()
    rows.splice(
      rows.findIndex(own => own === replaced),
      1,
    )
    return
  }
  const neighbor = where === 'end' ? rows.at(-1) : where === 'start' ? rows[0] : rows[on]
  if (ifExists === 'addIfDifferent' && rows.some(isEqual)) return
  if (ifExists === 'addIfDifferentNeighbor' && isEqual(neighbor)) return
  add()
}
