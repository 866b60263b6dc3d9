// Real bash on this machine, for hosts in Node: command lines, servers, Electron.

import { checkOptions } from '../../../core/argument.ts'
import { AnchorageError, checkMember } from '../../../core/errors.ts'
import type { ShellFactory } from '../../../shell/factory.ts'
import { parsePath } from '../../../core/path.ts'
import { OpenInShell } from '../../../shell/open-in-shell.ts'
import type { Shell } from '../../../shell/shell.ts'
import type { Vfs } from '../../../vfs/vfs.ts'
import { checkSharedDirectory, createPathMap } from './directory.ts'
import { shellEnvironment, type EnvironmentOptions } from './environment.ts'
import { ProcessGroups } from './groups.ts'
import { startWithPipes } from './pipes.ts'
import { loadTerminals, startInTerminal } from './terminal.ts'
import { programOf } from './program.ts'

/** Options of `nodeShell`. */
export interface NodeShellOptions extends EnvironmentOptions {
  /** The directory of the workspace's `node(directory)`: both must be the same files. */
  readonly directory: string
  /** Where it is mounted in the workspace; default `/`, as if `node(directory)` is its only filesystem. */
  readonly mountedAt?: string | undefined
  /** An absolute path; default `/bin/bash`. Any program that accepts `-c SCRIPT` works; the model is told if it is not bash. */
  readonly shell?: string | undefined
  /**
   * `auto` (the default): a real terminal for commands that ask for one, if the optional package `@lydell/node-pty` is installed and
   * neither `ATOMIC_NO_PTY` nor `PI_NO_PTY` is 1; otherwise pipes. `none`: always pipes.
   */
  readonly terminal?: 'auto' | 'none' | undefined
}

/**
 * A shell for `createWorkspace({ fs: node(directory), shell: nodeShell({ directory }), root: '/' })`. Commands are real processes with the
 * rights of this one: they start inside `directory` and are not confined to it. Each has a separate process group, which is ended as a
 * whole.
 *
 * Rejects with `AnchorageError`: `shell-other-files` (the workspace's files are not those of `directory`), `no-such-shell`,
 * `unsupported-platform` (Windows).
 */
export function nodeShell(options: NodeShellOptions): ShellFactory<Vfs> {
  checkMember('nodeShell', options, 'directory', "{ directory: '/home/me/project' }")
  checkOptions('nodeShell', options, { directory: 1, mountedAt: 1, shell: 1, terminal: 1, env: 1, inheritEnv: 1 })
  const open: ShellFactory<Vfs> = async ({ fs, root }) => {
    if (process.platform === 'win32')
      throw new AnchorageError('unsupported-platform', 'nodeShell() needs process groups: run it on Linux, macOS or in WSL.')
    const program = await programOf(options.shell ?? '/bin/bash')
    const paths = await createPathMap(options.directory, options.mountedAt ?? '/')
    await checkSharedDirectory(fs, root, paths)
    const terminals = options.terminal === 'none' ? undefined : await loadTerminals()
    const groups = new ProcessGroups()
    const opened = new OpenInShell()
    let isDisposed = false
    return {
      capabilities: {
        dialect: program.dialect,
        splitStreams: true,
        // Two pipes are read in parallel, so the order of writing is unknown.
        ordered: false,
        exactBytes: true,
        streaming: true,
        stdin: 'eof',
        kill: 'signal',
        concurrent: true,
        sharesVfs: true,
        terminal: terminals !== undefined,
        directory: { workspace: paths.mount, shell: paths.base },
        notes: [
          'Commands are real processes on this machine, with all of its programs; nothing keeps them inside the workspace.',
          ...(paths.isIdentity
            ? []
            : [`Commands see the machine's own paths: ${root} of the other tools is ${await paths.toReal(root)} to them.`]),
        ],
      },
      start: async (command, startOptions = {}) => {
        if (isDisposed)
          throw new AnchorageError('shell-disposed', 'The shell was disposed; open a new workspace to run commands.')
        const cwd = await paths.toReal(startOptions.cwd ?? root)
        const env = groups.marked(
          shellEnvironment(options, startOptions.env, startOptions.terminal !== undefined && terminals !== undefined),
        )
        const [file, args] = program.argumentsFor(command)
        const launch = { file, args, cwd, env, stdin: startOptions.stdin, groups }
        startOptions.signal?.throwIfAborted()
        // The tool gives the size. Without a terminal the command runs with pipes, as the capabilities say.
        return startOptions.terminal !== undefined && terminals !== undefined
          ? startInTerminal(terminals, launch, startOptions.terminal)
          : startWithPipes(launch)
      },
      openSession: async (id, { cwd, env, columns = 80, rows = 24 }) => {
        if (isDisposed)
          throw new AnchorageError('shell-disposed', 'The shell was disposed; open a new workspace to run commands.')
        if (terminals === undefined || program.dialect !== 'bash') throw noTerminal(program.dialect)
        const shown = parsePath(cwd ?? root, root)
        const { openNodeSession } = await import('./session.ts')
        const session = openNodeSession(terminals, {
          id,
          file: options.shell ?? '/bin/bash',
          cwd: { real: await paths.toReal(shown), shown },
          env: groups.marked(shellEnvironment(options, env, true)),
          size: { columns, rows },
          groups,
          toWorkspace: paths.toWorkspace,
        })
        return opened.keepSession(session)
      },
      dispose: async () => {
        isDisposed = true
        await opened.closeSessions()
        await groups.endAll()
      },
    } satisfies Shell
  }
  return Object.assign(open, { reaches: 'machine' as const })
}

function noTerminal(dialect: string): AnchorageError {
  return dialect === 'bash'
    ? new AnchorageError(
        'no-terminal',
        'A session of this shell needs a terminal: the optional package @lydell/node-pty is missing or disabled. Next: install it.',
      )
    : new AnchorageError('no-sessions', 'Only bash has sessions here. Next: give nodeShell a bash as `shell`.')
}
