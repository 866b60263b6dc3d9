// What a command finds in its environment. The host's own is full of keys and tokens that no model should be able to print.

export interface EnvironmentOptions {
  /** Added to the environment of every command. */
  readonly env?: Readonly<Record<string, string>>
  /**
   * Variables of this process that commands get too: by name, or `all`. Default: what programs need to find each other, the user's home
   * and their language, and nothing else.
   */
  readonly inheritEnv?: 'all' | readonly string[]
}

const usual: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'LC_CTYPE',
  'TZ',
  'TMPDIR',
  'XDG_RUNTIME_DIR',
  'XDG_CACHE_HOME',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
]

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
  // Output is read as UTF-8, so programs should write it.
  const language = inherited['LC_ALL'] === undefined && inherited['LANG'] === undefined ? { LANG: 'C.UTF-8' } : {}
  // Without it bash takes a socket as its input for a login from elsewhere, and reads the user's start-up files.
  return { SHLVL: '1', ...inherited, ...language, TERM: hasTerminal ? 'xterm-256color' : 'dumb', ...env, ...ofCommand }
}
