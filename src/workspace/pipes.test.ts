// Entries that are neither files nor directories (pipes, sockets) in a directory of the machine: searches skip and report them.

import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { node } from '../backends/node/index.ts'
import { createWorkspace } from './create-workspace.ts'
import type { Workspace } from './workspace.ts'

const directory = mkdtempSync(join(tmpdir(), 'pipes-'))
let workspace: Workspace
beforeAll(async () => {
  writeFileSync(join(directory, 'file'), 'needle\n')
  execFileSync('mkfifo', [join(directory, 'pipe')])
  workspace = await createWorkspace({ fs: node(directory), root: '/' })
})
afterAll(async () => {
  await workspace.dispose()
  rmSync(directory, { recursive: true })
})

test.each<[command: string, said: RegExp]>([
  ['rg needle', /^file:needle\n$/],
  ['rg --debug needle', /pipe: left out, because it is not a file/],
  ['grep -r needle .', /^\.\/file:needle\n$/],
  ['rg needle pipe', /^rg: pipe: ENOTSUP/],
  ['grep needle pipe', /^grep: pipe: ENOTSUP/],
])('%s', async (command, said) => {
  const session = await workspace.shell.open()
  expect((await session.run(command)).output).toMatch(said)
})

test('the search tool names it', async () => {
  const tools = await workspace.toolset('atomic')
  expect(JSON.stringify(await tools.call('search', { pattern: 'needle' }))).toContain(
    '[Not searched, because the filesystem cannot read them: pipe]',
  )
  expect(JSON.stringify(await tools.call('search', { pattern: 'needle', paths: 'pipe' }))).toContain(
    '"pipe was not searched: the filesystem cannot read it."',
  )
})
