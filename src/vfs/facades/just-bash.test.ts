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
  // The type annotation is the test that our shape is theirs.
  const fs: IFileSystem = toJustBashFs(vfs)
  return async script => {
    const { stdout, stderr, exitCode } = await new Bash({ fs, cwd: '/w' }).exec(script)
    return `${stdout}${stderr}${exitCode === 0 ? '' : `[${exitCode}]`}`
  }
}

describe('just-bash on a Vfs', () => {
  const rows: readonly [rule: string, script: string, output: string | RegExp][] = [
    ['a redirection writes and appends', 'echo a > f; echo b >> f; cat f', 'a\nb\n'],
    ['a missing directory stays missing', 'echo a > no/such/f; ls', /no\/such\/f: No such file or directory/i],
    ['a write goes through a symlink', 'echo a > f; ln -s f l; echo b > l; cat f; readlink l', 'b\nf\n'],
    ['hard links share their content', 'echo a > f; ln f g; echo b > g; cat f', 'b\n'],
    ['+x survives a write', "echo 'echo hi' > s; chmod 755 s; echo 'echo ho' > s; stat -c %a s", '755\n'],
    ['rmdir refuses what is not empty', 'mkdir d; touch d/f; rmdir d 2>/dev/null || echo kept; rm d/f; rmdir d; ls', 'kept\n'],
    ['rm -r takes a tree, and a link but not its target', 'mkdir -p d/e t; touch d/e/f t/g; ln -s ../t d/l; rm -r d; ls; ls t', 't\ng\n'],
    ['mv renames a directory', 'mkdir -p d/e; echo a > d/e/f; mv d x; cat x/e/f', 'a\n'],
    ['cp -r copies a tree', 'mkdir -p d/e; echo a > d/e/f; cp -r d x; echo b > d/e/f; cat x/e/f', 'a\n'],
    ['a glob finds files', 'mkdir d; touch d/b d/a; echo d/* */a', 'd/a d/b d/a\n'],
    ['bytes stay bytes', "printf '\\xff\\x00\\x80' > f; wc -c < f; od -An -tx1 f | tr -d ' '", /3\s+ff0080/],
    ['find and grep walk it', 'mkdir -p d/e; echo needle > d/e/f; grep -rl needle .; find . -name f', /d\/e\/f\n.*d\/e\/f\n/],
    ['touch -d sets the time', 'touch -d 2001-02-03T04:05:06Z f; date -u -r f +%Y 2>/dev/null || stat -c %y f', /2001/],
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
      expect(textToBytes(bytesToText(bytes, encoding), encoding), encoding).toEqual(bytes)
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
