// The commands that this shell adds: scripts and their output. `=>` precedes the exit code of the script.
import { describe, expect, it } from 'vitest'
import { createVfs } from '../../../vfs/create-vfs.ts'
import type { Vfs } from '../../../vfs/vfs.ts'
import { memory } from '../../memory/index.ts'
import { runScriptRequest } from '../interpreter/run-script.ts'
import { tableOf } from './own-commands.ts'

interface Ran {
  readonly output: string
  readonly code: number
  readonly fs: Vfs
}

async function run(script: string, isStopped: (output: string) => boolean = () => false): Promise<Ran> {
  const fs = createVfs(
    memory({
      '/w/a.txt': 'foo\nb\n',
      '/w/d/a.txt': 'x\n',
      '/w/d/b.txt': 'foo\n',
      '/w/d/deep/c.md': 'c',
      '/w/s.sh': 'echo early; sleep 1000; echo late\n',
    }),
  )
  let output = ''
  const code = await runScriptRequest({
    script,
    env: { HOME: '/w' },
    files: fs,
    cwd: '/w',
    commands: tableOf([]),
    hasOwnPrograms: false,
    signal: new AbortController().signal,
    isStopped: () => isStopped(output),
    onOutput: (_channel, bytes) => {
      output += new TextDecoder().decode(bytes)
    },
  })
  return { output, code, fs }
}

type Row = readonly [script: string, output: string | RegExp, code?: number | undefined]

async function expectRow([script, output, code = 0]: Row): Promise<void> {
  const ran = await run(script)
  expect({ output: ran.output, code: ran.code }).toEqual({
    output: typeof output === 'string' ? output : expect.stringMatching(output),
    code,
  })
}

describe("what the machine's programs do not have, or is refused", () => {
  const rows: readonly Row[] = [
    ['ls --version', /^ls \(Anchorage\)\n/],
    ['sort --version < a.txt', /^sort \(Anchorage\)\n/],
    ['yes --help | head -n 1', 'Usage: yes [OPTION]... [ARGUMENT]...\n'],
    ['sed -n --version', /^sed \(Anchorage\)\n/],
    ['cat -- --version', /No such file/, 1],
    ['unzip -Z -m a.zip', /invalid option -- 'm'/, 10],
    ['unzip -Z -v a.zip', /alone and as -Z1/, 10],
    ['gzip -lv a.gz', /-lv is not available here/, 1],
    ['wc --total=always a.txt', /^ *2 +2 +6 a\.txt\n *2 +2 +6 total\n$/],
    ['wc -l --total=only a.txt d/b.txt', '3\n'],
    ['wc -l --total=never a.txt d/b.txt', /^ ?2 a\.txt\n ?1 d\/b\.txt\n$/],
    ['wc -l --total=always < a.txt', /^ *2\n *2 total\n$/],
    ['wc --total=bad a.txt', /invalid argument 'bad'/, 1],
    ['column -J < a.txt', /--table-columns required for --json/, 1],
    ['od -S 3 a.txt', /invalid option -- 'S'/, 1],
    ['pr -9999999 -w 99999999 a.txt', /invalid number '99999999'/, 1],
    ['pr -l 99999 -20 a.txt', /ask for fewer columns or lines/, 1],
    ['pr -o 999999999 a.txt', /invalid number '999999999'/, 1],
    ['pr -n -s -2 a.txt', /number the lines with nl/, 1],
    ['shasum -a 512224 a.txt', /not available here/, 1],
    ["trap 'echo c' CHLD", /runs no trap here/, 1],
    ["compgen -W '$(ls)'", /plain words/, 2],
    ['hexdump -Cx a.txt', /call hexdump twice/, 1],
  ]
  it.each(rows.map(row => [row[0], row] as const))('%s', async (_script, row) => expectRow(row))
})

describe('timeout', () => {
  const rows: readonly Row[] = [
    ['timeout 5 echo a', 'a\n'],
    ['timeout 5s false', '', 1],
    ['timeout 0 echo no limit', 'no limit\n'],
    ['timeout 1m echo a b | tr a-z A-Z', 'A B\n'],
    ['echo in | timeout 5 cat', 'in\n'],
    ['timeout 0.1 sleep 5', '', 124],
    ['timeout 0.001m sleep 5', '', 124],
    ['timeout -s KILL 0.1 sleep 5', '', 137],
    ['timeout -sINT 0.1 sleep 5', '', 124],
    ['timeout --signal=9 0.1 sleep 5', '', 137],
    ['timeout -k 1 0.1 sleep 5', '', 124],
    ['timeout --kill-after=1s --preserve-status 0.1 sleep 5', '', 143],
    // The signal reaches all that the command has started, and ends no shell that has a trap for it.
    ['timeout -s INT 1 bash -c \'trap "echo T" TERM; trap "echo I" INT; sleep 1000; echo on $?\'', 'I\non 130\n', 124],
    ['timeout 1 bash -c \'trap "echo T; exit 3" TERM; sleep 1000\'', 'T\n', 124],
    ['timeout --preserve-status 1 bash -c \'trap "echo T; exit 3" TERM; sleep 1000\'', 'T\n', 3],
    ['timeout --preserve-status -s INT 1 bash -c \'trap "echo T" TERM; sleep 1000\'', '', 130],
    ['timeout -s HUP 1 bash -c \'trap "echo H" HUP; x=$(sleep 1000; echo in); echo [$x]\'', 'H\n[]\n', 124],
    ['timeout 1 bash -c \'trap "echo T" TERM; sleep 1000 || echo failed $?; (sleep 0; echo on)\'', 'T\nfailed 143\non\n', 124],
    ['timeout 1 bash -c \'trap "echo T" TERM; set -e; sleep 1000; echo on\'', 'T\n', 124],
    ['timeout 1 bash -c \'trap "echo T; break" TERM; while :; do :; done; echo out\'', 'T\nout\n', 124],
    ['timeout 1 bash -c \'trap "echo bye" EXIT; sleep 1000\'', 'bye\n', 124],
    ['timeout -s KILL 1 bash -c \'trap "echo bye" EXIT; sleep 1000\'', '', 137],
    ['timeout -k 0.1 1 bash -c \'trap "" TERM; sleep 1000; echo on\'', '', 137],
    ["timeout -k 0.1 1 bash -c 'trap : TERM; while :; do :; done'", '', 137],
    ['timeout -k 1000 1 bash -c \'trap "exit 2" TERM; sleep 1000\'', '', 124],
    ['timeout --preserve-status 1 env A=1 bash -c \'trap "echo $A; exit 3" TERM; sleep 1000\'', '1\n', 3],
    ['timeout 1 bash -c \'trap "echo T" TERM; bash -c "sleep 1000; echo in"; echo out $?\'', 'T\nout 143\n', 124],
    ['timeout -v -s INT 0.1 sleep 1000 2>&1', "timeout: sending signal INT to command 'sleep'\n", 124],
    ['timeout 0.1 bash -c "while :; do :; done"; echo $?', '124\n'],
    ['timeout 1 bash -c "echo early; while :; do :; done"; echo $?', 'early\n124\n'],
    ['timeout 1 bash s.sh; echo $?', 'early\n124\n'],
    ['timeout 5 timeout 0.1 sleep 5; echo $?', '124\n'],
    ['timeout 0.1 timeout 5 sleep 5; echo $?', '124\n'],
    // Programs that neither read nor write check the deadline too.
    ["timeout 0.2 awk 'BEGIN { for (;;) i++ }'; echo $?", '124\n'],
    ['timeout 0.2 awk \'BEGIN { while (1) { x = x "a"; x = "" } }\'; echo $?', '124\n'],
    ["timeout 0.2 jq -n '[range(1e10)] | length'; echo $?", '124\n'],
    ["timeout 0.2 jq -n 'last(repeat(1))'; echo $?", '124\n'],
    ["echo a | timeout 0.2 sed ':a;s/^/x/;s/x//;ba'; echo $?", '124\n'],
    ["timeout 0.2 bc <<< 'while (1) { x = 1 }'; echo $?", '124\n'],
    ['seq 30000 > p; sort -r p > q; timeout 0.2 diff -d p q > r; echo $?', '124\n'],
    ["A=2 timeout 5 bash -c 'echo $A'", '2\n'],
    ["export A=\"it's\"; timeout 5 bash -c 'echo $A'", "it's\n"],
    ['timeout 5 no-such-command', /not found/, 127],
    ['timeout', /^timeout: missing operand/, 125],
    ['timeout 5', /^timeout: missing operand/, 125],
    ['timeout soon ls', /^timeout: invalid time interval 'soon'/, 125],
    ['timeout -k soon 1 ls', /^timeout: invalid time interval 'soon'/, 125],
    ['timeout -s "?" 1 ls', /^timeout: '.': invalid signal/, 125],
    ['timeout --what 1 ls', /^timeout: unknown option '--what'/, 125],
  ]
  it.each(rows.map(row => ({ row, script: row[0] })))('$script', ({ row }) => expectRow(row))

  it('ends a busy loop on time', async () => {
    expect((await run('timeout 0.1 bash -c "while :; do :; done"')).code).toBe(124)
  })

  it('what is said before shows while it runs', async () => {
    expect((await run('bash s.sh', output => output !== '')).output).toBe('early\n')
  })
})

describe('which, realpath and xargs', () => {
  const rows: readonly Row[] = [
    ['which ls tar', '/usr/bin/ls\n/usr/bin/tar\n'],
    ['which no-such', '', 1],
    ['which -a ls no-such', '/usr/bin/ls\n/bin/ls\n', 1],
    ['realpath d/../a.txt', '/w/a.txt\n'],
    ['ln -s d l; realpath l/a.txt l/new', '/w/d/a.txt\n/w/d/new\n'],
    ['ln -s d l; realpath -s l/a.txt', '/w/l/a.txt\n'],
    ['realpath no/such', 'realpath: no/such: No such file or directory\n', 1],
    ['realpath -m no/such', '/w/no/such\n'],
    ['realpath -e new', 'realpath: new: No such file or directory\n', 1],
    ['realpath --nope a.txt', /^realpath: unrecognized option '--nope'/, 1],
    ['realpath', "realpath: missing operand\nTry 'realpath --help' for more information.\n", 1],
    ['echo a b c | xargs -n1', 'a\nb\nc\n'],
    ['echo a b | xargs -n 1 echo -n', 'ab'],
    ['echo a | xargs -I{} echo "<{}>"', '<a>\n'],
    ['echo a | xargs -I % echo "<%>"', '<a>\n'],
    ["printf 'a\\0b c' | xargs -0n1 echo", 'a\nb c\n'],
    ['echo a b | xargs --max-args=1 echo', 'a\nb\n'],
    ['echo -n1 | xargs echo -n1', '-n1 -n1\n'],
  ]
  it.each(rows.map(row => ({ row, script: row[0] })))('$script', ({ row }) => expectRow(row))
})

describe('tar', () => {
  const rows: readonly Row[] = [
    ['tar cf x.tar d a.txt; tar tf x.tar', 'd/\nd/a.txt\nd/b.txt\nd/deep/\nd/deep/c.md\na.txt\n'],
    ['tar -czf x.tgz d; mkdir o; tar -xzf x.tgz -C o; find o -type f | sort', 'o/d/a.txt\no/d/b.txt\no/d/deep/c.md\n'],
    ['tar -c -z -f x.tgz -C d a.txt; tar tf x.tgz', 'a.txt\n'],
    [
      'tar czf x.tgz d; mkdir o; tar xf x.tgz -C o --strip-components=1; find o -type f | sort',
      'o/a.txt\no/b.txt\no/deep/c.md\n',
    ],
    ['tar czf - d | tar tzf -', 'd/\nd/a.txt\nd/b.txt\nd/deep/\nd/deep/c.md\n'],
    ['tar cf x.tar d; tar xvf x.tar d/deep', 'd/deep/\nd/deep/c.md\n'],
    ['tar cf x.tar d; rm -r d; tar xf x.tar --exclude="*.md"; find d | sort', 'd\nd/a.txt\nd/b.txt\nd/deep\n'],
    ['tar cf x.tar --exclude=deep d; tar tf x.tar', 'd/\nd/a.txt\nd/b.txt\n'],
    ['tar cvf x.tar a.txt; tar xOf x.tar', 'a.txt\nfoo\nb\n'],
    ['tar caf x.tar.gz a.txt; gunzip -c x.tar.gz | tar t', 'a.txt\n'],
    ['printf "a.txt\\nd/a.txt\\n" | tar cf x.tar -T -; tar tf x.tar', 'a.txt\nd/a.txt\n'],
    ['ln -s a.txt l; tar cf x.tar l; rm l; tar xf x.tar; readlink l', 'a.txt\n'],
    ['chmod 700 a.txt; touch -d 2020-01-02 a.txt; tar cf x.tar a.txt; rm a.txt; tar xf x.tar; stat -c %a a.txt', '700\n'],
    ['chmod 640 a.txt; tar cf x.tar a.txt; tar tvf x.tar', /^-rw-r----- user\/user +6 \d{4}-\d\d-\d\d \d\d:\d\d a\.txt\n$/],
    ['tar cf x.tar a.txt; echo kept > a.txt; tar xkf x.tar; cat a.txt', /^tar: a\.txt: .*File exists\nkept\n$/],
    ['tar cf x.tar /w/a.txt; tar tf x.tar', 'w/a.txt\n'],
    ['cd d; tar cf ../x.tar ../a.txt; tar tf ../x.tar', 'a.txt\n'],
    ['tar cf x.tar .; tar tf x.tar | grep -c x.tar', '0\n', 1],
    ['tar cf x.tar no-such', 'tar: no-such: Cannot stat: No such file or directory\n', 2],
    ['tar xf no-such.tar', 'tar: no-such.tar: Cannot open: No such file or directory\n', 2],
    ['tar xf a.txt', /^tar: /, 2],
    ['tar xzf a.txt', /^tar: this is not in gzip format/, 2],
    ['tar tf /dev/null', /^tar: .*empty/, 2],
    ['tar cf x.tar a.txt; tar xf x.tar other', 'tar: other: Not found in archive\n', 2],
    ['tar cf x.tar a.txt; tar xf x.tar -C nowhere', /^tar: nowhere: Cannot open/, 2],
    ['tar cf x.tar', /^tar: refusing to make an empty archive/, 2],
    ['tar cjf x a.txt', /^tar: bzip2 packs nothing here; use -z\n/, 2],
    ['tar --what', /^tar: unknown option '--what'\n/, 2],
    ['tar cxf x.tar a.txt', /^tar: you may not specify more than one/, 2],
    ['tar f x.tar', /^tar: you must specify one/, 2],
    ['tar cf', /^tar: option '-f' needs a value/, 2],
    ['tar cf x.tar --strip-components=x a.txt', /^tar: the value of --strip-components/, 2],
  ]
  it.each(rows.map(row => ({ row, script: row[0] })))('$script', ({ row }) => expectRow(row))

  it('keeps every byte, also of a large file', async () => {
    const { fs } = await run('head -c 200000 /dev/urandom > b.bin; tar czf b.tgz b.bin; cp b.bin c.bin; rm b.bin; tar xzf b.tgz')
    const [unpacked, original] = [await fs.readFile('/w/b.bin'), await fs.readFile('/w/c.bin')]
    expect(original.length).toBeGreaterThan(60_000)
    expect(unpacked).toEqual(original)
  })

  it('takes a name that is longer than the old format holds', async () => {
    const long = `${'n'.repeat(120)}/${'m'.repeat(120)}`
    const { output } = await run(
      `mkdir -p ${long}; echo deep > ${long}/f; tar cf x.tar ${long}; rm -r n*; tar xf x.tar; cat ${long}/f`,
    )
    expect(output).toBe('deep\n')
  })
})

describe('an archive from elsewhere stays in its directory', () => {
  type Entry = {
    readonly name: string
    readonly type?: 'file' | 'symlink' | 'link'
    readonly linkname?: string
    readonly text?: string
  }
  const archives: readonly (readonly [string, readonly Entry[], RegExp])[] = [
    ['a name that climbs', [{ name: '../evil', text: 'x' }], /contains '\.\.'/],
    ['a name that climbs from within', [{ name: 'a/../../evil', text: 'x' }], /contains '\.\.'/],
    [
      'a file behind a link that leads out',
      [
        { name: 'l', type: 'symlink', linkname: '/w' },
        { name: 'l/evil', text: 'x' },
      ],
      /leads outside/,
    ],
    [
      'a file behind a relative link',
      [
        { name: 'l', type: 'symlink', linkname: '../' },
        { name: 'l/evil', text: 'x' },
      ],
      /leads outside/,
    ],
    ['a hard link that climbs', [{ name: 'h', type: 'link', linkname: '../a.txt' }], /contains '\.\.'/],
    [
      'a hard link behind a link that leads out',
      [
        { name: 'l', type: 'symlink', linkname: '/w' },
        { name: 'h', type: 'link', linkname: 'l/a.txt' },
      ],
      /leads outside/,
    ],
  ]
  it.each(archives)('%s', async (_name, entries, problem) => {
    const { packTar } = await import('modern-tar')
    const archive = await packTar(
      entries.map(({ name, type = 'file', linkname, text = '' }) => ({
        header: { name, type, size: text.length, ...(linkname === undefined ? {} : { linkname }) },
        body: text,
      })),
    )
    const encoded = Buffer.from(archive).toString('base64')
    const { output, fs } = await run(`mkdir o; echo ${encoded} | base64 -d | tar xf - -C o; echo code $?`)
    expect(output).toMatch(problem)
    expect(output).toMatch(/code 2\n$/)
    expect(await fs.exists('/w/evil')).toBe(false)
    expect(await fs.exists('/evil')).toBe(false)
    expect(await fs.exists('/w/o/h')).toBe(false)
  })

  it('an absolute name lands below it', async () => {
    const { packTar } = await import('modern-tar')
    const encoded = Buffer.from(await packTar([{ header: { name: '/etc/x', size: 1 }, body: 'x' }])).toString('base64')
    const { fs } = await run(`mkdir o; echo ${encoded} | base64 -d | tar xf - -C o`)
    expect([await fs.exists('/etc/x'), await fs.exists('/w/o/etc/x')]).toEqual([false, true])
  })

  it('a link that is there already is replaced, never written through', async () => {
    const { output } = await run('echo new > n; tar cf x.tar n; mkdir o; ln -s ../a.txt o/n; tar xf x.tar -C o; cat a.txt o/n')
    expect(output).toBe('foo\nb\nnew\n')
  })
})
