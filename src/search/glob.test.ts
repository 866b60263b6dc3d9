import { describe, expect, test } from 'vitest'
import { compileGlob } from './glob.ts'

describe('globs', () => {
  const rows: readonly (readonly [glob: string, yes: readonly string[], no: readonly string[]])[] = [
    ['*.ts', ['a.ts', '.ts', 'a.b.ts'], ['d/a.ts', 'a.tsx', 'a_ts']],
    ['**/*.ts', ['a.ts', 'd/a.ts', '.d/e/a.ts'], ['a.tsx', 'a.ts/b']],
    ['**/*', ['a', '.a', 'd/.e/f'], []],
    ['**', ['a', 'd/e'], []],
    ['d/*.ts', ['d/a.ts'], ['d/e/a.ts', 'a.ts']],
    ['d/**/*.ts', ['d/a.ts', 'd/e/f/a.ts'], ['a.ts', 'x/d/a.ts']],
    ['d/**', ['d/a', 'd/e/f'], ['d', 'e']],
    ['?.ts', ['a.ts'], ['ab.ts', '/.ts']],
    ['[ab].ts', ['a.ts', 'b.ts'], ['c.ts', '[ab].ts']],
    ['[!ab].ts', ['c.ts'], ['a.ts']],
    ['[^ab].ts', ['c.ts'], ['a.ts']],
    ['*.{ts,tsx}', ['a.ts', 'a.tsx'], ['a.js']],
    ['*.{ts,tsx', ['a.ts', 'a.tsx'], ['a.js']],
    ['{src,test}/{a,b{c,d}}.ts', ['src/a.ts', 'test/bd.ts'], ['src/c.ts']],
    ['a\\[b.ts', ['a[b.ts'], ['ab.ts']],
    ['[]a].ts', ['].ts', 'a.ts'], ['b.ts']],
    ['a\\*.ts', ['a*.ts'], ['ab.ts']],
    ['(group)/*.tsx', ['(group)/p.tsx'], ['group/p.tsx']],
    ['@(x)/*.ts', ['@(x)/a.ts'], ['x/a.ts']],
    ['!a.ts', ['!a.ts'], ['b.ts']],
    ['#a.ts', ['#a.ts'], []],
    ['./*.ts', ['a.ts'], ['d/a.ts']],
    ['src/*/', ['src/d'], ['src/d/e']],
    ['**/*deep research*.md', ['x/my deep research 1.md'], ['deep.md']],
    ['*日本*', ['a日本b'], ['日']],
    ['**/node_modules/**/*.js', ['node_modules/p/i.js', 'a/node_modules/i.js'], ['k.js']],
  ]
  test.each(rows)('%s', (pattern, yes, no) => {
    const glob = compileGlob(pattern)
    if (glob.kind === 'error') throw new Error(glob.message)
    expect({ yes: yes.filter(glob.matches), no: no.filter(glob.matches) }).toEqual({ yes, no: [] })
  })

  test.each([
    ['x'.repeat(3000), /longer/],
    ['[', /no `\]`/],
    ['a[b.ts', /no `\]`/],
    ['*.{ts,[a}', /no `\]`/],
    ['{1..100000}', /1000/],
    ['{a,b}'.repeat(15), /1000/],
    ['**/a/'.repeat(20), /`\*\*`/],
  ])('is refused: %.20s', (pattern, says) => {
    const glob = compileGlob(pattern)
    expect(glob.kind === 'error' ? glob.message : '').toMatch(says)
  })

  test('a glob made to backtrack finishes', () => {
    const glob = compileGlob(`${'**/*a'.repeat(1)}${'*a'.repeat(30)}b`)
    expect(glob.kind === 'glob' && glob.matches('a'.repeat(250))).toBe(false)
  })
})
