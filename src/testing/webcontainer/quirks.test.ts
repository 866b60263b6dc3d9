// Each quirk works, can be switched, and is visible through the client. Its effect on the driver is tested with the driver.

import type { WebContainer, WebContainerProcess } from '@webcontainer/api'
import { afterAll, describe, expect, test } from 'vitest'
import { nodeTwin } from './node-twin.ts'
import { allQuirks as every, type QuirkId } from './quirk-table.ts'
import { delay } from './quirks.ts'

const booted: WebContainer[] = []
afterAll(() => {
  for (const container of booted) container.teardown()
})

/** With only this quirk, or with none. */
async function boot(quirk?: QuirkId): Promise<WebContainer> {
  const client = await nodeTwin({ seed: 71, off: every.filter(id => id !== quirk), on: quirk === undefined ? [] : [quirk] })
  const container = await client.boot()
  booted.push(container)
  return container
}

async function outputOf(process: WebContainerProcess): Promise<string> {
  let output = ''
  const reader = process.output.getReader()
  for (let next = await reader.read(); !next.done; next = await reader.read()) output += next.value
  return output
}

const echo = async (container: WebContainer, script: string): Promise<string> =>
  await outputOf(await container.spawn('jsh', ['-c', script]))

/** What the client shows, without the quirk and with it. */
const rows: readonly (readonly [QuirkId, (container: WebContainer) => Promise<unknown>, unknown, unknown])[] = [
  ['crlf', container => echo(container, 'echo a; echo b'), 'a\nb\n', 'a\r\nb\r\n'],
  ['split-characters', async container => (await echo(container, 'echo é')).includes('\ufffd'), false, true],
  [
    'late-chunks',
    async container => {
      const process = await container.spawn('jsh', ['-c', 'echo a'])
      let isClosed = false
      const closed = outputOf(process).then(() => {
        isClosed = true
      })
      await process.exit
      await delay(0)
      const wasClosed = isClosed
      await closed
      return wasClosed
    },
    true,
    false,
  ],
  [
    'no-symlink-in-dirent',
    async container => {
      await container.mount({ link: { file: { symlink: 'x' } } })
      return (await container.fs.readdir('.', { withFileTypes: true })).map(entry => entry.isFile())
    },
    [true],
    [false],
  ],
  ['restricted-shell', container => echo(container, 'f() { echo a; }; f'), 'a\n', 'jsh: unsupported shell syntax: FunctionDef\n'],
  [
    'unkillable-loops',
    async container => {
      const process = await container.spawn('jsh', ['-c', 'sleep 5; while true; do :; done'])
      process.kill()
      return await Promise.race([process.exit, delay(1_000).then(() => 'goes on')])
    },
    137,
    'goes on',
  ],
  [
    'slow-watch',
    async container => {
      const events: string[] = []
      const watcher = container.fs.watch('.', {}, event => events.push(event))
      await container.fs.writeFile('early', 'x')
      for (let turn = 0; turn < 20 && events.length === 0; turn++) await delay(25)
      watcher.close()
      return events.length > 0
    },
    true,
    false,
  ],
  [
    'rename-refuses-existing',
    async ({ fs }) => {
      await fs.writeFile('a', '1')
      await fs.writeFile('b', '2')
      return await fs.rename('a', 'b').then(
        () => 'replaced',
        (error: unknown) => (error instanceof Error ? error.message.slice(0, 6) : error),
      )
    },
    'replaced',
    'EEXIST',
  ],
]

describe.each(rows)('%s', (quirk, ask, without, withIt) => {
  test('off', async () => expect(await ask(await boot())).toEqual(without))
  test('on', async () => expect(await ask(await boot(quirk))).toEqual(withIt))
})

test('every quirk has a row here, or a test beside the driver', () => {
  const elsewhere: readonly QuirkId[] = ['latency', 'failing-boots', 'no-runner']
  expect([...rows.map(([quirk]) => quirk), ...elsewhere].toSorted()).toEqual(every.toSorted())
})

test('a slow call does not change the order of the keys that are typed', async () => {
  const process = await (await boot('latency')).spawn('jsh')
  const keys = process.input.getWriter()
  const typed = Array.from({ length: 100 }, (_, index) => String.fromCharCode(97 + (index % 26))).join('')
  for (const key of typed) await keys.write(key)
  const reader = process.output.getReader()
  let shown = ''
  while (shown.length < '❯ '.length + typed.length) shown += (await reader.read()).value ?? ''
  process.kill()
  expect(shown).toBe(`❯ ${typed}`)
})

test('the client itself keeps of an error its message only', async () => {
  const { fs } = await boot()
  const error: unknown = await fs.readFile('missing').catch((reason: unknown) => reason)
  expect(error).toMatchObject({ message: expect.stringMatching(/^ENOENT: /) })
  expect(error).not.toHaveProperty('code')
})
