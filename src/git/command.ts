// The `git` command of the shell. It runs in the thread of the files, so its caches survive a command.

import type { ShellCommandDefinition } from '../shell/commands.ts'
import type { GitNetworkOptions } from './network/options.ts'
import type { Vfs } from '../vfs/vfs.ts'

export interface GitCommandOptions {
  readonly vfs: Vfs
  /** The same files; changes made through it have this origin. */
  readonly filesAs?: ((origin: string) => Vfs) | undefined
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  /** The committer if neither the environment nor the configuration names one. */
  readonly author?: { readonly name: string; readonly email: string } | undefined
  /** The host's rules for the network; without it, the network is off. */
  readonly network?: GitNetworkOptions | undefined
}

/** Loaded with the first call. */
export function gitCommand({ vfs, filesAs, clock, author, network }: GitCommandOptions): ShellCommandDefinition {
  const open = async () => {
    const [{ RepositoryCache, runGit }, { GitFiles }] = await Promise.all([import('./program.ts'), import('./files.ts')])
    const filesFor = (origin: string | undefined) => new GitFiles(origin === undefined ? vfs : (filesAs?.(origin) ?? vfs))
    return { runGit, filesFor, cache: new RepositoryCache() }
  }
  let opened: ReturnType<typeof open> | undefined
  return {
    name: 'git',
    help: 'Keeps versions of files: status, add, commit, diff, log, branches and more.',
    run: async ({ args, cwd, env, stdin, stdout, stderr, origin, signal, exec }) => {
      const { runGit, filesFor, cache } = await (opened ??= open())
      const files = filesFor(origin)
      return runGit(
        args,
        { files, cwd, env, clock, signal, settings: [], author, network, exec, cache },
        { stdin, stdout, stderr },
      )
    },
  }
}
