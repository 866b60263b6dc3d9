// Scripts of the kinds that coding agents write, run by the machine's bash and by ours: the same output, code and files.
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import corpus from '../../testing/bash-corpus/corpus.json' with { type: 'json' }
import { createVfs } from '../../vfs/create-vfs.ts'
import { memory } from '../memory/index.ts'
import { tableOf } from './commands/own-commands.ts'
import { latin1Text } from './encoding.ts'
import { runScriptRequest } from './interpreter/run-script.ts'

interface Ran {
  readonly output: string
  readonly code: number | null
  readonly files: Readonly<Record<string, string>>
}

const root = '/workspace'
const environment = { HOME: root, USER: 'user', LANG: 'C.UTF-8', TMPDIR: '/tmp', SHELL: '/bin/bash' }

async function runOurs(script: string): Promise<Ran> {
  const fs = createVfs(memory(Object.fromEntries(Object.entries(corpus.files).map(([name, text]) => [`${root}/${name}`, text]))))
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

async function runBash(script: string): Promise<Ran> {
  const directory = await mkdtemp(join(tmpdir(), 'bash-corpus-'))
  try {
    for (const [name, text] of Object.entries(corpus.files)) {
      await mkdir(dirname(join(directory, name)), { recursive: true })
      await writeFile(join(directory, name), text)
    }
    const env = { ...environment, HOME: directory, PATH: '/usr/bin:/bin' }
    const { stdout, status } = spawnSync('bash', ['-c', script], { cwd: directory, env, input: '', encoding: 'latin1' })
    const files: Record<string, string> = {}
    for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      const name = path.slice(directory.length + 1)
      files[name] = entry.isFile() ? await readFile(path, 'latin1') : entry.isSymbolicLink() ? await readlink(path) : 'directory'
    }
    return { output: stdout.replaceAll(directory, root), code: status, files }
  } finally {
    await rm(directory, { recursive: true, force: true })
  }
}

const hasBash = spawnSync('bash', ['-c', '((BASH_VERSINFO[0] >= 5))']).status === 0

describe.skipIf(!hasBash)('ours answers as bash does', () => {
  it.each(corpus.scripts.map(script => [script] as const))(
    '%s',
    async script => {
      expect(await runOurs(script)).toEqual(await runBash(script))
    },
    30_000,
  )
})
