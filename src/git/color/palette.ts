// Colors as terminal sequences: the words that name them, and the setting of each thing that is colored.

import { ownValue } from '../../core/record.ts'
import type { Config } from '../store/config.ts'

const escape = '\u001B['
export const resetColor: string = `${escape}m`

const colorNames = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'] as const
const attributes: Readonly<Record<string, readonly [on: number, off: number]>> = {
  bold: [1, 22],
  dim: [2, 22],
  italic: [3, 23],
  ul: [4, 24],
  blink: [5, 25],
  reverse: [7, 27],
  strike: [9, 29],
}

/** The sequence for words such as `bold red`; `undefined` if a word names nothing. */
export function parseColor(text: string): string | undefined {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean)
  let isReset = false
  const codes = new Set<number>()
  const grounds: (string | undefined)[] = []
  for (const word of words) {
    if (word === 'reset') {
      isReset = true
      continue
    }
    const [, no, name = ''] = /^(no-?)?(.*)$/.exec(word) ?? []
    const code = ownValue(attributes, name)?.[no === undefined ? 0 : 1]
    if (code !== undefined) {
      codes.add(code)
      continue
    }
    const ground = groundOf(word, grounds.length === 0 ? 30 : 40)
    if (ground === undefined || grounds.length === 2) return undefined
    grounds.push(ground)
  }
  const parts = [...[...codes].sort((a, b) => a - b).map(String), ...grounds.filter(ground => ground !== '')]
  if (!isReset && parts.length === 0) return ''
  return `${escape}${isReset && parts.length > 0 ? ';' : ''}${parts.join(';')}m`
}

/** The part of a sequence for one color; '' for `normal`. `base` is 30 for text and 40 for what is behind it. */
function groundOf(word: string, base: 30 | 40): string | undefined {
  if (word === 'normal' || word === '-1') return ''
  if (word === 'default') return String(base + 9)
  const [, bright, name = ''] = /^(bright)?(.*)$/.exec(word) ?? []
  const at = colorNames.findIndex(known => known === name)
  if (at !== -1) return String(base + at + (bright === undefined ? 0 : 60))
  const [, red = '', green = '', blue = ''] = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/.exec(word) ?? []
  if (red !== '') return [base + 8, 2, ...[red, green, blue].map(part => Number.parseInt(part, 16))].join(';')
  const number = /^\d{1,3}$/.test(word) ? Number(word) : 256
  if (number > 255) return undefined
  if (number < 8) return String(base + number)
  return number < 16 ? String(base + 60 + number - 8) : `${base + 8};5;${number}`
}

const red = `${escape}31m`
const green = `${escape}32m`
const bold = (digit: number): string => `${escape}1;3${digit}m`

export type ColorSlot =
  | 'diff.meta'
  | 'diff.frag'
  | 'diff.func'
  | 'diff.context'
  | 'diff.old'
  | 'diff.new'
  | 'diff.commit'
  | 'diff.whitespace'
  | 'decorate.branch'
  | 'decorate.remotebranch'
  | 'decorate.tag'
  | 'decorate.stash'
  | 'decorate.head'
  | 'decorate.grafted'
  | 'branch.current'
  | 'branch.local'
  | 'branch.remote'
  | 'branch.upstream'
  | 'branch.worktree'
  | 'status.header'
  | 'status.added'
  | 'status.changed'
  | 'status.untracked'
  | 'status.unmerged'
  | 'status.branch'
  | 'status.nobranch'
  | 'status.localbranch'
  | 'status.remotebranch'
  | 'grep.match'
  | 'grep.filename'
  | 'grep.linenumber'
  | 'grep.column'
  | 'grep.separator'
  | 'grep.selected'
  | 'grep.context'

const usualColors: Readonly<Record<ColorSlot, string>> = {
  'diff.meta': `${escape}1m`,
  'diff.frag': `${escape}36m`,
  'diff.func': '',
  'diff.context': '',
  'diff.old': red,
  'diff.new': green,
  'diff.commit': `${escape}33m`,
  'diff.whitespace': `${escape}41m`,
  'decorate.branch': bold(2),
  'decorate.remotebranch': bold(1),
  'decorate.tag': bold(3),
  'decorate.stash': bold(5),
  'decorate.head': bold(6),
  'decorate.grafted': bold(4),
  'branch.current': green,
  'branch.local': '',
  'branch.remote': red,
  'branch.upstream': `${escape}34m`,
  'branch.worktree': `${escape}36m`,
  'status.header': '',
  'status.added': green,
  'status.changed': red,
  'status.untracked': red,
  'status.unmerged': red,
  'status.branch': '',
  'status.nobranch': red,
  'status.localbranch': green,
  'status.remotebranch': red,
  'grep.match': bold(1),
  'grep.filename': `${escape}35m`,
  'grep.linenumber': green,
  'grep.column': green,
  'grep.separator': `${escape}36m`,
  'grep.selected': '',
  'grep.context': '',
}

const otherNames: Readonly<Partial<Record<ColorSlot, readonly string[]>>> = {
  'diff.context': ['diff.plain'],
  'status.added': ['status.updated'],
  'grep.match': ['grep.matchselected'],
}

export class Palette {
  readonly #config: Config
  readonly #found = new Map<ColorSlot, string>()

  constructor(config: Config) {
    this.#config = config
  }

  /** The sequence before a thing; '' for none. */
  of(slot: ColorSlot): string {
    let found = this.#found.get(slot)
    if (found === undefined) {
      const name = [slot, ...(otherNames[slot] ?? [])].map(own => `color.${own}`).find(own => this.#config.has(own))
      found = name === undefined ? usualColors[slot] : colorSetting(this.#config, name)
      this.#found.set(slot, found)
    }
    return found
  }

  paint(slot: ColorSlot, text: string): string {
    const color = this.of(slot)
    return color === '' || text === '' ? text : color + text + resetColor
  }

  /** The colors of a graph's columns, in turn. */
  graph(): readonly string[] {
    const setting = this.#config.get('log.graphcolors')
    if (setting === undefined) return [...[1, 2, 3, 4, 5, 6].map(digit => `${escape}3${digit}m`), ...[1, 2, 3, 4, 5, 6].map(bold)]
    return setting.split(',').flatMap(text => parseColor(text) ?? [])
  }
}

function colorSetting(config: Config, name: string): string {
  const text = config.get(name)
  const color = text === undefined ? undefined : parseColor(text)
  if (color === undefined) throw config.bad(name, `error: invalid color value: ${text ?? ''}`)
  return color
}
