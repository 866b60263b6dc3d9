// iconv: texts from one encoding to another. UTF-8, UTF-16, UTF-32, ASCII and Latin-1 are built; other encodings are read and
// written by the platform's tables.

import { ownValue } from '../../../../core/record.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { joinBytes } from '../../../../core/bytes.ts'
import { paceOf } from '../pace.ts'
import { has, optionTable, parseArguments, valueOf } from '../options.ts'
import { complain, pathToWrite, readNamed } from '../program.ts'
import { reasonOf } from '../../errno.ts'
import { type Codec, decode } from './iconv-decode.ts'
import { encode, encodedLength, isSingleByte } from './iconv-encode.ts'

const table = optionTable(`
  -f --from-code: from=, -t --to-code: to=, -l --list: list, -c: c, -o --output: output=, -s --silent: s, --verbose: verbose
`)

const built: Readonly<Record<string, string>> = {
  utf8: 'UTF-8',
  utf16: 'UTF-16',
  utf16le: 'UTF-16LE',
  utf16be: 'UTF-16BE',
  utf32: 'UTF-32',
  utf32le: 'UTF-32LE',
  utf32be: 'UTF-32BE',
  ucs2: 'UTF-16LE',
  ucs4: 'UTF-32BE',
  ascii: 'ASCII',
  usascii: 'ASCII',
  ansix341968: 'ASCII',
  iso88591: 'ISO-8859-1',
  latin1: 'ISO-8859-1',
  l1: 'ISO-8859-1',
  cp1252: 'CP1252',
  windows1252: 'CP1252',
}

const cutMessage = 'incomplete character or shift sequence at end of buffer'

/** Names of encodings that the platform knows under another one. */
const platformNames: Readonly<Record<string, string>> = { latin2: 'iso-8859-2', latin9: 'iso-8859-15', sjis: 'shift_jis' }

export async function iconv(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, table)
  if (typeof parsed === 'string') return complain(context, 'iconv', parsed)
  if (has(parsed, 'list')) {
    await context.stdout.write(`${[...new Set(Object.values(built))].map(name => `${name}//`).join('\n')}\n`)
    return 0
  }
  const [fromName, toName] = [valueOf(parsed, 'from') ?? 'UTF-8', valueOf(parsed, 'to') ?? 'UTF-8']
  const [from, to] = [codecOf(fromName), codecOf(toName)]
  if (from === undefined || to === undefined) {
    const wrong = from === undefined ? `conversion from '${fromName}'` : `conversion to '${toName}'`
    return complain(context, 'iconv', `${wrong} is not supported`)
  }
  if (typeof to !== 'string' && !isSingleByte(to))
    return complain(context, 'iconv', `conversion to '${toName}' is not available here; use UTF-8 or UTF-16`)
  const modifiers = toName.toUpperCase().split('/')
  const drops = has(parsed, 'c') || modifiers.includes('IGNORE')
  const replaces = modifiers.includes('TRANSLIT')
  const way = { drops, replaces }
  const pace = paceOf(context.signal)
  const parts: Uint8Array[] = []
  let code = 0
  for (const name of parsed.operands.length === 0 ? ['-'] : parsed.operands) {
    let bytes: Uint8Array
    try {
      bytes = await readNamed(context, name)
    } catch (error) {
      code = await complain(context, 'iconv', `cannot open input file '${name}': ${reasonOf(error)}`)
      continue
    }
    const decoded = await decode(bytes, from, pace)
    const encoded = await encode(decoded.text, to, way, pace)
    const stop = decoded.isWhole ? encoded.stop : (encoded.stop ?? decoded.text.length)
    if (!decoded.isWhole && drops) {
      const valid = await decode(bytes, from, pace, true)
      const { bytes: left } = await encode(valid.text, to, way, pace)
      parts.push(left)
      if (valid.isCut) {
        await context.stdout.write(joinBytes(parts))
        return complain(context, 'iconv', cutMessage)
      }
      if (left.length === 0) code = 1
      continue
    }
    parts.push(encoded.bytes)
    if (stop !== undefined) {
      await context.stdout.write(joinBytes(parts))
      const position = await encodedLength(decoded.text.slice(0, stop), from, pace)
      return complain(
        context,
        'iconv',
        encoded.stop === undefined && decoded.isCut ? cutMessage : `illegal input sequence at position ${position}`,
      )
    }
    // With //IGNORE a dropped character is an error. With -c it is one only if nothing is left.
    if (encoded.hasDropped && (!has(parsed, 'c') || encoded.bytes.length === 0)) code = 1
  }
  const result = joinBytes(parts)
  const output = valueOf(parsed, 'output')
  if (output === undefined) await context.stdout.write(result)
  else
    try {
      await context.files.writeFile(pathToWrite(context, output), result)
    } catch (error) {
      return complain(context, 'iconv', `unable to open output file: ${reasonOf(error)}`)
    }
  return code
}

function codecOf(given: string): Codec | undefined {
  const name = given.replace(/\/.*$/, '')
  const key = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')
  const known = ownValue(built, key === '' ? 'utf8' : key)
  if (known !== undefined) return known
  try {
    return new TextDecoder(ownValue(platformNames, key) ?? name.toLowerCase(), { fatal: true, ignoreBOM: true })
  } catch {
    // The platform names code pages with another prefix.
  }
  try {
    const page = /^(?:cp|windows)(125\d|874)$/.exec(key)?.[1]
    return page === undefined ? undefined : new TextDecoder(`windows-${page}`, { fatal: true, ignoreBOM: true })
  } catch {
    return undefined
  }
}
