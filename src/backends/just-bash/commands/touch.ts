// touch: creates files and sets their timestamps.

import { failed, type CommandContext, type CommandResult } from './command.ts'
import { millisecondsOf, parseTime } from './date/parse-time.ts'
import { has, optionTable, parseArguments, valueOf } from './options.ts'
import { errno, reasonOf, namesDirectory } from '../errno.ts'

/** `touch [-c] [-d TIME | -t [[CC]YY]MMDDhhmm[.ss] | -r FILE] FILE...`. Times are in UTC. */
export async function touch(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args, {
    ...optionTable(`
      -c --no-create: no-create, -d --date: date=, -t: stamp=, -r --reference: reference=, -m: content-time, -a: access-time,
      -h --no-dereference: no-follow, --time: time=
    `),
    // It only says that an older program is meant.
    '-f': 'ignored',
  })
  if (typeof parsed === 'string') return failed('touch', parsed)
  if (parsed.operands.length === 0) return failed('touch', 'missing file operand')
  const { fs, cwd } = context
  const reference = valueOf(parsed, 'reference')
  const [date, stamp] = [valueOf(parsed, 'date'), valueOf(parsed, 'stamp')]
  if (stamp !== undefined && (reference ?? date) !== undefined)
    return failed('touch', 'cannot specify times from more than one source')
  const kind = valueOf(parsed, 'time')
  const kinds = ['atime', 'access', 'use', 'mtime', 'modify']
  if (kind !== undefined && !kinds.includes(kind))
    return failed('touch', `invalid argument '${kind}' for '--time'; valid are ${kinds.join(', ')}`)
  const isAccessOnly = (has(parsed, 'access-time') || /^(?:atime|access|use)$/.test(kind ?? '')) && !has(parsed, 'content-time')
  const isContentOnly =
    (has(parsed, 'content-time') || kind?.startsWith('m') === true) && !has(parsed, 'access-time') && !/^[au]/.test(kind ?? '')
  let timeMs: number | undefined = Date.now()
  let accessMs: number | undefined
  try {
    if (reference !== undefined) {
      const found = await fs.stat(fs.resolvePath(cwd, reference))
      timeMs = found.mtime.getTime()
      if (date === undefined) accessMs = found.atime.getTime()
    }
    if (date !== undefined) timeMs = timeOf(date, timeMs, context.env['TZ'])
    else if (stamp !== undefined) timeMs = stampOf(stamp)
  } catch (error) {
    return failed('touch', `${reference ?? ''}: ${reasonOf(error)}`)
  }
  if (timeMs === undefined)
    return failed(
      'touch',
      `invalid date '${date ?? stamp ?? ''}'; write for example '2024-01-31 12:00:00', '2 days ago' or @SECONDS`,
    )
  let stderr = ''
  for (const name of parsed.operands) {
    // It is standard output, whose time cannot be set here.
    if (name === '-') continue
    const path = fs.resolvePath(cwd, name)
    try {
      if (has(parsed, 'no-follow') && !(await fs.exists(path)) && has(parsed, 'no-create')) continue
      if (has(parsed, 'no-follow') && (await fs.lstat(path)).isSymbolicLink)
        throw new Error('the time of a link cannot be set here; without -h it is that of its target')
      if (namesDirectory(name) && (await fs.exists(path)) && !(await fs.stat(path)).isDirectory)
        throw errno('ENOTDIR', 'not a directory', name)
      if (!(await fs.exists(path))) {
        if (has(parsed, 'no-create')) continue
        if (namesDirectory(name)) throw errno('ENOENT', 'no such file or directory', name)
        await fs.writeFile(path, '')
      }
      // Devices such as /dev/null have no timestamps.
      const { atime, mtime, device } = await fs.stat(path)
      if (device !== undefined) continue
      await fs.utimes(path, isContentOnly ? atime : new Date(accessMs ?? timeMs), isAccessOnly ? mtime : new Date(timeMs))
    } catch (error) {
      stderr += `touch: cannot touch '${name}': ${reasonOf(error)}\n`
    }
  }
  return { stdout: '', stderr, exitCode: stderr === '' ? 0 : 1 }
}

function timeOf(date: string, nowMs: number, zone: string | undefined): number | undefined {
  const moment = parseTime(date, nowMs, zone)
  return moment === undefined ? undefined : millisecondsOf(moment)
}

function stampOf(text: string): number | undefined {
  const [, century = '', year = '', month, day, hour, minute, second = '00'] =
    /^(?:(\d\d)?(\d\d))?(\d\d)(\d\d)(\d\d)(\d\d)(?:\.(\d\d))?$/.exec(text) ?? []
  if (month === undefined) return undefined
  const shortYear = Number(year) < 69 ? `20${year}` : `19${year}`
  const full = year === '' ? String(new Date().getUTCFullYear()) : century === '' ? shortYear : century + year
  const time = Date.parse(`${full}-${month}-${day ?? ''}T${hour ?? ''}:${minute ?? ''}:${second}Z`)
  return Number.isNaN(time) ? undefined : time
}
