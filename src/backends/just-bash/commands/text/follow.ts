// tail -f: prints what is added to files, until it is ended.

import { BrokenPipeError, type ShellCommandContext } from '../../../../shell/commands.ts'
import { durationMs } from '../duration.ts'
import { has, valueOf, type Arguments } from '../options.ts'
import { complain, pathOf, statIfThere } from '../program.ts'
import { letOthersRun } from '../stop.ts'

/** The time between two looks at the files, if none is given. */
const defaultIntervalMs = 100

interface Followed {
  readonly name: string
  readonly path: string
  /** How much of it was printed; `undefined` while it is not there. */
  printedBytes: number | undefined
}

/** Whether the options ask for it, and what about them is not available. */
export function followRequest(parsed: Arguments): 'no' | 'yes' | { readonly problem: string } {
  const isWanted = has(parsed, 'follow') || has(parsed, 'follow-name') || has(parsed, 'follow-by')
  if (!isWanted) return 'no'
  const by = valueOf(parsed, 'follow-by') ?? ''
  if (!['', 'name', 'descriptor'].includes(by))
    return { problem: `invalid argument '${by}' for '--follow'; give name or descriptor` }
  if ((has(parsed, 'follow-name') || by === 'name') && (parsed.operands.length === 0 || parsed.operands.includes('-')))
    return { problem: "cannot follow '-' by name" }
  if (has(parsed, 'pid')) return { problem: '--pid is not available here; end tail with timeout or kill' }
  const interval = valueOf(parsed, 'interval')
  if (interval !== undefined && durationMs(interval) === undefined) return { problem: `invalid number of seconds: '${interval}'` }
  return 'yes'
}

/** Prints additions to the files `names`, of which `printed` bytes were printed. Ends with an exit code only if no file is left. */
export async function follow(
  context: ShellCommandContext,
  parsed: Arguments,
  printed: ReadonlyMap<string, number>,
): Promise<number> {
  const waits = has(parsed, 'follow-name') || has(parsed, 'retry')
  const files: Followed[] = parsed.operands
    .filter(name => name !== '-')
    .map(name => ({ name, path: pathOf(context, name), printedBytes: printed.get(name) }))
    .filter(({ printedBytes }) => waits || printedBytes !== undefined)
  if (files.length === 0) return parsed.operands.some(name => name !== '-') ? complain(context, 'tail', 'no files remaining') : 0
  const hasTitles = !has(parsed, 'quiet') && (has(parsed, 'verbose') || parsed.operands.length > 1)
  let last = files.findLast(({ printedBytes }) => printedBytes !== undefined)
  const intervalMs = Math.max(durationMs(valueOf(parsed, 'interval') ?? '') ?? defaultIntervalMs, 10)
  for (;;) {
    await letOthersRun(context.signal)
    // Ends when the reader of a pipe has ended, although nothing is added.
    if (context.stdout.isBroken?.() === true) throw new BrokenPipeError()
    for (const file of files) {
      const added = await additionOf(file, context)
      if (added === undefined || added.length === 0) continue
      if (hasTitles && last !== file) await context.stdout.write(`\n==> ${file.name} <==\n`)
      last = file
      await context.stdout.write(added)
    }
    await pause(intervalMs, context.signal)
  }
}

async function additionOf(file: Followed, context: ShellCommandContext): Promise<Uint8Array | undefined> {
  const stat = await statIfThere(context, file.path)
  if (stat === undefined || stat.kind === 'directory') {
    if (file.printedBytes !== undefined)
      await complain(context, 'tail', `'${file.name}' has become inaccessible: No such file or directory`)
    file.printedBytes = undefined
    return undefined
  }
  if (file.printedBytes === undefined) {
    await complain(context, 'tail', `'${file.name}' has appeared;  following new file`)
    file.printedBytes = 0
  }
  if (stat.sizeBytes < file.printedBytes) {
    await complain(context, 'tail', `${file.name}: file truncated`)
    file.printedBytes = 0
  }
  if (stat.sizeBytes === file.printedBytes) return undefined
  const added = await context.files.readFile(file.path, { start: file.printedBytes })
  file.printedBytes += added.length
  return added
}

/** Waits, or until the command is ended. */
function pause(timeMs: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, timeMs)
    signal.addEventListener('abort', done, { once: true })
    if (signal.aborted) done()
  })
}
