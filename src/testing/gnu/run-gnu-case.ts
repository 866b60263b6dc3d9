// A script over given files, as gnu-cases.ts has them: bytes are strings of one character each.
import { createVfs } from '../../vfs/create-vfs.ts'
import { memory } from '../../backends/memory/index.ts'
import { latin1Bytes, latin1Text } from '../../backends/just-bash/encoding.ts'
import { tableOf } from '../../backends/just-bash/commands/own-commands.ts'
import { runScriptRequest } from '../../backends/just-bash/interpreter/run-script.ts'

export async function runGnuCase(
  script: string,
  files: Readonly<Record<string, string>>,
): Promise<{ output: string; exitCode: number }> {
  const fs = createVfs(
    memory(Object.fromEntries(Object.entries(files).map(([name, bytes]) => [`/w/${name}`, latin1Bytes(bytes)]))),
  )
  let output = ''
  const exitCode = await runScriptRequest({
    script,
    env: { HOME: '/w', LANG: 'C.UTF-8', TZ: 'UTC' },
    files: fs,
    cwd: '/w',
    commands: tableOf([]),
    hasOwnPrograms: false,
    signal: new AbortController().signal,
    isStopped: () => false,
    onOutput: (channel, bytes) => {
      if (channel === 'stdout') output += latin1Text(bytes)
    },
  })
  return { output, exitCode }
}
