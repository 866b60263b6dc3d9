// Replaces a directory with a link that leads out, before the first, the second, the third … system call of an operation: at every possible
// moment.
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { join } from 'node:path'
import { parsePath } from '../../core/path.ts'
import { fastTemporary } from '../../testing/fuzz/oracle.ts'
import { isVfsError } from '../../vfs/error.ts'
import type { VfsSync } from '../../vfs/backend.ts'
import { node } from './index.ts'

const hook = vi.hoisted(() => ({ beforeCall: (): void => {} }))

vi.mock('node:fs', async importOriginal => {
  const original: Record<string, unknown> = await importOriginal()
  const watched = Object.entries(original).map(([name, value]) => {
    if (typeof value !== 'function' || !name.endsWith('Sync')) return [name, value]
    const call: (...args: unknown[]) => unknown = (...args) => {
      hook.beforeCall()
      return Reflect.apply(value, original, args)
    }
    return [name, Object.assign(call, value)]
  })
  return Object.fromEntries(watched) as Record<string, unknown>
})

const system = await vi.importActual<typeof import('node:fs')>('node:fs')
const { mkdirSync, mkdtempSync, readFileSync, readdirSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } = system

const at = parsePath
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (content: Uint8Array): string => new TextDecoder().decode(content)

let base = ''
let inside = ''
let outside = ''

beforeEach(() => {
  base = mkdtempSync(join(fastTemporary, 'race-'))
  inside = join(base, 'inside')
  outside = join(base, 'outside')
  for (const directory of [inside, outside, join(inside, 'd'), join(outside, 'e')]) mkdirSync(directory)
  for (const directory of [join(inside, 'd'), outside]) writeFileSync(join(directory, 'f'), 'public')
  writeFileSync(join(outside, 'f'), 'secret')
  symlinkSync(outside, join(inside, 'link'))
})
afterEach(() => {
  hook.beforeCall = () => {}
  rmSync(base, { recursive: true, force: true })
})

const operations: Readonly<Record<string, (fs: VfsSync) => unknown>> = {
  read: fs => text(fs.read(at('/d/f'))),
  lookup: fs => fs.lookup(at('/d/f')),
  list: fs =>
    fs
      .list(at('/d'))
      .map(({ name }) => name)
      .join(' '),
  write: fs => fs.write(at('/d/f'), bytes('mine')),
  append: fs => fs.write(at('/d/f'), bytes('mine'), { append: true }),
  create: fs => fs.write(at('/d/new'), bytes('mine')),
  mkdir: fs => fs.mkdir(at('/d/new'), { mode: 0o700 }),
  symlink: fs => fs.symlink('x', at('/d/new')),
  link: fs => fs.link(at('/d/f'), at('/linked')),
  remove: fs => fs.remove(at('/d/f'), 'file'),
  rmdir: fs => fs.remove(at('/d/e'), 'directory'),
  'rename out of it': fs => fs.rename(at('/d/f'), at('/moved')),
  'rename within it': fs => fs.rename(at('/d/f'), at('/d/g')),
  setattr: fs => fs.setattr(at('/d/f'), { mode: 0o777, mtimeMs: 1_000_000_000_000 }),
}

// On other systems Node cannot keep a directory open; see pins.ts.
test.skipIf(process.platform !== 'linux').each(Object.entries(operations))('%s (needs Linux)', (_name, operation) => {
  let callsOfAll = Infinity
  let refusals = 0
  for (let swapBefore = 1; swapBefore <= callsOfAll; swapBefore++) {
    const { sync } = node(inside, { durability: 'flush' })
    if (sync === undefined) throw new Error('node() is synchronous')
    sync.lookup(at('/'))
    let calls = 0
    hook.beforeCall = () => {
      if (++calls !== swapBefore) return
      renameSync(join(inside, 'd'), join(inside, 'kept'))
      renameSync(join(inside, 'link'), join(inside, 'd'))
    }
    try {
      expect(String(operation(sync))).not.toMatch(/secret|\be\b/)
    } catch (error) {
      if (!isVfsError(error)) throw error
      refusals++
    }
    hook.beforeCall = () => {}
    if (calls < swapBefore) callsOfAll = calls
    else {
      renameSync(join(inside, 'd'), join(inside, 'link'))
      renameSync(join(inside, 'kept'), join(inside, 'd'))
    }
    expect([readdirSync(outside), readFileSync(join(outside, 'f'), 'utf8')], `exchanged before call ${swapBefore}`).toEqual([
      ['e', 'f'],
      'secret',
    ])
    expect(statSync(join(outside, 'f')).mode & 0o777).not.toBe(0o777)
    expect(
      readdirSync(inside)
        .filter(name => ['linked', 'moved'].includes(name))
        .map(name => readFileSync(join(inside, name), 'utf8')),
    ).not.toContain('secret')
    // Restore the initial state for the next moment.
    for (const name of ['linked', 'moved', 'd']) rmSync(join(inside, name), { recursive: true, force: true })
    mkdirSync(join(inside, 'd'))
    writeFileSync(join(inside, 'd/f'), 'public')
  }
  expect(callsOfAll).toBeGreaterThan(3)
  expect(refusals).toBeGreaterThan(0)
})
