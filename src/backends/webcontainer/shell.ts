// The shell of a WebContainer. It starts the container's processes. Their files are the workspace's if both use the same container, and
// otherwise copies.

import { checkOptions } from '../../core/argument.ts'
import { AnchorageError, checkMember } from '../../core/errors.ts'
import { displayPath, isInside, parsePath, rootPath, type VfsPath } from '../../core/path.ts'
import type { ShellChanges } from '../../shell/changes.ts'
import type { ShellFactory } from '../../shell/factory.ts'
import { OutputQueue } from '../../shell/output-queue.ts'
import { KeySession } from '../../shell/key-session.ts'
import { jshMarks } from '../../shell/prompt-scanner.ts'
import { OpenInShell } from '../../shell/open-in-shell.ts'
import type { ShellSession, ShellSessionOptions } from '../../shell/session.ts'
import type { OutputChunk, Shell, ShellCommand, ShellProcess, StartOptions } from '../../shell/shell.ts'
import { VfsError } from '../../vfs/error.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { containerCapabilities } from './capabilities.ts'
import { runnerSpec, toBase64 } from './framed.ts'
import { hasFilesystem, linkTo, type ContainerLink } from './link.ts'
import { shellFacts } from './probes.ts'
import { followProcess } from './process.ts'
import { conflictMessage } from './copy-back.ts'
import { createFileSync, type FileSync } from './sync.ts'
import type { ContainerSource, ProcessSpec } from './wire.ts'

/** Options of `webcontainerShell`. */
export interface WebContainerShellOptions {
  /**
   * `shared`: the workspace's filesystem is the same container's. `synced`: it is another filesystem, and is copied in and out. Default:
   * shared if `webcontainer(source)` was opened with the same source in this thread.
   */
  readonly files?: 'shared' | 'synced' | undefined
  /** Where the container's filesystem is mounted in the workspace, if it is shared. Default `/`. */
  readonly mountedAt?: string | undefined
  /** Directories, by name, that are not copied, in either direction. Default `node_modules` and `.git`. */
  readonly exclude?: readonly string[] | undefined
  /** Added to the environment of every command. */
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** How to create the shell on the other side of a worker. */
export interface WebContainerShellRecipe {
  readonly kind: 'webcontainer'
  readonly container: ContainerSource
  readonly options: WebContainerShellOptions
}

/** A shell in a WebContainer, for the option `shell` of `connectWorkspace`. */
export interface WebContainerShell extends ShellFactory<Vfs> {
  readonly recipe: WebContainerShellRecipe
}

/**
 * `source` is the container in the page (`openContainer` of `anchorage/client`). Errors: as `Shell`, and `container-lost` once the
 * container is gone.
 */
export function webcontainerShell(source: ContainerSource, options: WebContainerShellOptions = {}): WebContainerShell {
  checkMember('webcontainerShell', source, 'connect', 'the container of openContainer')
  checkOptions('webcontainerShell', options, { files: 1, mountedAt: 1, exclude: 1, env: 1 })
  const create: ShellFactory<Vfs> = context => open(source, options, context)
  return Object.assign(create, {
    recipe: { kind: 'webcontainer' as const, container: source, options },
    // Copies contain only files that the guards allow; shared files are not guarded.
    ...(options.files === 'synced' ? {} : { reaches: 'machine' as const }),
  })
}

async function open(
  source: ContainerSource,
  options: WebContainerShellOptions,
  { fs, root }: { readonly fs: Vfs; readonly root: VfsPath },
): Promise<Shell> {
  const link = linkTo(source)
  const release = link.hold()
  try {
    const [{ workdir }, facts] = [await link.facts, await shellFacts(link)]
    const isShared = options.files === undefined ? hasFilesystem(source) : options.files === 'shared'
    const base = isShared ? parsePath(options.mountedAt ?? '/') : root
    const exclude = options.exclude ?? ['node_modules', '.git']
    const sync = isShared ? undefined : createFileSync({ fs, root, exclude })
    const setting: Setting = { link, sync, base, root, workdir, isFramed: facts.isFramed, env: options.env ?? {} }
    const opened = new OpenInShell()
    const disposing = new AbortController()
    return {
      capabilities: containerCapabilities({ facts, sharesVfs: isShared, base, workdir }),
      async start(command, startOptions = {}) {
        if (disposing.signal.aborted) throw disposedError()
        const process = await start(setting, command, startOptions, disposing.signal)
        opened.keepProcess(process)
        // It started before the page received the abort.
        if (disposing.signal.aborted) await process.kill('kill')
        return process
      },
      async openSession(id, sessionOptions) {
        if (disposing.signal.aborted) throw disposedError()
        return opened.keepSession(await openJsh(setting, id, sessionOptions))
      },
      async dispose() {
        disposing.abort(disposedError())
        await opened.closeSessions()
        await opened.killProcesses()
        release()
      },
    }
  } catch (error) {
    release()
    throw error
  }
}

interface Setting {
  readonly link: ContainerLink
  readonly sync: FileSync | undefined
  /** The path of the container's working directory in the workspace. */
  readonly base: VfsPath
  readonly root: VfsPath
  readonly workdir: string
  readonly isFramed: boolean
  readonly env: Readonly<Record<string, string>>
}

/** The container's directory of a directory of the workspace; '' is the container's working directory. */
function directoryIn({ base, root }: Setting, cwd: string | undefined): { readonly workspaceCwd: VfsPath; readonly cwd: string } {
  const workspaceCwd = parsePath(cwd ?? root, root)
  if (!isInside(workspaceCwd, base)) {
    throw new AnchorageError(
      'ENOENT',
      `ENOENT: the working directory ${workspaceCwd} is not in the container, which contains only ${base} and everything below it.`,
      { details: { path: workspaceCwd } },
    )
  }
  const shown = displayPath(workspaceCwd, base)
  return { workspaceCwd, cwd: shown === '.' ? '' : shown }
}

/** An interactive jsh. It does not say where it is, so the session's directory stays the one that it began in. */
async function openJsh(setting: Setting, id: string, options: ShellSessionOptions): Promise<ShellSession> {
  const { link, sync, base } = setting
  const { workspaceCwd, cwd } = directoryIn(setting, options.cwd)
  await sync?.push(link)
  const { columns = 80, rows = 24, env } = options
  const process = await link.call('start', [
    { command: 'jsh', args: ['--osc'], cwd, env: { ...setting.env, ...env }, terminal: { columns, rows } },
  ])
  return new KeySession({
    id,
    name: 'jsh',
    cwd: workspaceCwd,
    process: followProcess({ link, process, isFramed: false, keepsReturns: true }),
    scanner: jshMarks(),
    resize: (newColumns, newRows) => link.call('resize', [process, newColumns, newRows]),
    ...(sync === undefined
      ? {}
      : {
          copies: {
            push: async () => void (await sync.push(link)),
            pull: async () => conflictMessage(await sync.pull(link), base),
          },
        }),
  })
}

async function start(setting: Setting, command: ShellCommand, options: StartOptions, signal: AbortSignal): Promise<ShellProcess> {
  const { link, sync, base } = setting
  const { workspaceCwd, cwd } = directoryIn(setting, options.cwd)
  if (sync !== undefined) await sync.push(link)
  const changes = sync === undefined ? link.filesystem?.collect() : undefined
  const { spec, isFramed } = specOf(setting, command, options, cwd)
  let id: number
  try {
    id = await link.call('start', [spec], { signal })
  } catch (error) {
    if (!(error instanceof VfsError)) throw error
    if (error.path !== undefined)
      throw new VfsError(error.code, 'chdir', {
        path: workspaceCwd,
        hint: 'the working directory cannot be used; create it, or start the command elsewhere',
        cause: error,
      })
    // Some runtimes refuse a missing command, and others start a process that reports it.
    if (error.code === 'ENOENT') return missingCommand(spec.command)
    throw error
  }
  let synced: ShellChanges | undefined
  const beforeExit = async (): Promise<readonly OutputChunk[]> => {
    if (sync === undefined) return []
    const report = await sync.pull(link).catch((cause: unknown) => {
      if (link.ended !== undefined) throw cause
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new AnchorageError(
        'sync-failed',
        `it ended, and its changes could not be copied into the workspace: ${why}; they are still in the container`,
        { cause },
      )
    })
    synced = { changes: report.changes, isCut: false }
    const message = conflictMessage(report, base)
    return message === '' ? [] : [{ channel: 'stderr', bytes: new TextEncoder().encode(message) }]
  }
  const process = followProcess({ link, process: id, isFramed, beforeExit })
  return {
    ...process,
    async changes() {
      await process.exit
      if (changes === undefined) return synced ?? { changes: [], isCut: false }
      return await changes.take(base === rootPath ? '' : base)
    },
  }
}

function specOf(
  setting: Setting,
  command: ShellCommand,
  options: StartOptions,
  cwd: string,
): { readonly spec: ProcessSpec; readonly isFramed: boolean } {
  const { workdir } = setting
  const env = { ...setting.env, ...options.env }
  if (setting.isFramed && options.terminal === undefined) {
    const { stdin, timeoutMs } = options
    const task = command.kind === 'script' ? { script: command.script } : { file: command.file, args: command.args }
    const job = {
      ...task,
      ...(stdin === undefined ? {} : { stdin: toBase64(stdin) }),
      ...(timeoutMs === undefined ? {} : { timeoutMs }),
    }
    return { spec: runnerSpec(job, cwd, env, workdir), isFramed: true }
  }
  const line =
    command.kind === 'script' ? { command: 'jsh', args: ['-c', command.script] } : { command: command.file, args: command.args }
  return { spec: { ...line, cwd, env, terminal: options.terminal ?? { columns: 250, rows: 50 } }, isFramed: false }
}

function missingCommand(name: string): ShellProcess {
  const queue = new OutputQueue()
  queue.push({ channel: 'stderr', bytes: new TextEncoder().encode(`jsh: command not found: ${name}\n`) })
  queue.end()
  return {
    output: queue.output,
    exit: Promise.resolve({ kind: 'exited', code: 127 }),
    write: () => Promise.reject(new AnchorageError('process-ended', 'This command does not exist. Next: start another one.')),
    kill: () => Promise.resolve('already-exited'),
  }
}

function disposedError(): AnchorageError {
  return new AnchorageError('shell-disposed', 'The shell was disposed; open a new workspace to run commands.')
}
