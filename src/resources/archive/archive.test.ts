// Archives against the programs that make and read them, and against bytes that lie. Seeds are printed with a failure.

import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { afterAll, describe, expect, test } from 'vitest'

import { sample, seeds } from '../../testing/depth.ts'
import { createRandom, forSeeds, type Random } from '../../testing/random.ts'
import { openToolSession, type ToolSession } from '../../testing/tool-session.ts'
import { describeUnless } from '../../testing/suites.ts'

const directory = mkdtempSync(join(tmpdir(), 'anchorage-archive-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function isInstalled(command: string): boolean {
  try {
    execFileSync('which', [command])
    return true
  } catch {
    return false
  }
}
const hasTools = ['zip', 'unzip', 'tar', 'gzip', 'xz', 'zstd', 'bzip2', 'python3'].every(isInstalled)
const reason = hasTools ? '' : 'zip, unzip, tar, gzip, xz, zstd, bzip2 and python3 are not all installed'

const formats = ['zip', 'jar', 'tar', 'tgz', 'tar.gz'] as const
type Format = (typeof formats)[number]

function randomText(random: Random): string {
  const characters = ['a', 'b', ' ', 'é', '\u{1f600}', '\r', 'x']
  const line = (): string => Array.from({ length: random.below(60) }, () => random.pick(characters)).join('')
  return Array.from({ length: random.below(40) }, line).join('\n')
}

function randomFiles(random: Random): ReadonlyMap<string, string> {
  const names = [
    'raw',
    'conflicts',
    '1',
    'L1',
    'a:b',
    'src/a.ts',
    'src/deep/b c.ts',
    'é.txt',
    `long/${'n'.repeat(120)}`,
    'x.zip.txt',
    '.hidden',
  ]
  return new Map(names.filter(() => random.chance(0.6)).map(name => [name, randomText(random)]))
}

/** Made by the real program. */
function pack(format: Format, files: ReadonlyMap<string, string>): Uint8Array {
  if (format === 'zip' || format === 'jar') return packWith('zip', format, ['-qr'], files)
  return packWith('tar', format, [format === 'tar' ? '-cf' : '-czf'], files)
}

function packWith(
  program: 'zip' | 'tar',
  format: string,
  options: readonly string[],
  files: ReadonlyMap<string, string>,
): Uint8Array {
  const base = mkdtempSync(join(directory, 'in-'))
  for (const [name, text] of files) {
    mkdirSync(dirname(join(base, name)), { recursive: true })
    writeFileSync(join(base, name), text)
  }
  const archive = join(directory, `made.${format}`)
  rmSync(archive, { force: true })
  execFileSync(program, [...options, archive, '.'], { cwd: base, env: { ...process.env, LC_ALL: 'C.UTF-8' } })
  return new Uint8Array(readFileSync(archive))
}

/** Read by the real program: names and texts. Info-ZIP writes UTF-8 without saying so, which Python takes for an old code page. */
function unpack(format: Format, bytes: Uint8Array): Readonly<Record<string, string>> {
  const archive = join(directory, `read.${format}`)
  writeFileSync(archive, bytes)
  const script =
    format === 'zip' || format === 'jar'
      ? 'import sys,json,zipfile\nz=zipfile.ZipFile(sys.argv[1])\nassert z.testzip() is None\nname=lambda i:i.filename if i.flag_bits&0x800 else i.filename.encode("cp437").decode()\nprint(json.dumps({name(i):z.read(i).decode() for i in z.infolist() if not i.is_dir()}))'
      : 'import sys,json,tarfile\nt=tarfile.open(sys.argv[1])\nprint(json.dumps({m.name.removeprefix("./"):t.extractfile(m).read().decode() for m in t.getmembers() if m.isfile()}))'
  if (format === 'zip') execFileSync('unzip', ['-tq', archive])
  return JSON.parse(execFileSync('python3', ['-c', script, archive], { encoding: 'utf8' })) as Record<string, string>
}

/** What is read and never written. */
const readOnlyFormats: readonly (readonly [format: string, ...options: readonly string[]])[] = [
  ['tar.xz', '-cJf'],
  ['tar.zst', '--zstd', '-cf'],
  ['tar.bz2', '-cjf'],
]

const archiveBytes = async (session: ToolSession, name: string): Promise<Uint8Array> => session.fs.readFile(`/workspace/${name}`)

describeUnless(reason, 'what programs make and read', () => {
  test.each(sample(formats, 2))(
    '%s: every member is read, one is written, one is replaced and one removed',
    { timeout: 600_000 },
    async format => {
      await forSeeds(seeds({ quick: 1, deep: 100 }), async random => {
        const files = new Map(randomFiles(random)).set('kept.txt', 'kept\n').set('other.txt', 'before')
        const name = `a.${format}`
        const session = await openToolSession({ [name]: pack(format, files) })
        for (const [member, text] of files) {
          const shown = await session.call('read', { path: `${name}:${member}:raw` })
          const first = shown.content[0]
          // An empty member has no line to show.
          if (text !== '') expect(first?.type === 'text' ? first.text : '', member).toBe(text)
        }
        expect(await session.text('write', { path: `${name}:new/n.txt`, content: 'new\r\n' })).toContain('Created')
        expect(await session.text('write', { path: `${name}:other.txt`, content: 'after é' })).toContain('Wrote')
        expect(await session.text('write', { path: `${name}:kept.txt`, content: '@delete' })).toContain('Removed')
        files.delete('kept.txt')
        files.set('other.txt', 'after é').set('new/n.txt', 'new\r\n')
        expect(unpack(format, await archiveBytes(session, name))).toEqual(Object.fromEntries(files))
        await session.workspace.dispose()
      })
    },
  )

  test.each(readOnlyFormats)('%s: every member is read', { timeout: 600_000 }, async (format, ...options) => {
    await forSeeds(seeds({ quick: 1, deep: 100 }), async random => {
      const files = new Map(randomFiles(random)).set('kept.txt', 'kept\n')
      const session = await openToolSession({ [`a.${format}`]: packWith('tar', format, options, files) })
      for (const [member, text] of files) {
        const shown = await session.call('read', { path: `a.${format}:${member}:raw` })
        const first = shown.content[0]
        if (text !== '') expect(first?.type === 'text' ? first.text : '', member).toBe(text)
      }
      await session.workspace.dispose()
    })
  })

  test('gz: the file that gzip packed is read', { timeout: 600_000 }, async () => {
    await forSeeds(seeds({ quick: 1, deep: 100 }), async random => {
      const text = `x${randomText(random)}`
      const level = `-${1 + random.below(9)}`
      const session = await openToolSession({ 'a.txt.gz': new Uint8Array(execFileSync('gzip', ['-c', level], { input: text })) })
      const [shown] = (await session.call('read', { path: 'a.txt.gz:raw' })).content
      expect(shown?.type === 'text' ? shown.text : '').toBe(text)
      await session.workspace.dispose()
    })
  })

  test('the bytes of other members of a zip stay as they are, descriptors and comments too', async () => {
    const archive = join(directory, 'stream.zip')
    const script = [
      'import sys,zipfile,io',
      'class Pipe(io.RawIOBase):',
      ' def __init__(s,f): s.f=f',
      ' def writable(s): return True',
      ' def write(s,b): return s.f.write(b)',
      "f=open(sys.argv[1],'wb')",
      "z=zipfile.ZipFile(Pipe(f),'w',zipfile.ZIP_DEFLATED)",
      "z.comment=b'a comment'",
      "z.writestr('one.txt','one '*50)",
      "z.writestr('two.txt','two '*50)",
      "z.writestr('three.txt','three '*50)",
      'z.close()',
    ]
    execFileSync('python3', ['-c', script.join('\n'), archive])
    const before = readFileSync(archive)
    const session = await openToolSession({ 's.zip': new Uint8Array(before) })
    expect(await session.text('read', { path: 's.zip:two.txt' })).toContain('two two')
    await session.text('write', { path: 's.zip:two.txt', content: 'changed' })
    const after = Buffer.from(await archiveBytes(session, 's.zip'))
    const [first, second, third] = ['one.txt', 'two.txt', 'three.txt'].map(name => before.indexOf(name) - 30)
    expect(after.subarray(0, second)).toEqual(before.subarray(first, second))
    expect(after.includes(before.subarray(third, before.indexOf('PK\u0001\u0002')))).toBe(true)
    expect(after.subarray(-9).toString()).toBe('a comment')
    expect(unpack('zip', after)).toMatchObject({ 'two.txt': 'changed', 'three.txt': 'three '.repeat(50) })
  })

  const strange: readonly [what: string, make: string, path: string, wanted: RegExp][] = [
    ['a name that leads up', "z.writestr('../up','x')", 'a.zip:', /Left out.*"\.\.\/up"/],
    ['reading it', "z.writestr('../up','x')", 'a.zip:../up', /archive-name-unsafe/],
    ['an absolute name', "z.writestr('/etc/passwd','x')", 'a.zip:/etc/passwd', /archive-name-unsafe/],
    ['one name twice', "z.writestr('a','x');z.writestr('a','y')", 'a.zip:a', /^y\n\n\[.*more than once/],
    [
      'a link',
      "i=zipfile.ZipInfo('l');i.create_system=3;i.external_attr=0o120777<<16;z.writestr(i,'../../etc/passwd')",
      'a.zip:l',
      /symbolic link to "\.\.\/\.\.\/etc\/passwd"[^]*leads out/,
    ],
    [
      'a link inside',
      "z.writestr('d/t','x');i=zipfile.ZipInfo('l');i.create_system=3;i.external_attr=0o120777<<16;z.writestr(i,'d/t')",
      'a.zip:l',
      /Read a\.zip:d\/t/,
    ],
    ['a rare compression', "z.writestr('a','x'*99,zipfile.ZIP_BZIP2)", 'a.zip:a', /archive-unsupported.*method 12/],
    ['64-bit sizes', "with z.open('a','w',force_zip64=True) as f: f.write(b'big')", 'a.zip:a', /^big$/],
    [
      'an archive in an archive',
      "import io\n b=io.BytesIO()\n y=zipfile.ZipFile(b,'w');y.writestr('in.txt','inner');y.close()\n z.writestr('n.jar',b.getvalue())",
      'a.zip:n.jar:in.txt',
      /^inner$/,
    ],
    [
      'its listing',
      "import io\n b=io.BytesIO()\n y=zipfile.ZipFile(b,'w');y.writestr('in.txt','inner');y.close()\n z.writestr('n.jar',b.getvalue())",
      'a.zip:n.jar',
      /^in\.txt$/,
    ],
    ['a missing member', "z.writestr('src/Here.ts','x')", 'a.zip:here.ts', /ENOENT[^]*a\.zip:src\/Here\.ts/],
    ['a bomb', "z.writestr('a',b'0'*80_000_000,zipfile.ZIP_DEFLATED)", 'a.zip:a', /archive-limit/],
  ]
  test.each(strange)('%s', async (_what, make, path, wanted) => {
    const archive = join(directory, 'strange.zip')
    execFileSync('python3', [
      '-Wignore',
      '-c',
      `import sys,zipfile\nwith zipfile.ZipFile(sys.argv[1],'w') as z:\n ${make}`,
      archive,
    ])
    const session = await openToolSession({ 'a.zip': new Uint8Array(readFileSync(archive)) })
    const result = await session.call('read', { path })
    expect(result.content.map(block => (block.type === 'text' ? block.text : '')).join('\n')).toMatch(wanted)
  })

  test('an encrypted member is named as such, and the others are read', async () => {
    const base = mkdtempSync(join(directory, 'secret-'))
    writeFileSync(join(base, 'secret'), 'x')
    writeFileSync(join(base, 'open'), 'open')
    execFileSync('zip', ['-qP', 'word', 'a.zip', 'secret'], { cwd: base })
    execFileSync('zip', ['-q', 'a.zip', 'open'], { cwd: base })
    const session = await openToolSession({ 'a.zip': new Uint8Array(readFileSync(join(base, 'a.zip'))) })
    expect((await session.failure('read', { path: 'a.zip:secret' })).text).toContain('encrypted')
    expect(await session.text('read', { path: 'a.zip:open' })).toBe('open')
    expect(await session.text('search', { pattern: 'open', paths: 'a.zip' })).toMatch(
      /a\.zip:open:1: open[^]*cannot be opened: a\.zip:secret/,
    )
  })

  test.each(sample(formats, 2))(
    '%s, cut or changed anywhere: an answer or an error, never a crash',
    { timeout: 600_000 },
    async format => {
      const whole = pack(
        format,
        new Map([
          ['a.txt', 'alpha\n'.repeat(30)],
          ['d/b.txt', 'beta\n'.repeat(30)],
        ]),
      )
      const random = createRandom(7)
      const rounds = seeds({ quick: 2, deep: 800 })
      const session = await openToolSession({})
      for (let round = 0; round < rounds; round++) {
        const bytes = random.chance(0.2) ? whole.slice(0, random.below(whole.length)) : whole.slice()
        for (let count = 0; count < 1 + random.below(4); count++) bytes[random.below(bytes.length)] = random.below(256)
        await session.fs.writeFile(`/workspace/m.${format}`, bytes)
        for (const path of [`m.${format}:`, `m.${format}:a.txt`, `m.${format}:d/b.txt`]) {
          const { isError, details } = await session.call('read', { path })
          if (isError)
            expect(details['error'], `seed 7, round ${round}`).toMatchObject({
              code: expect.stringMatching(/^(archive-|ENOENT|binary-file|file-too-large)/),
            })
        }
        await session.call('search', { pattern: 'beta', paths: `m.${format}` })
        await session.call('write', { path: `m.${format}:n.txt`, content: 'n' })
      }
    },
  )
})

test('names that look like selectors are members first', async () => {
  const session = await openToolSession({})
  for (const name of ['raw', 'conflicts', '1', 'L1', 'a:b', '5-9']) {
    await session.text('write', { path: `n.zip:${name}`, content: `${name}\n` })
    expect(await session.text('read', { path: `n.zip:${name}` })).toBe(name)
    expect(await session.text('read', { path: `n.zip:${name}:1-1` })).toBe(name)
  }
  expect(await session.text('read', { path: 'n.zip:' })).toBe('1\n5-9\nL1\na:b\nconflicts\nraw')
  expect(await session.text('find', { paths: ['n.zip:*'] })).toContain('n.zip:a:b')
})

const refused: readonly [path: string, why: string][] = [
  ['a.zip:', 'a directory'],
  ['a.zip:d/', 'a directory'],
  ['a.zip:d', 'a directory'],
  ['a.zip:d/x/y', 'is a file in it'],
  ['a.zip:/abs', 'absolute'],
  ['a.zip:../up', 'leads out'],
  ['a.zip:a//b', 'normal form'],
  ['new.gz:x', 'no named members'],
]
test.each(refused)('write %s is refused, and nothing changes', async (path, why) => {
  const session = await openToolSession({})
  await session.text('write', { path: 'a.zip:d/x', content: 'x' })
  const before = await archiveBytes(session, 'a.zip')
  const { text } = await session.failure('write', { path, content: 'y' })
  expect(text).toContain(why)
  expect(await archiveBytes(session, 'a.zip')).toEqual(before)
  expect(await session.fs.exists('/workspace/new.gz')).toBe(false)
})

test('a policy sees the file and a person what changes inside', async () => {
  const seen: unknown[] = []
  const session = await openToolSession(
    {},
    {
      policy: {
        level: 'ask',
        protect: ['/workspace/safe'],
        async approve({ files, diff }) {
          seen.push([files, diff?.includes('+hello')])
          return seen.length === 1 ? 'allow' : 'deny'
        },
      },
    },
  )
  await session.text('write', { path: 'a.zip:a.txt', content: 'hello\n' })
  expect((await session.failure('write', { path: 'a.zip:b.txt', content: 'hello\n' })).code).toBe('approval-denied')
  expect(seen).toEqual([
    [['/workspace/a.zip'], true],
    [['/workspace/a.zip'], true],
  ])
  expect(await session.text('read', { path: 'a.zip:' })).toBe('a.txt')
  expect((await session.call('write', { path: 'safe/a.zip:a', content: 'x' })).isError).toBe(true)
})

test('a plain file of such a name stays a plain file', async () => {
  const session = await openToolSession({ 'a.zip': 'no archive\n', 'b.zip:c': 'a file\n' })
  expect(await session.text('read', { path: 'a.zip' })).toContain('1:no archive')
  expect((await session.failure('read', { path: 'a.zip:x' })).code).toBe('archive-damaged')
  expect(await session.text('read', { path: 'b.zip:c' })).toContain('1:a file')
})

const packers = [
  ['xz', 'xz'],
  ['zstd', 'zst'],
  ['bzip2', 'bz2'],
] as const
describe.each(packers)('what %s packs', (command, extension) => {
  const isThere = isInstalled(command)
  const why = isThere ? '' : ` (skipped: ${command} is not installed)`
  test.skipIf(!isThere)(`is read and not written${why}`, async () => {
    const pack = (input: Uint8Array): Uint8Array => new Uint8Array(execFileSync(command, ['-c'], { input }))
    const made = await openToolSession({})
    await made.text('write', { path: 'a.tar:d/x.txt', content: 'inside\n' })
    const tar = await archiveBytes(made, 'a.tar')
    const session = await openToolSession({
      [`a.tar.${extension}`]: pack(tar),
      [`one.txt.${extension}`]: pack(new TextEncoder().encode('alone\n')),
      [`cut.${extension}`]: pack(tar).slice(0, 40),
    })
    expect(await session.text('read', { path: `a.tar.${extension}:` })).toBe('d/')
    expect(await session.text('read', { path: `a.tar.${extension}:d/x.txt` })).toBe('inside')
    expect(await session.text('read', { path: `one.txt.${extension}` })).toBe('alone')
    expect(await session.text('search', { pattern: 'insi', paths: [`a.tar.${extension}`] })).toContain('inside')
    expect((await session.failure('read', { path: `cut.${extension}:x` })).code).toBe('archive-damaged')
    const { text } = await session.failure('write', { path: `a.tar.${extension}:d/y`, content: 'y' })
    expect(text).toContain('can be read and not written')
  })
})
