import { Bash, type IFileSystem } from 'just-bash'
import { describe, expect, test } from 'vitest'
import { createTreeStore } from '../tree/store.ts'
import { treeBackend } from '../tree/tree-backend.ts'
import { createVfs } from '../create-vfs.ts'
import { mountBackends } from '../mount.ts'
import type { VfsBackend } from '../backend.ts'
import type { Vfs } from '../vfs.ts'
import { type ByteEncoding, bytesToText, textToBytes } from './byte-encodings.ts'
import { toJustBashFs } from './just-bash.ts'

function emptyTree(): VfsBackend {
  const store = createTreeStore(Date.now)
  return treeBackend(() => store)
}

async function shellOver(vfs: Vfs): Promise<(script: string) => Promise<string>> {
  await vfs.mkdir('/w', { recursive: true })
  // The type annotation checks that our type matches theirs.
  const fs: IFileSystem = toJustBashFs(vfs)
  return async script => {
    // A failed redirection makes just-bash's exec reject; the shell above it turns that into a message.
    const result = await new Bash({ fs, cwd: '/w', executionLimits: { maxExecutionTimeMs: 3_000 } }).exec(script).catch(String)
    if (typeof result === 'string') return result
    const { stdout, stderr, exitCode } = result
    return `${stdout}${stderr}${exitCode === 0 ? '' : `[${exitCode}]`}`
  }
}

describe('just-bash on a Vfs', () => {
  const rows: readonly [rule: string, script: string, output: string | RegExp][] = [
    ['a redirection writes and appends', 'echo a > f; echo b >> f; cat f', 'a\nb\n'],
    ['a missing directory stays missing', 'echo a > no/such/f', /ENOENT: no such file or directory, open '\/w\/no\/such\/f'/],
    ['a write goes through a symlink', 'echo a > f; ln -s f l; echo b > l; cat f; readlink l', 'b\nf\n'],
    ['hard links share their content', 'echo a > f; ln f g; echo b > g; cat f', 'b\n'],
    ['+x survives a write', "echo 'echo hi' > s; chmod 755 s; echo 'echo ho' > s; stat -c %a s", '755\n'],
    ['rmdir refuses what is not empty', 'mkdir d; touch d/f; rmdir d 2>/dev/null || echo kept; rm d/f; rmdir d; ls', 'kept\n'],
    [
      'rm -r takes a tree, and a link but not its target',
      'mkdir -p d/e t; touch d/e/f t/g; ln -s ../t d/l; rm -r d; ls; ls t',
      't\ng\n',
    ],
    ['mv renames a directory', 'mkdir -p d/e; echo a > d/e/f; mv d x; cat x/e/f', 'a\n'],
    ['cp -r copies a tree', 'mkdir -p d/e; echo a > d/e/f; cp -r d x; echo b > d/e/f; cat x/e/f', 'a\n'],
    ['a glob finds files', 'mkdir d; touch d/b d/a; echo d/* */a', 'd/a d/b d/a\n'],
    ['bytes stay bytes', 'echo /4AA/w== | base64 -d > f; wc -c < f; base64 f', '4\n/4AA/w==\n'],
    ['/dev/null takes all and holds nothing', 'echo a > /dev/null; cat /dev/null; test -e /dev/null && echo there', 'there\n'],
    ['find and grep walk it', 'mkdir -p d/e; echo needle > d/e/f; grep -rl needle .; find . -name f', /d\/e\/f\n.*d\/e\/f\n/],
    ['touch -d sets the time', 'touch f; touch -d 2001-02-03 f; ls -l f', /Feb +3 +2001/],
  ]
  test.each(rows)('%s', async (_rule, script, output) => {
    const run = await shellOver(createVfs(emptyTree()))
    if (typeof output === 'string') expect(await run(script)).toBe(output)
    else expect(await run(script)).toMatch(output)
  })

  test('mv crosses from one filesystem to another', async () => {
    const vfs = createVfs(mountBackends({ '/': emptyTree(), '/w/other': emptyTree() }))
    const run = await shellOver(vfs)
    expect(await run('mkdir d; echo a > d/f; mv d other/d; cat other/d/f; ls')).toBe('a\nother\n')
  })

  test('100,000 bytes survive every encoding', () => {
    const bytes = Uint8Array.from({ length: 100_000 }, (_, index) => (index * 7) % 256)
    for (const encoding of ['latin1', 'binary', 'base64', 'hex'] satisfies ByteEncoding[]) {
      expect(isSame(textToBytes(bytesToText(bytes, encoding), encoding), bytes), encoding).toBe(true)
    }
  })

  const encodings: readonly [encoding: ByteEncoding, text: string, hex: string][] = [
    ['base64', 'aGk', '6869'],
    ['base64', '-_8=ignored', 'fbff'],
    ['base64', 'aGk=\n', '6869'],
    ['hex', '68697', '6869'],
    ['hex', '68zz69', '68'],
    ['latin1', 'ÿĀ', 'ff00'],
    ['utf8', '\uFEFFé', 'efbbbfc3a9'],
  ]
  test.each(encodings)('%s %j is %s', (encoding, text, hex) => {
    expect(bytesToText(textToBytes(text, encoding), 'hex')).toBe(hex)
  })
})

// A matcher that compares 100,000 elements one by one takes seconds.
function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index])
}
