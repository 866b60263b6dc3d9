// No path leads out of the directory, and changes by others are detected. For attacks during an operation, see race.test.ts.
import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
  writeSync,
  openSync,
  closeSync,
} from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parsePath, type VfsPath } from '../../core/path.ts'
import { fastTemporary } from '../../testing/fuzz/oracle.ts'
import { isVfsError } from '../../vfs/error.ts'
import type { VfsSync } from '../../vfs/backend.ts'
import { node } from './index.ts'

const at = parsePath
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
const text = (content: Uint8Array): string => new TextDecoder().decode(content)

let base = ''
let inside = ''
let outside = ''
let fs: VfsSync

function open(): VfsSync {
  const { sync } = node(inside)
  if (sync === undefined) throw new Error('node() is synchronous')
  return sync
}

beforeEach(() => {
  base = mkdtempSync(join(fastTemporary, 'jail-'))
  inside = join(base, 'inside')
  outside = join(base, 'outside')
  mkdirSync(inside)
  mkdirSync(outside)
  writeFileSync(join(outside, 'secret'), 'secret')
  fs = open()
})
afterEach(() => rmSync(base, { recursive: true, force: true }))

function codeOf(act: () => unknown): string {
  try {
    act()
    return 'done'
  } catch (error) {
    if (isVfsError(error)) return error.code
    throw error
  }
}

describe('a link that was put there from outside', () => {
  type Row = readonly [what: string, target: () => string, path: string]
  const rows: readonly Row[] = [
    ['up and out', () => '../outside', '/l/secret'],
    ['by its absolute path', () => outside, '/l/secret'],
    ['to the file itself', () => '../outside/secret', '/l'],
    ['to the file by its absolute path', () => join(outside, 'secret'), '/l'],
    ['to the root of the machine', () => '/', '/l/etc/passwd'],
    ['far up', () => '../../../../../../../../etc', '/l/passwd'],
  ]
  test.each(rows)('%s', (_what, target, path) => {
    symlinkSync(target(), join(inside, 'l'))
    expect(codeOf(() => fs.read(at(path)))).toBe('ENOENT')
    expect(codeOf(() => fs.lookup(at(path)))).toBe('ENOENT')
    expect(['ENOENT', 'done']).toContain(codeOf(() => fs.write(at(path), bytes('mine'))))
    expect(['ENOENT', 'done']).toContain(codeOf(() => fs.setattr(at(path), { mode: 0o777 })))
    expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret')
    expect(statSync(join(outside, 'secret')).mode & 0o777).not.toBe(0o777)
    expect(readdirSync(outside)).toEqual(['secret'])
  })

  test('its absolute target is one inside', () => {
    mkdirSync(join(inside, 'd'))
    writeFileSync(join(inside, 'd/f'), 'inside')
    symlinkSync('/d/f', join(inside, 'l'))
    expect(text(fs.read(at('/l')))).toBe('inside')
    expect(fs.realpath(at('/l'))).toBe('/d/f')
  })
})

describe('what another program does', () => {
  const later = (): void => utimesSync(join(inside, 'f'), 2_000_000_000, 2_000_000_000)
  type Row = readonly [what: string, act: () => void]
  const rows: readonly Row[] = [
    ['writes', () => (writeFileSync(join(inside, 'f'), 'b'), later())],
    ['writes as many bytes and sets the time back', () => setBack(() => overwrite('b'))],
    ['appends', () => appendFileSync(join(inside, 'f'), 'b')],
    ['sets the mode', () => chmodSync(join(inside, 'f'), 0o700)],
    ['replaces it', () => (writeFileSync(join(inside, 'g'), 'b'), renameSync(join(inside, 'g'), join(inside, 'f')))],
    ['removes it', () => unlinkSync(join(inside, 'f'))],
  ]
  const overwrite = (content: string): void => {
    const file = openSync(join(inside, 'f'), 'r+')
    writeSync(file, content)
    closeSync(file)
  }
  const setBack = (act: () => void): void => {
    const { atimeMs, mtimeMs } = statSync(join(inside, 'f'))
    act()
    utimesSync(join(inside, 'f'), atimeMs / 1000, mtimeMs / 1000)
  }
  test.each(rows)('%s: a write on an old revision is refused', (_what, act) => {
    const { rev } = fs.write(at('/f'), bytes('a'))
    expect(fs.lookup(at('/f')).rev).toBe(rev)
    act()
    expect(codeOf(() => fs.write(at('/f'), bytes('c'), { ifRev: rev }))).toBe('ESTALE')
  })

  test('a file that somebody makes during an exclusive write is not lost', () => {
    expect(codeOf(() => fs.write(at('/f'), bytes('a'), { create: 'exclusive' }))).toBe('done')
    expect(codeOf(() => fs.write(at('/f'), bytes('b'), { create: 'exclusive' }))).toBe('EEXIST')
    expect(readFileSync(join(inside, 'f'), 'utf8')).toBe('a')
  })
})

describe('a watcher', () => {
  test('is told of what others do, and of ours once', async () => {
    const backend = node(inside)
    const told: string[] = []
    const end = backend.watch?.(at('/'), ({ changes }) => told.push(...changes.map(({ type, path }) => `${type} ${path}`)))
    mkdirSync(join(inside, 'theirs'))
    await expect.poll(() => told).toContain('create /theirs')
    await backend.write(at('/ours'), bytes('x'))
    await backend.rename(at('/ours'), at('/renamed'))
    await backend.write(at('/renamed'), bytes('y'))
    await backend.remove(at('/renamed'), 'file')
    writeFileSync(join(inside, 'last'), 'x')
    await expect.poll(() => told).toContain('create /last')
    rmSync(join(inside, 'last'))
    await expect.poll(() => told).toContain('delete /last')
    expect(told.filter(change => /ours|renamed/.test(change))).toEqual([
      'create /ours',
      'move /renamed',
      'modify /renamed',
      'delete /renamed',
    ])
    expect(told.filter(change => change.includes('.anchorage'))).toEqual([])
    end?.()
    await backend.close()
  })
})

describe('a write', () => {
  test('keeps mode, and leaves nothing beside the file', () => {
    writeFileSync(join(inside, 'f'), 'old')
    chmodSync(join(inside, 'f'), 0o751)
    fs.write(at('/f'), bytes('new'))
    expect(statSync(join(inside, 'f')).mode & 0o777).toBe(0o751)
    expect(readdirSync(inside)).toEqual(['f'])
  })

  test('replaces: who has the old file open keeps the old content', () => {
    writeFileSync(join(inside, 'f'), 'old')
    const file = openSync(join(inside, 'f'), 'r')
    fs.write(at('/f'), bytes('new'))
    expect(readFileSync(file, 'utf8')).toBe('old')
    closeSync(file)
  })

  test('of a file with several names shows under all of them', () => {
    writeFileSync(join(inside, 'f'), 'a longer text')
    linkSync(join(inside, 'f'), join(inside, 'g'))
    fs.write(at('/f'), bytes('short'))
    fs.write(at('/g'), bytes('er'), { append: true })
    expect(readFileSync(join(inside, 'g'), 'utf8')).toBe('shorter')
    expect(statSync(join(inside, 'f')).nlink).toBe(2)
  })

  test('that waits only for flush is there all the same', async () => {
    const backend = node(inside, { durability: 'flush' })
    await backend.write(at('/d/f'), bytes('x'), { parents: true })
    await backend.rename(at('/d'), at('/e'))
    await backend.flush()
    await backend.close()
    expect(readFileSync(join(inside, 'e/f'), 'utf8')).toBe('x')
  })
})

describe('what is no file', () => {
  const make: Readonly<Record<string, () => void>> = {
    'a pipe': () => execFileSync('mkfifo', [join(inside, 'p')]),
  }
  test.each(Object.entries(make))('%s can be listed, renamed and removed, and is never waited for', (_what, create) => {
    create()
    expect(fs.list(at('/'))).toEqual([{ name: 'p', kind: 'file' }])
    expect(codeOf(() => fs.read(at('/p')))).toBe('ENOTSUP')
    expect(codeOf(() => fs.write(at('/p'), bytes('x')))).toBe('ENOTSUP')
    expect(lstatSync(join(inside, 'p')).isFIFO()).toBe(true)
    fs.rename(at('/p'), at('/q'))
    fs.remove(at('/q'), 'file')
    expect(readdirSync(inside)).toEqual([])
  })
})

describe('the directory', () => {
  test('that is missing', () => {
    const missing = node(join(base, 'missing')).sync
    expect(() => missing?.list(at('/'))).toThrow('node() needs an existing directory')
  })

  test('may be reached through a link, and have names that look like others', () => {
    mkdirSync(join(inside, 'odd (deleted)'))
    symlinkSync(inside, join(base, 'by-link'))
    const linked = node(join(base, 'by-link')).sync
    linked?.write(at('/odd (deleted)/f'), bytes('x'))
    expect(existsSync(join(inside, 'odd (deleted)/f'))).toBe(true)
  })

  test('of the machine itself', () => {
    const whole = node('/').sync
    expect(text(whole?.read(`${outside}/secret` as VfsPath) ?? bytes(''))).toBe('secret')
  })
})

test('no file stays open', () => {
  const count = (): number => readdirSync('/proc/self/fd').length
  if (!existsSync('/proc/self/fd')) return
  fs.mkdir(at('/d'))
  const before = count()
  for (let index = 0; index < 50; index++) {
    fs.write(at(`/d/${index}`), bytes('x'))
    codeOf(() => fs.read(at('/missing/f')))
    codeOf(() => fs.rename(at('/d'), at('/d/e')))
  }
  expect(count()).toBe(before)
})
