// The trailers of a message: the lines `Key: value` in its last paragraph.

import { boolOf } from '../store/config.ts'

const generatedBeginnings = ['Signed-off-by: ', '(cherry picked from commit ']

export interface Trailer {
  /** '' for a line of the block that is not a trailer. */
  readonly key: string
  readonly value: string
  readonly text: string
}

/** Where the key of a trailer ends; -1 for another line. */
function colonOf(line: string): number {
  return /^[A-Za-z0-9-]+[ \t]*:/.exec(line)?.[0].lastIndexOf(':') ?? -1
}

/** The block of trailers as it stands; '' if there is none. */
export function trailerBlock(message: string): string {
  const lines = message.trimEnd().split('\n')
  const titleEnd = lines.findIndex(line => line.trim() === '')
  let [trailers, others, continued] = [0, 0, 0]
  let isGenerated = false
  for (let at = lines.length - 1; at >= titleEnd && titleEnd !== -1; at--) {
    const line = lines[at] ?? ''
    if (line.startsWith('#')) {
      others += continued
      continued = 0
    } else if (line.trim() === '') {
      others += continued
      const isBlock = (isGenerated && trailers * 3 >= others) || (trailers > 0 && others === 0)
      return isBlock
        ? lines
            .slice(at + 1)
            .map(own => `${own}\n`)
            .join('')
        : ''
    } else if (generatedBeginnings.some(beginning => line.startsWith(beginning))) {
      trailers++
      continued = 0
      isGenerated = true
    } else if (colonOf(line) >= 1) {
      trailers++
      continued = 0
    } else if (/^\s/.test(line)) continued++
    else {
      others += continued + 1
      continued = 0
    }
  }
  return ''
}

export function trailersOf(message: string): readonly Trailer[] {
  return trailersIn(trailerBlock(message))
}

/** Lines that begin with a blank go on with the trailer before them. */
export function trailersIn(block: string): readonly Trailer[] {
  const texts: string[] = []
  for (const line of block.split(/(?<=\n)/)) {
    const before = texts.at(-1)
    if (/^\s/.test(line) && before !== undefined && colonOf(before) >= 1) texts[texts.length - 1] = before + line
    else texts.push(line)
  }
  return texts.map(text => {
    const colon = colonOf(text)
    return colon < 1
      ? { key: '', value: '', text }
      : { key: text.slice(0, colon).trim(), value: text.slice(colon + 1).trim(), text }
  })
}

interface TrailerForm {
  readonly keys: readonly string[]
  readonly isOnly: boolean
  readonly unfolds: boolean
  readonly shows: 'both' | 'key' | 'value' | 'neither'
  readonly separator: string | undefined
  readonly keySeparator: string | undefined
}

const expanded = (text: string): string =>
  text.replaceAll(/%(?:x([0-9a-fA-F]{2})|n|%)/g, (whole, code?: string) =>
    code === undefined ? (whole === '%n' ? '\n' : '%') : String.fromCharCode(Number.parseInt(code, 16)),
  )

/** `undefined` if an option is unknown. */
function formOf(options: string): TrailerForm | undefined {
  const keys: string[] = []
  let [isOnly, unfolds, isKeyOnly, isValueOnly] = [undefined as boolean | undefined, false, false, false]
  let [separator, keySeparator] = [undefined as string | undefined, undefined as string | undefined]
  for (const option of options === '' ? [] : options.split(',')) {
    const [, name = '', value] = /^([a-z_]+)(?:=(.*))?$/s.exec(option) ?? []
    const isOn = value === undefined ? true : boolOf(value)
    if (name === 'key' && value !== undefined) keys.push(value.replace(/:$/, '').toLowerCase())
    else if (name === 'separator' && value !== undefined) separator = expanded(value)
    else if (name === 'key_value_separator' && value !== undefined) keySeparator = expanded(value)
    else if (isOn === undefined) return undefined
    else if (name === 'only') isOnly = isOn
    else if (name === 'unfold') unfolds = isOn
    else if (name === 'keyonly') isKeyOnly = isOn
    else if (name === 'valueonly') isValueOnly = isOn
    else return undefined
  }
  return {
    keys,
    isOnly: isOnly ?? keys.length > 0,
    unfolds,
    shows: isValueOnly ? (isKeyOnly ? 'neither' : 'value') : isKeyOnly ? 'key' : 'both',
    separator,
    keySeparator,
  }
}

/** What `%(trailers:…)` shows; `undefined` if an option is unknown. */
export function shownTrailers(message: string, options: string): string | undefined {
  const form = formOf(options)
  if (form === undefined) return undefined
  const { keys, isOnly, unfolds, shows, separator, keySeparator } = form
  const isPlain = keys.length === 0 && !isOnly && !unfolds && shows === 'both' && separator === undefined
  if (isPlain && keySeparator === undefined) return trailerBlock(message)
  let result = ''
  for (const { key, value, text } of trailersOf(message)) {
    if (key === '' && isOnly) continue
    if (key !== '' && keys.length > 0 && !keys.includes(key.toLowerCase())) continue
    if (separator !== undefined && result !== '') result += separator
    if (key === '') {
      result += separator === undefined ? text : text.trimEnd()
      continue
    }
    const shownValue = unfolds ? value.replaceAll(/\s*\n\s*/g, ' ') : value
    if (shows === 'both') result += `${key}${keySeparator ?? ': '}${shownValue}`
    else if (shows !== 'neither') result += shows === 'key' ? key : shownValue
    if (separator === undefined) result += '\n'
  }
  return result
}
