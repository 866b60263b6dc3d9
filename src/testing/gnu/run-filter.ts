// One of our commands over given files, without a shell around it; bytes are strings of one character each.
import { latin1Bytes, latin1Text } from '../../backends/just-bash/encoding.ts'
import { memory } from '../../backends/memory/index.ts'
import { collectOutput, inputOf, type ShellCommandDefinition } from '../../shell/commands.ts'
import { createVfs } from '../../vfs/create-vfs.ts'

export type Files = Readonly<Record<string, string>>

export interface FilterRun {
  readonly output: string
  readonly errors: string
  readonly exitCode: number
  /** What the files hold afterwards. */
  readonly files: Files
}

export async function runFilter(
  command: ShellCommandDefinition,
  args: readonly string[],
  input: string,
  files: Files,
): Promise<FilterRun> {
  const vfs = createVfs(
    memory(Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`/w/${name}`, latin1Bytes(bytes)]))),
  )
  if (!(await vfs.exists('/w'))) await vfs.mkdir('/w')
  const [stdout, stderr] = [collectOutput(), collectOutput()]
  const exitCode = await command.run({
    args,
    cwd: '/w',
    env: { HOME: '/w', LANG: 'C.UTF-8', TZ: 'UTC' },
    stdin: inputOf(latin1Bytes(input)),
    stdout,
    stderr,
    files: vfs,
    signal: new AbortController().signal,
  })
  const after: Record<string, string> = {}
  for (const { name, kind } of await vfs.readdir('/w')) {
    if (kind === 'file') after[name] = latin1Text(await vfs.readFile(`/w/${name}`))
  }
  return { output: latin1Text(stdout.bytes()), errors: latin1Text(stderr.bytes()), exitCode, files: after }
}
