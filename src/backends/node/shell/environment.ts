// The environment of commands. The host's environment contains keys and tokens that a model must not be able to print.

import { words } from '../../../core/words.ts'

export interface EnvironmentOptions {
  /** Added to the environment of every command. */
  readonly env?: Readonly<Record<string, string>>
  /**
   * Variables of this process that commands inherit: by name, or `all`. Default: only what programs need to find each other, the user's
   * home and the language.
   */
  readonly inheritEnv?: 'all' | readonly string[]
}

const usual: readonly string[] = words(`
  PATH HOME USER LOGNAME SHELL LANG LC_ALL LC_CTYPE TZ TMPDIR XDG_RUNTIME_DIR XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME
`)

export function shellEnvironment(
  { env, inheritEnv = usual }: EnvironmentOptions,
  ofCommand: Readonly<Record<string, string>> | undefined,
  hasTerminal: boolean,
): Record<string, string> {
  const names = inheritEnv === 'all' ? Object.keys(process.env) : inheritEnv
  const inherited = Object.fromEntries(
    names.flatMap(name => {
      const value = process.env[name]
      return value === undefined ? [] : [[name, value]]
    }),
  )
  // Output is decoded as UTF-8, so programs should write UTF-8.
  const language = inherited['LC_ALL'] === undefined && inherited['LANG'] === undefined ? { LANG: 'C.UTF-8' } : {}
  // Without it, bash takes a socket as its input for a remote login, and reads the user's start-up files.
  return { SHLVL: '1', ...inherited, ...language, TERM: hasTerminal ? 'xterm-256color' : 'dumb', ...env, ...ofCommand }
}
