import { describe, expect, test } from 'vitest'
import { resolveTargets, splitTarget } from './targets.ts'

describe('a target is a base and a glob', () => {
  const rows: readonly (readonly [text: string, base: string, glob: string | undefined])[] = [
    ['*.ts', '.', '**/*.ts'],
    ['**/*.ts', '.', '**/*.ts'],
    ['**', '.', '**'],
    ['src/*.ts', 'src', '*.ts'],
    ['src/**/*.ts', 'src', '**/*.ts'],
    ['./*.ts', '.', '*.ts'],
    ['/a/b/*.ts', '/a/b', '*.ts'],
    ['/*.ts', '/', '*.ts'],
    ['src\\lib\\*.ts', 'src/lib', '*.ts'],
    ['app/\\[id\\]/*.ts', 'app/[id]', '*.ts'],
    ['src', 'src', undefined],
    ['src/', 'src/', undefined],
    ['{src,test}/*.ts', '.', '**/{src,test}/*.ts'],
  ]
  test.each(rows)('%s', (text, base, glob) => {
    expect(splitTarget(text)).toEqual({ text, base, glob })
  })
})

describe('entries resolve against what exists', () => {
  const exists = [
    'a.txt',
    'b.txt',
    'a b.txt',
    'x, y.txt',
    'x',
    'dir',
    'dir/a.ts',
    'app',
    'app/[id]',
    'app/[id]/page.tsx',
    'my dir',
    'hit.txt',
    '*.lit',
    '.',
  ]
  // Shown as base|glob; a missing entry is shown with a `?`.
  const rows: readonly (readonly [rule: string, entries: readonly string[], shown: readonly string[]])[] = [
    ['one path', ['a.txt'], ['a.txt']],
    ['quotes and spaces go', [' "a.txt" '], ['a.txt']],
    ['a name with a space wins', ['a b.txt'], ['a b.txt']],
    ['a name with a comma wins', ['x, y.txt'], ['x, y.txt']],
    ['a name with brackets wins', ['app/[id]/page.tsx'], ['app/[id]/page.tsx']],
    ['a name with a star wins', ['*.lit'], ['*.lit']],
    ['a directory named like a class is entered', ['app/[id]/*.tsx'], ['app/[id]|*.tsx']],
    ['a class that names no directory is a class', ['app/[ab]/*.tsx'], ['app|[ab]/*.tsx']],
    ['a comma splits when one part is there', ['hit.txt,missing.txt'], ['hit.txt', '?missing.txt']],
    ['a semicolon too', ['a.txt;b.txt'], ['a.txt', 'b.txt']],
    ['a comma splits nothing when no part is there', ['m,n'], ['?m,n']],
    ['white space splits when all parts are there', ['a.txt b.txt'], ['a.txt', 'b.txt']],
    ['white space does not split when one is missing', ['a.txt zzz.txt'], ['?a.txt zzz.txt']],
    ['a list of lists', ['a.txt, b.txt hit.txt'], ['a.txt', 'b.txt', 'hit.txt']],
    ['globs with a base split at a comma', ['dir/*.ts,dir/*.js'], ['dir|*.ts', 'dir|*.js']],
    ['a comma inside of braces never splits', ['*.{ts,tsx}'], ['.|**/*.{ts,tsx}']],
    ['nor one inside of unclosed braces', ['*.{ts,tsx'], ['.|**/*.{ts,tsx']],
    ['top-level globs split at a comma', ['*.ts,*.js'], ['.|**/*.ts', '.|**/*.js']],
    ['top-level globs that are extensions split at a space', ['*.ts *.js'], ['.|**/*.ts', '.|**/*.js']],
    ['a glob with a space stays one', ['**/*deep research*.md'], ['.|**/*deep research*.md']],
    ['also below a directory', ['dir/*deep research*.md'], ['dir|*deep research*.md']],
    ['and below a directory with a space', ['my dir/*.ts'], ['my dir|*.ts']],
    ['a glob whose base is missing is missing', ['nope/*.ts'], ['?nope/*.ts']],
    ['duplicates go', ['a.txt', 'a.txt,a.txt'], ['a.txt']],
    ['the directory itself', ['.'], ['.']],
    ['quoted parts of a list', ['"a.txt", \'b.txt\''], ['a.txt', 'b.txt']],
    ['a backslash path', ['dir\\a.ts'], ['dir/a.ts']],
  ]
  test.each(rows)('%s', async (_rule, entries, shown) => {
    const { targets, missing } = await resolveTargets(entries, async path => exists.includes(path))
    expect([
      ...targets.map(({ base, glob }) => (glob === undefined ? base : `${base}|${glob}`)),
      ...missing.map(text => `?${text}`),
    ]).toEqual(shown)
  })

  test('a text with very many parts is one name', async () => {
    let probes = 0
    const probe = async (): Promise<boolean> => ++probes < 0
    expect(await resolveTargets([Array.from({ length: 5000 }, (_, index) => `f${index}`).join(',')], probe)).toMatchObject({
      targets: [],
    })
    expect(probes).toBeLessThan(10)
  })
})
