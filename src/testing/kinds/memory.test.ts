// What a file costs in memory: a process of its own opens one, and its peak is compared with the bound. The heap of the process is limited
// too, so that garbage does not count and a larger heap ends it.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

import { build } from 'esbuild'
import { gzipSync, strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { isDeep } from '../depth.ts'
import { blankPdf, madeDocx, madeXlsx, packed } from '../documents/made-documents.ts'

const megabyte = 1024 * 1024
/** Of 256 MB and ten times the file, the larger. */
const boundOf = (sizeBytes: number): number => Math.max(256, (10 * sizeBytes) / megabyte)

const folder = mkdtempSync(join(tmpdir(), 'anchorage-memory-'))
const script = join(folder, 'child.mjs')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const program = `
  import { readFileSync } from 'node:fs'
  import { memory } from './src/backends/memory/index.ts'
  import { createWorkspace } from './src/workspace/create-workspace.ts'
  const [name, calls, small] = JSON.parse(process.argv[2])
  const workspace = await createWorkspace({ fs: memory(), shell: 'none' })
  const tools = await workspace.toolset('atomic')
  const run = async () => {
    const codes = []
    for (const [tool, args] of calls) {
      const { isError, details } = await tools.call(tool, args)
      codes.push(isError ? details.error.code : 'fine')
    }
    return codes
  }
  const path = '/workspace/' + name
  // What the kind loads is no cost of the file.
  await workspace.fs.writeFile(path, readFileSync(small))
  await run()
  const beforeKb = process.resourceUsage().maxRSS
  await workspace.fs.writeFile(path, readFileSync(name))
  const codes = await run()
  console.log(JSON.stringify({ codes, usedMb: (process.resourceUsage().maxRSS - beforeKb) / 1024 }))
  process.exit()`

beforeAll(async () => {
  await build({
    stdin: {
      contents: program,
      resolveDir: fileURLToPath(new URL('../../..', import.meta.url)),
      sourcefile: 'child.ts',
      loader: 'ts',
    },
    outfile: script,
    bundle: true,
    format: 'esm',
    platform: 'node',
    // Of Node's own kind of module there are some among the packages.
    banner: { js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);` },
    external: ['@lydell/node-pty', '@webcontainer/api'],
    logLevel: 'error',
  })
})

type Call = readonly [tool: string, args: Readonly<Record<string, unknown>>]
const opened = (name: string, ...inner: readonly string[]): readonly Call[] => [
  ['read', { path: name }],
  ['search', { pattern: 'needle', paths: name }],
  ...inner.map((each): Call => ['read', { path: `${name}:${each}` }]),
]

const blanks = (megabytes: number): Uint8Array => new Uint8Array(megabytes * megabyte).fill(0x20)
const png = (side: number): Uint8Array => {
  const header = new Uint8Array(33)
  header.set([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52])
  new DataView(header.buffer).setUint32(16, side)
  new DataView(header.buffer).setUint32(20, side)
  header.set([8, 6, 0, 0, 0], 24)
  return header
}

const rows: readonly (readonly [
  what: string,
  name: string,
  make: () => Uint8Array,
  calls: readonly Call[],
  small: Uint8Array,
])[] = [
  [
    'a member of blanks',
    'a.zip',
    () => zipSync({ a: blanks(40), b: strToU8('x') }),
    opened('a.zip', 'a', 'b'),
    zipSync({ a: strToU8('x') }),
  ],
  [
    'a member of 63 MB of blanks',
    'a.zip',
    () => zipSync({ a: blanks(63) }),
    opened('a.zip', 'a', 'a:raw', 'a:1-5'),
    zipSync({ a: strToU8('x') }),
  ],
  [
    'a member of 63 MB of lines, stored',
    'a.zip',
    () => zipSync({ a: strToU8('a line of words\n'.repeat(63 * 65_536)) }, { level: 0 }),
    opened('a.zip', 'a', 'a:raw', 'a:5-9'),
    zipSync({ a: strToU8('x') }),
  ],
  [
    'a member of 63 MB of lines',
    'a.zip',
    () => zipSync({ a: strToU8('a line of wörds\n'.repeat(60 * 61_680)) }),
    opened('a.zip', 'a', 'a:raw', 'a:5-9'),
    zipSync({ a: strToU8('x') }),
  ],
  [
    'sixty thousand members',
    'a.zip',
    () => zipSync(Object.fromEntries(Array.from({ length: 60_000 }, (_, index) => [`d${index % 99}/${index}`, strToU8('x')]))),
    [...opened('a.zip'), ['find', { paths: ['a.zip:**/*7'] }]],
    zipSync({ a: strToU8('x') }),
  ],
  ['blanks', 'a.gz', () => gzipSync(blanks(100)), opened('a.gz'), gzipSync(strToU8('x'))],
  ['blanks that are no tar', 'a.tgz', () => gzipSync(blanks(100)), opened('a.tgz', 'x'), gzipSync(strToU8('x'))],
  [
    'a part of blanks',
    'a.docx',
    () => packed({ 'word/document.xml': ' '.repeat(60 * megabyte) }),
    opened('a.docx'),
    madeDocx(''),
  ],
  [
    'paragraphs',
    'a.docx',
    () => madeDocx('<w:p><w:r><w:t>ab</w:t></w:r></w:p>'.repeat(1_000_000)),
    opened('a.docx'),
    madeDocx(''),
  ],
  [
    'rows',
    'a.xlsx',
    () => madeXlsx({ S: '<row><c><v>1</v></c><c><v>2</v></c></row>'.repeat(1_500_000) }),
    opened('a.xlsx'),
    madeXlsx({ S: '' }),
  ],
  [
    'cells',
    'a.rtf',
    () => strToU8(`{\\rtf1 \\trowd\\intbl ${'a\\cell '.repeat(2_500_000)}\\row}`),
    opened('a.rtf'),
    strToU8('{\\rtf1 a}'),
  ],
  ['a page that is packed twice', 'a.pdf', () => blankPdf(100, 2), opened('a.pdf'), blankPdf(0, 1)],
  ['a size of 60,000 pixels', 'p.png', () => png(60_000), opened('p.png'), png(1)],
  [
    'outputs',
    'n.ipynb',
    () =>
      strToU8(
        JSON.stringify({
          cells: Array(50).fill({
            cell_type: 'code',
            metadata: {},
            source: 'x',
            outputs: [{ output_type: 'stream', text: 'y\n'.repeat(50_000) }],
          }),
          nbformat: 4,
        }),
      ),
    opened('n.ipynb', 'cell:3'),
    strToU8('{"cells":[],"nbformat":4}'),
  ],
  [
    '30 MB of short lines',
    'a.txt',
    () => strToU8('ab\n'.repeat(10 * megabyte)),
    [...opened('a.txt', '5-9', 'raw', '9000000-9000010'), ['search', { pattern: 'x$', paths: 'a.txt' }]],
    strToU8('x'),
  ],
  ['lines', 'a.txt', () => strToU8('a line of words\n'.repeat(1_000_000)), opened('a.txt', '5-9', 'raw'), strToU8('x')],
]

// Each makes a large file and starts a process.
const chosen = isDeep ? rows : rows.filter(([what]) => what.startsWith('a size'))

it.each(chosen)('memory: %s in %s', async (what, name, make, calls, small) => {
  const bytes = make()
  writeFileSync(join(folder, name), bytes)
  writeFileSync(join(folder, 'small'), small)
  const boundMb = boundOf(bytes.length)
  const flags = [`--max-old-space-size=${Math.ceil(boundMb)}`, '--max-semi-space-size=4']
  const { stdout } = await promisify(execFile)(process.execPath, [...flags, script, JSON.stringify([name, calls, 'small'])], {
    cwd: folder,
  })
  const { codes, usedMb } = JSON.parse(stdout) as { readonly codes: readonly string[]; readonly usedMb: number }
  if (process.env['SHOW'])
    console.log(what, name, (bytes.length / megabyte).toFixed(1), 'MB used', Math.round(usedMb), codes.join(' '))
  expect(usedMb, `${what}: ${codes.join(' ')}`).toBeLessThan(boundMb)
})
