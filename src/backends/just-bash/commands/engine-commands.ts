// The commands that are added to the interpreter: ours, each loaded when it is first called, and those of the host, which run beside the
// files.

import type { ResolvedCommandContext } from 'just-bash/browser'
import type { JustBashFs } from '../../../vfs/facades/just-bash.ts'
import type { Deadlines } from '../deadlines.ts'
import { latin1Bytes, latin1Text } from '../encoding.ts'
import type { EngineCommand } from '../protocol.ts'
import { withoutPipedMark } from '../piped-input.ts'
import { markedNames, unmarked } from '../terminal-mark.ts'
import type { CommandContext, CommandResult, OwnCommand } from './command.ts'
import { streamed } from './streamed.ts'

/** In the form that `Bash` takes. */
export interface CustomCommand {
  readonly name: string
  readonly execute: (args: string[], context: ResolvedCommandContext) => Promise<CommandResult>
}

const ownCommands: readonly OwnCommand[] = [
  // Only so that what they run can be shown while it runs.
  { name: 'bash', run: (args, context) => context.original(args) },
  { name: 'sh', run: (args, context) => context.original(args) },
  { name: 'awk', run: async (args, context) => streamed((await import('./awk/awk.ts')).awk, args, context) },
  { name: 'cmp', run: async (args, context) => (await import('./text/cmp.ts')).cmp(args, context) },
  { name: 'cp', run: async (args, context) => (await import('./files.ts')).cp(args, context) },
  { name: 'cut', run: async (args, context) => (await import('./text/cut.ts')).cut(args, context) },
  { name: 'date', run: async (args, context) => (await import('./date/date.ts')).date(args, context) },
  { name: 'dd', run: async (args, context) => (await import('./dd.ts')).dd(args, context) },
  { name: 'diff', run: async (args, context) => (await import('./text/diff.ts')).diff(args, context) },
  { name: 'echo', run: async (args, context) => (await import('./text/byte-escapes.ts')).withByteEscapes('echo', args, context) },
  { name: 'egrep', run: async (args, context) => (await import('./text/grep.ts')).grep('egrep', args, context) },
  { name: 'fgrep', run: async (args, context) => (await import('./text/grep.ts')).grep('fgrep', args, context) },
  { name: 'find', run: async (args, context) => (await import('./find/find.ts')).find(args, context) },
  { name: 'grep', run: async (args, context) => (await import('./text/grep.ts')).grep('grep', args, context) },
  { name: 'head', run: async (args, context) => (await import('./text/head-tail.ts')).head(args, context) },
  { name: 'hexdump', run: async (args, context) => (await import('./text/od.ts')).hexdump(args, context) },
  { name: 'jq', run: async (args, context) => (await import('./text/jq.ts')).jq(args, context) },
  { name: 'ls', run: async (args, context) => (await import('./files.ts')).ls(args, context) },
  { name: 'mktemp', run: async (args, context) => (await import('./mktemp.ts')).mktemp(args, context) },
  { name: 'od', run: async (args, context) => (await import('./text/od.ts')).od(args, context) },
  { name: 'paste', run: async (args, context) => (await import('./text/tac-paste.ts')).paste(args, context) },
  { name: 'patch', run: async (args, context) => (await import('./patch/patch.ts')).patch(args, context) },
  {
    name: 'printf',
    run: async (args, context) => (await import('./text/byte-escapes.ts')).withByteEscapes('printf', args, context),
  },
  { name: 'realpath', run: async (args, context) => (await import('./realpath.ts')).realpath(args, context) },
  { name: 'rm', run: async (args, context) => (await import('./files.ts')).rm(args, context) },
  { name: 'sed', run: async (args, context) => streamed((await import('./sed/sed.ts')).sed, args, context) },
  { name: 'sort', run: async (args, context) => (await import('./text/sort.ts')).sort(args, context) },
  { name: 'stat', run: async (args, context) => (await import('./stat.ts')).stat(args, context) },
  { name: 'tac', run: async (args, context) => (await import('./text/tac-paste.ts')).tac(args, context) },
  { name: 'tail', run: async (args, context) => (await import('./text/head-tail.ts')).tail(args, context) },
  { name: 'tar', run: async (args, context) => (await import('./tar/tar.ts')).tar(args, context) },
  { name: 'timeout', run: async (args, context) => (await import('./timeout.ts')).timeout(args, context) },
  { name: 'touch', run: async (args, context) => (await import('./touch.ts')).touch(args, context) },
  { name: 'tr', run: async (args, context) => (await import('./text/tr.ts')).tr(args, context) },
  { name: 'uniq', run: async (args, context) => (await import('./text/uniq.ts')).uniq(args, context) },
  { name: 'unzip', run: async (args, context) => (await import('./zip/unzip.ts')).unzip(args, context) },
  { name: 'wc', run: async (args, context) => (await import('./text/wc.ts')).wc(args, context) },
  { name: 'xxd', run: async (args, context) => (await import('./text/xxd.ts')).xxd(args, context) },
  { name: 'yes', run: async (args, context) => (await import('./yes.ts')).yes(args, context) },
  { name: 'zip', run: async (args, context) => (await import('./zip/zip.ts')).zip(args, context) },
  { name: 'xargs', run: async (args, context) => (await import('./xargs.ts')).xargs(args, context) },
]

/** What all commands of one script share. */
export interface ScriptState {
  /** What it began with, which every script it runs has too. */
  readonly env: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly deadlines: Deadlines
  /** While `work` begins, the next script that is run says everything at once; never later ones. */
  readonly showNext: <T>(work: () => Promise<T>) => Promise<T>
}

export function engineCommands(hostCommands: readonly EngineCommand[], state: ScriptState): readonly CustomCommand[] {
  const own = ownCommands.map(({ name, run }) => ({
    name,
    execute: (given: string[], context: ResolvedCommandContext) => {
      const { isShown, args } = unmarked(given)
      return run(args, contextOf(context, state, isShown))
    },
  }))
  const hosts = hostCommands.map(({ name, run }) => ({
    name,
    execute: async (given: string[], context: ResolvedCommandContext) => {
      const { isPiped, args } = withoutPipedMark(given)
      const stdin = stdinOf(context)
      const { stdout, stderr, exitCode } = await run(args, {
        cwd: context.cwd,
        env: context.exportedEnv ?? {},
        stdin: stdin === '' && !isPiped ? undefined : latin1Bytes(stdin),
      })
      return {
        stdout: latin1Text(stdout),
        stdoutKind: 'bytes' as const,
        stderr: new TextDecoder().decode(stderr),
        exitCode,
      }
    },
  }))
  return [...own, ...hosts]
}

function contextOf(
  context: ResolvedCommandContext,
  { env, signal, deadlines, showNext }: ScriptState,
  isShown: boolean,
): CommandContext {
  const { exec, origCommand } = context
  const shown = <T>(work: () => Promise<T>): Promise<T> => (isShown ? showNext(work) : work())
  return {
    fs: filesOf(context),
    cwd: context.cwd,
    env: context.exportedEnv ?? {},
    stdin: stdinOf(context),
    signal: context.signal ?? signal,
    deadlines,
    async exec(file, args, execSignal, execStdin) {
      if (exec === undefined) throw new Error('unreachable: the interpreter lets every command run others')
      return shown(() =>
        exec(`${assignments(context.exportedEnv ?? {}, env)}${quoteWord(file)}`, {
          cwd: context.cwd,
          args: [...args],
          stdin: execStdin ?? stdinOf(context),
          stdinKind: 'bytes',
          ...(execSignal === undefined ? {} : { signal: execSignal }),
        }),
      )
    },
    async original(args) {
      if (origCommand === undefined) throw new Error('unreachable: only commands that the interpreter has are run in its place')
      return shown(() => origCommand([...args]))
    },
  }
}

/** Ours: the interpreter wraps what it was given. */
function filesOf({ fs }: ResolvedCommandContext): JustBashFs {
  return fs as JustBashFs
}

/** A `ByteString` is a string of one character for each byte; just-bash keeps what would say so to itself. */
function stdinOf({ stdin }: ResolvedCommandContext): string {
  return stdin as unknown as string
}

/** What was exported since. The interpreter takes an environment for what it runs, but would not pass it on any further. */
function assignments(exported: Readonly<Record<string, string>>, known: Readonly<Record<string, string>>): string {
  return Object.entries(exported)
    .filter(([name, value]) => known[name] !== value && /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !ownedByShell.has(name))
    .map(([name, value]) => `${name}=${quote(value)} `)
    .join('')
}

const ownedByShell: ReadonlySet<string> = new Set(['PWD', 'OLDPWD', 'SHLVL', '_', 'UID', 'EUID', 'PPID', 'BASHOPTS', 'SHELLOPTS'])

/** A name that the mark is for stays a plain word, so that it is recognised. */
function quoteWord(word: string): string {
  return markedNames.has(word) ? word : quote(word)
}

function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
