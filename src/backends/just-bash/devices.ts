// Which paths exist in a Unix but not among the user's files: devices and the commands themselves. They are answered here, so that
// running a command leaves nothing behind in the workspace but what the command was asked to make.

/** Where the order of output is caught (see ordered-output.ts). Not listed in /dev. */
export const stdoutPath = '/dev/.anchorage-stdout'
export const stderrPath = '/dev/.anchorage-stderr'

export type VirtualNode =
  | { readonly kind: 'directory'; readonly names: readonly string[]; readonly overlaysRealOne: boolean }
  /** Takes what is written, reads as nothing. */
  | { readonly kind: 'sink'; readonly channel: 'stdout' | 'stderr' | 'nowhere' }
  | { readonly kind: 'random' }
  | { readonly kind: 'command'; readonly name: string }
  /** Known and refused, with the reason. */
  | { readonly kind: 'absent'; readonly hint: string }

const deviceNames = ['null', 'random', 'stderr', 'stdin', 'stdout', 'tty', 'urandom', 'zero']
const binaryDirectories = ['/bin/', '/usr/bin/']

/** What is virtual at the absolute path `path`; `undefined` where the user's own files decide. */
export function virtualNodeAt(path: string, commands: ReadonlySet<string>): VirtualNode | undefined {
  switch (path) {
    case '/':
      return { kind: 'directory', names: ['bin', 'dev', 'tmp', 'usr'], overlaysRealOne: true }
    case '/dev':
      return { kind: 'directory', names: deviceNames, overlaysRealOne: false }
    case '/usr':
      return { kind: 'directory', names: ['bin'], overlaysRealOne: true }
    case '/bin':
    case '/usr/bin':
      return { kind: 'directory', names: [...commands].sort(), overlaysRealOne: true }
    case '/tmp':
      return { kind: 'directory', names: [], overlaysRealOne: true }
    case '/dev/null':
      return { kind: 'sink', channel: 'nowhere' }
    case '/dev/stdout':
    case stdoutPath:
      return { kind: 'sink', channel: 'stdout' }
    case '/dev/stderr':
    case stderrPath:
      return { kind: 'sink', channel: 'stderr' }
    case '/dev/random':
    case '/dev/urandom':
      return { kind: 'random' }
    case '/dev/stdin':
      return { kind: 'absent', hint: 'name - instead, or leave the file out' }
    case '/dev/tty':
      return { kind: 'absent', hint: 'no terminal is attached' }
    case '/dev/zero':
      return { kind: 'absent', hint: 'files are read whole here, and this one has no end' }
    default:
  }
  const directory = binaryDirectories.find(name => path.startsWith(name))
  if (directory === undefined) return undefined
  const name = path.slice(directory.length)
  return commands.has(name) ? { kind: 'command', name } : undefined
}

/** A reader of random bytes takes what it needs of these; nobody reads them to an end. */
export const randomBytes: number = 64 * 1024
