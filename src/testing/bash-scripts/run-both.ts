// One script, run by the machine's bash and by ours, over the same files.

import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { constants, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { tableOf } from '../../backends/just-bash/commands/own-commands.ts'
import { latin1Text } from '../../backends/just-bash/encoding.ts'
import { runScriptRequest } from '../../backends/just-bash/interpreter/run-script.ts'
import { memory } from '../../backends/memory/index.ts'
import { createVfs } from '../../vfs/create-vfs.ts'

/** Standard output, exit code and the files afterwards; bytes are one character each. */
export interface Ran {
  readonly output: string
  readonly code: number
  readonly files: Readonly<Record<string, string>>
}

export type ScriptFiles = Readonly<Record<string, string>>

const root = '/workspace'
const environment = { HOME: root, USER: 'user', LANG: 'C.UTF-8', TMPDIR: '/tmp', SHELL: '/bin/bash', TZ: 'UTC' }

export async function runOurs(script: string, given: ScriptFiles): Promise<Ran> {
  const fs = createVfs(memory(Object.fromEntries(Object.entries(given).map(([name, text]) => [`${root}/${name}`, text]))))
  let output = ''
  const code = await runScriptRequest({
    script,
    files: fs,
    cwd: root,
    env: environment,
    stdin: new Uint8Array(),
    signal: new AbortController().signal,
    isStopped: () => false,
    commands: tableOf([]),
    hasOwnPrograms: false,
    onOutput: (channel, bytes) => {
      if (channel === 'stdout') output += latin1Text(bytes)
    },
  })
  const files: Record<string, string> = {}
  for await (const { path, kind } of fs.walk(root)) {
    const name = path.slice(root.length + 1)
    files[name] = kind === 'file' ? latin1Text(await fs.readFile(path)) : kind === 'symlink' ? await fs.readlink(path) : kind
  }
  return { output, code, files }
}

/** With what it wrote to standard error. */
export async function runBash(script: string, given: ScriptFiles): Promise<Ran & { readonly complaints: string }> {
  const top = await mkdtemp(join(tmpdir(), 'bash-scripts-'))
  const directory = join(top, 'workspace')
  try {
    await mkdir(directory)
    for (const [name, text] of Object.entries(given)) {
      await mkdir(dirname(join(directory, name)), { recursive: true })
      await writeFile(join(directory, name), text)
    }
    const env = { ...environment, HOME: directory, PATH: '/usr/bin:/bin' }
    const { stdout, stderr, status, signal } = spawnSync('bash', ['--norc', '-c', script], {
      cwd: directory,
      env,
      input: '',
      encoding: 'latin1',
    })
    const files: Record<string, string> = {}
    for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      const name = path.slice(directory.length + 1)
      files[name] = entry.isFile() ? await readFile(path, 'latin1') : entry.isSymbolicLink() ? await readlink(path) : 'directory'
    }
    const code = status ?? 128 + (signal === null ? 0 : constants.signals[signal])
    return { output: stdout.replaceAll(directory, root), code, files, complaints: stderr }
  } finally {
    await rm(top, { recursive: true, force: true })
  }
}

export const hasBash: boolean = spawnSync('bash', ['-c', '((BASH_VERSINFO[0] == 5 && BASH_VERSINFO[1] >= 2))']).status === 0
