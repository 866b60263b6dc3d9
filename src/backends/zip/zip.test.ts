// Compatibility with other programs: Info-ZIP and Python list our archives, and theirs are read here. Archives of an attacker are refused,
// and nothing is changed.
import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { crc32 as zlibCrc32 } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createRandom } from '../../testing/random.ts'
import type { VfsBackend } from '../../vfs/backend.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { crc32 } from '../../codec/crc32.ts'
import { exportZip, importZip } from './index.ts'
import { emptyTree } from '../../testing/empty-tree.ts'
import { seeds, stride } from '../../testing/depth.ts'

/** Whether this machine has other programs that create and read archives. Python does both everywhere that these tests run. */
const hasInfoZip = ['zip', 'unzip'].every(tool => spawnSync(tool, ['-v']).status === 0)
const infoZip = hasInfoZip ? '' : ' (skipped: zip and unzip are not installed)'

let directory: string
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'zip-'))
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

function fresh(): Vfs {
  const backend: VfsBackend = emptyTree()
  return createVfs(backend)
}

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = []
  for await (const part of stream) parts.push(part)
  return Buffer.concat(parts)
}

/** path → 'mode text' of files, 'mode/' of directories, '->target' of links. */
async function shown(fs: Vfs, root: string): Promise<Record<string, string>> {
  const found: Record<string, string> = {}
  for await (const { path } of fs.walk(root)) {
    const { kind, mode } = await fs.lstat(path)
    const name = path.slice(root === '/' ? 1 : root.length + 1)
    if (kind === 'symlink') found[name] = `->${await fs.readlink(path)}`
    else if (kind === 'directory') found[name] = `${mode.toString(8)}/`
    else found[name] = `${mode.toString(8)} ${await fs.readText(path)}`
  }
  return found
}

async function sample(): Promise<Vfs> {
  const fs = fresh()
  await fs.mkdir('/p/src', { recursive: true })
  await fs.mkdir('/p/empty')
  await fs.mkdir('/p/node_modules/x', { recursive: true })
  await fs.writeFile('/p/node_modules/x/y', 'z')
  await fs.writeFile('/p/src/é💾 b.txt', 'a\r\n\uFEFFno end')
  await fs.writeFile('/p/run.sh', '#!/bin/sh\necho hi\n', { mode: 0o755 })
  await fs.writeFile('/p/nothing', '')
  await fs.symlink('src/é💾 b.txt', '/p/link')
  await fs.symlink('../../out', '/p/src/dangling')
  await fs.utimes('/p/run.sh', Date.UTC(2020, 5, 7, 8, 9, 10))
  return fs
}

const sampleShown = {
  empty: '755/',
  link: '->src/é💾 b.txt',
  nothing: '644 ',
  'run.sh': '755 #!/bin/sh\necho hi\n',
  src: '755/',
  'src/dangling': '->../../out',
  'src/é💾 b.txt': '644 a\r\n\uFEFFno end',
}

function python(script: string, ...args: string[]): string {
  return execFileSync('python3', ['-c', script, ...args], { encoding: 'utf8', env: { ...process.env, PYTHONUTF8: '1' } })
}

test('the checksum is that of zlib', () => {
  const random = createRandom(3)
  for (const length of [0, 1, 3, 4, 1000]) {
    const bytes = Uint8Array.from({ length }, () => random.below(256))
    expect(crc32(bytes)).toBe(zlibCrc32(bytes))
    expect(crc32(bytes.subarray(2), crc32(bytes.subarray(0, 2)))).toBe(zlibCrc32(bytes))
  }
})

describe('out', () => {
  test.skipIf(!hasInfoZip)(
    `Info-ZIP unpacks what was there: links, modes, times, empty directories, names${infoZip}`,
    async () => {
      const archive = await bytesOf(exportZip(await sample(), { path: '/p', prune: ['node_modules'] }))
      writeFileSync(join(directory, 'a.zip'), archive)
      execFileSync('unzip', ['-tq', join(directory, 'a.zip')])
      execFileSync('unzip', ['-q', join(directory, 'a.zip'), '-d', join(directory, 'out')], {
        env: { ...process.env, LC_ALL: 'C.UTF-8' },
      })
      const out = join(directory, 'out')
      expect(readFileSync(join(out, 'src/é💾 b.txt'), 'utf8')).toBe('a\r\n\uFEFFno end')
      expect(readlinkSync(join(out, 'link'))).toBe('src/é💾 b.txt')
      expect(readlinkSync(join(out, 'src/dangling'))).toBe('../../out')
      expect(statSync(join(out, 'run.sh')).mode & 0o777).toBe(0o755)
      expect(statSync(join(out, 'run.sh')).mtimeMs).toBe(Date.UTC(2020, 5, 7, 8, 9, 10))
      expect(statSync(join(out, 'empty')).isDirectory()).toBe(true)
      expect(statSync(join(out, 'nothing')).size).toBe(0)
      expect(() => statSync(join(out, 'node_modules'))).toThrow('ENOENT')
    },
  )

  test('Python reads it too, and large files come in pieces', async () => {
    const fs = fresh()
    const random = createRandom(5)
    const large = Uint8Array.from({ length: 3_000_001 }, (_, index) => (index % 5 === 0 ? random.below(256) : 65))
    await fs.writeFile('/large.bin', large)
    await fs.writeFile('/zeros', new Uint8Array(2_000_000))
    const sizes: number[] = []
    const parts: Uint8Array[] = []
    for await (const part of exportZip(fs, { path: '/' })) {
      sizes.push(part.length)
      parts.push(part)
    }
    expect(Math.max(...sizes)).toBeLessThan(600_000)
    writeFileSync(join(directory, 'a.zip'), Buffer.concat(parts))
    const script =
      'import sys,zipfile,hashlib\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\n' +
      'print([(i.filename,i.file_size,hashlib.sha256(z.read(i)).hexdigest()[:8]) for i in z.infolist()])'
    const digest = async (bytes: Uint8Array<ArrayBuffer>): Promise<string> =>
      Buffer.from(await crypto.subtle.digest('SHA-256', bytes))
        .toString('hex')
        .slice(0, 8)
    expect(python(script, join(directory, 'a.zip'))).toBe(
      `[('large.bin', 3000001, '${await digest(large)}'), ('zeros', 2000000, '${await digest(new Uint8Array(2_000_000))}')]\n`,
    )
  })

  test('and back again it is the same', async () => {
    const archive = await bytesOf(exportZip(await sample(), { path: '/p', prune: ['node_modules'] }))
    const fs = fresh()
    expect(await importZip(archive, fs, { path: '/q/r' })).toEqual({ fileCount: 5, sizeBytes: 55, skipped: [] })
    expect(await shown(fs, '/q/r')).toEqual(sampleShown)
    const again = fresh()
    await importZip(exportZip(await sample(), { path: '/p', prune: ['node_modules'] }), again, { path: '/' })
    expect(await shown(again, '/')).toEqual(sampleShown)
    const uploaded = fresh()
    const upload = new Blob([new Uint8Array(archive)])
    await importZip(upload, uploaded, { path: '/' })
    expect(await shown(uploaded, '/')).toEqual(sampleShown)
    await expect(importZip(upload, fresh(), { path: '/', maxBytes: 5 })).rejects.toMatchObject({ code: 'zip-limit' })
  })

  test('progress counts, an abort ends it, and a change of a large file is told', async () => {
    const fs = await sample()
    const seen: number[] = []
    await bytesOf(exportZip(fs, { path: '/p', onProgress: ({ doneFiles }) => seen.push(doneFiles) }))
    expect(seen).toEqual([1, 2, 3, 4, 5, 6])
    const abort = new AbortController()
    abort.abort(new Error('enough'))
    await expect(bytesOf(exportZip(fs, { path: '/p', signal: abort.signal }))).rejects.toThrow('enough')
    const random = createRandom(8)
    await fs.writeFile(
      '/p/large',
      Uint8Array.from({ length: 1_000_000 }, () => random.below(256)),
    )
    const reader = exportZip(fs, { path: '/p' }).getReader()
    const rest = async (): Promise<void> => {
      let readBytes = 0
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return
        if (readBytes < 200_000 && readBytes + value.length >= 200_000) await fs.writeFile('/p/large', 'short')
        readBytes += value.length
      }
    }
    await expect(rest()).rejects.toMatchObject({ code: 'ESTALE' })
    await expect(bytesOf(exportZip(fs, { path: '/missing' }))).rejects.toMatchObject({ code: 'ENOENT' })
  })
})

describe('in', () => {
  test.skipIf(!hasInfoZip)(`what Info-ZIP packed: links, modes, names, empty directories${infoZip}`, async () => {
    const source = join(directory, 'p')
    mkdirSync(join(source, 'src'), { recursive: true })
    mkdirSync(join(source, 'empty'))
    writeFileSync(join(source, 'src/é💾 b.txt'), 'a\r\n\uFEFFno end')
    writeFileSync(join(source, 'run.sh'), '#!/bin/sh\necho hi\n')
    chmodSync(join(source, 'run.sh'), 0o755)
    writeFileSync(join(source, 'nothing'), '')
    symlinkSync('src/é💾 b.txt', join(source, 'link'))
    symlinkSync('../../out', join(source, 'src/dangling'))
    for (const name of ['', 'src', 'empty']) chmodSync(join(source, name), 0o755)
    for (const name of ['nothing', 'src/é💾 b.txt']) chmodSync(join(source, name), 0o644)
    execFileSync('zip', ['-qry', '../a.zip', '.'], { cwd: source, env: { ...process.env, LC_ALL: 'C.UTF-8' } })
    const fs = fresh()
    await importZip(readFileSync(join(directory, 'a.zip')), fs, { path: '/p' })
    expect(await shown(fs, '/p')).toEqual(sampleShown)
  })

  test('over what is there: replaced, and links never followed', async () => {
    const fs = fresh()
    await fs.mkdir('/p/src', { recursive: true })
    await fs.writeFile('/elsewhere', 'safe')
    await fs.symlink('/elsewhere', '/p/run.sh')
    await fs.writeFile('/p/nothing', 'was something', { mode: 0o600 })
    await fs.writeFile('/p/kept', 'kept')
    await fs.writeFile('/p/link', 'a file where a link goes')
    const archive = await bytesOf(exportZip(await sample(), { path: '/p', prune: ['node_modules'] }))
    await importZip(archive, fs, { path: '/p' })
    expect(await shown(fs, '/p')).toEqual({ ...sampleShown, kept: '644 kept' })
    expect(await fs.readText('/elsewhere')).toBe('safe')

    const trapped = fresh()
    await trapped.mkdir('/out')
    await trapped.mkdir('/p')
    await trapped.symlink('/out', '/p/src')
    await expect(importZip(archive, trapped, { path: '/p' })).rejects.toMatchObject({ code: 'zip-unsafe' })
    expect((await trapped.readdir('/p')).map(({ name }) => name)).toEqual(['src'])
    expect(await trapped.readdir('/out')).toEqual([])
  })

  const hostile: readonly [rule: string, make: string, code: string][] = [
    ['a name that leads up', "z.writestr('../up','x')", 'zip-unsafe'],
    ['a name that leads up in the middle', "z.writestr('a/../../up','x')", 'zip-unsafe'],
    ['an absolute name', "z.writestr('/etc/passwd','x')", 'zip-unsafe'],
    ['a drive', "z.writestr('C:/windows','x')", 'zip-unsafe'],
    ['a name with empty parts', "z.writestr('a//b','x')", 'zip-unsafe'],
    ['one name twice', "z.writestr('a','x');z.writestr('a','y')", 'zip-unsafe'],
    ['a directory and a file of one name', "z.writestr('a/','');z.writestr('a','y')", 'zip-unsafe'],
    [
      'a file below a symlink',
      "i=zipfile.ZipInfo('a');i.create_system=3;i.external_attr=0o120777<<16;z.writestr(i,'/out');z.writestr('a/b','y')",
      'zip-unsafe',
    ],
    ['a device', "i=zipfile.ZipInfo('a');i.create_system=3;i.external_attr=0o060644<<16;z.writestr(i,'')", 'zip-unsupported'],
    ['a rare compression', "z.writestr('a','x'*99,zipfile.ZIP_BZIP2)", 'zip-unsupported'],
    ['too much, unpacked', "z.writestr('a','x'*9_000_000,zipfile.ZIP_DEFLATED)", 'zip-limit'],
    ['too many', "[z.writestr(str(n),'') for n in range(60)]", 'zip-limit'],
    ['zip64', "z.open('a','w',force_zip64=True).close();[z.writestr(str(n),'') for n in range(66000)]", 'zip-unsupported'],
  ]
  test.each(hostile)('%s is refused, and nothing is changed', async (_rule, make, code) => {
    const file = join(directory, 'a.zip')
    python(`import sys,zipfile\nwith zipfile.ZipFile(sys.argv[1],'w') as z:\n ${make}`, file)
    const fs = fresh()
    await expect(importZip(readFileSync(file), fs, { path: '/p', maxBytes: 8_000_000, maxFiles: 50 })).rejects.toMatchObject({
      code,
    })
    expect(await fs.readdir('/')).toEqual([])
  })

  test.skipIf(!hasInfoZip)(`encrypted is refused with its reason${infoZip}`, async () => {
    writeFileSync(join(directory, 'secret'), 'x')
    execFileSync('zip', ['-qP', 'word', 'a.zip', 'secret'], { cwd: directory })
    await expect(importZip(readFileSync(join(directory, 'a.zip')), fresh(), { path: '/' })).rejects.toThrow('encrypted')
  })

  test('names of before UTF-8, and of Windows', async () => {
    const file = join(directory, 'a.zip')
    const script = [
      'import sys,zipfile',
      'class Old(zipfile.ZipInfo):',
      " def _encodeFilenameFlags(self): return (b'd\\\\B\\x81', 0)",
      "with zipfile.ZipFile(sys.argv[1],'w') as z:",
      " i=Old('x');i.create_system=0",
      " z.writestr(i,'ok')",
    ]
    python(script.join('\n'), file)
    const fs = fresh()
    await importZip(readFileSync(file), fs, { path: '/' })
    expect(await shown(fs, '/')).toEqual({ d: '755/', 'd/Bü': '644 ok' })
  })

  test('cut, flipped or padded anywhere: what it holds, or an error, never something else', async () => {
    const fs = await sample()
    const archive = await bytesOf(exportZip(fs, { path: '/p', prune: ['node_modules'] }))
    const random = createRandom(11)
    const outcome = async (bytes: Uint8Array): Promise<unknown> => {
      const into = fresh()
      try {
        await importZip(bytes, into, { path: '/q' })
        return await shown(into, '/q')
      } catch (error) {
        expect(error).toMatchObject({ code: expect.stringMatching(/^zip-/) })
        expect(await into.readdir('/')).toEqual([])
        return 'refused'
      }
    }
    for (let length = 0; length < archive.length; length += stride({ quick: 49, deep: 7 }))
      expect(await outcome(archive.subarray(0, length))).toBe('refused')
    let refused = 0
    const flips = seeds({ quick: 60, deep: 400 })
    for (let time = 0; time < flips; time++) {
      const bytes = archive.slice()
      const at = random.below(bytes.length)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
      const found = await outcome(bytes)
      if (found === 'refused') refused++
      // Names, modes and kinds have no checksum; contents have one.
      else
        for (const text of Object.values(found as object))
          expect(Object.values(sampleShown).map(contentOf)).toContain(contentOf(text as string))
    }
    expect(refused).toBeGreaterThan(flips * 0.375)
    expect(await outcome(new Uint8Array())).toBe('refused')
  })

  test('an abort in the middle changes nothing; progress counts', async () => {
    const archive = await bytesOf(exportZip(await sample(), { path: '/p' }))
    const fs = fresh()
    const abort = new AbortController()
    const onProgress = ({ doneFiles, totalFiles }: { readonly doneFiles: number; readonly totalFiles: number }): void => {
      expect(totalFiles).toBe(10)
      if (doneFiles === 2) abort.abort(new Error('enough'))
    }
    await expect(importZip(archive, fs, { path: '/', signal: abort.signal, onProgress })).rejects.toThrow('enough')
    expect(await fs.readdir('/')).toEqual([])
    const heard: string[] = []
    await fs.watch('/', ({ changes }) => heard.push(`${changes.length} at once`))
    await importZip(archive, fs, { path: '/' })
    await Promise.resolve()
    expect(heard).toHaveLength(1)
  })
})

/** A flipped bit of a mode or a kind turns a file into a link or a directory into a file: the bytes must be the packed ones. */
function contentOf(text: string): string {
  return /^[0-7]+\/$/.test(text) ? '' : text.replace(/^([0-7]+ |->)/, '')
}

test('times come back to the second, and a name may look like a drive', async () => {
  const fs = fresh()
  await fs.mkdir('/p/d', { recursive: true })
  await fs.writeFile('/p/d/c:notes.txt', 'x')
  await fs.utimes('/p/d/c:notes.txt', Date.UTC(2021, 1, 3, 4, 5, 6))
  await fs.utimes('/p/d', Date.UTC(2022, 1, 3, 4, 5, 6))
  await importZip(exportZip(fs, { path: '/p' }), fs, { path: '/q' })
  const times = await Promise.all(['/q/d/c:notes.txt', '/q/d'].map(async path => (await fs.stat(path)).mtimeMs))
  expect(times).toEqual([Date.UTC(2021, 1, 3, 4, 5, 6), Date.UTC(2022, 1, 3, 4, 5, 6)])
})
