// Commands with an endless input: a command that streams prints and ends with its reader; one that needs all of it reports its limit.
import { describe, expect, it, vi } from 'vitest'
import { createVfs } from '../../vfs/create-vfs.ts'
import { defineCommand } from './index.ts'
import { memory } from '../memory/index.ts'
import { tableOf } from './commands/own-commands.ts'
import { runScriptRequest } from './interpreter/run-script.ts'
import { sample } from '../../testing/depth.ts'

// The limit is 256 times smaller here.
vi.mock('../../shell/input-limit.ts', () => ({ mostInputBytes: 1024 * 1024 }))

/** Endless lines that differ from their neighbours, so that no command waits for one that does. Large pieces soon reach a limit. */
const numbers = defineCommand({
  name: 'numbers',
  async run({ stdout }) {
    const lines = Array.from({ length: 1000 }, (_, index) => `${10_000 + index}\n`).join('')
    for (let count = 0; count < 100; count++) await stdout.write(lines)
    const more = new TextEncoder().encode(lines.repeat(20))
    for (;;) await stdout.write(more)
  },
})

/** An endless line. */
const letters = defineCommand({
  name: 'letters',
  async run({ stdout }) {
    await stdout.write('a'.repeat(6000))
    const more = new TextEncoder().encode('a'.repeat(200_000))
    for (;;) await stdout.write(more)
  },
})

const refusal = /256 MiB/

/** The command after `numbers |`, and the output of `head -n 1`; a pattern is compared with the error. */
const filters: readonly (readonly [filter: string, shown: string | RegExp])[] = [
  ['awk 1', '10000'],
  ['base64 -w 8', 'MTAwMDAK'],
  ['basenc --base64 -w 8', 'MTAwMDAK'],
  ['bc', refusal],
  ['col', '10000'],
  ['base64 | base64 -d', '10000'],
  ['cat', '10000'],
  ['cat -n', '     1\t10000'],
  ['cmp - f', '- f differ: byte 1, line 1'],
  ['column', refusal],
  ['comm - f', '10000'],
  ['cut -c 1-2', '10'],
  ['dd', refusal],
  ['diff - f', refusal],
  ['dos2unix', refusal],
  ['envsubst', '10000'],
  ['expand', '10000'],
  ['factor', refusal],
  ['fmt', refusal],
  ['fold -w 3', '100'],
  ['grep 99', '10099'],
  ['gzip', refusal],
  ['head', '10000'],
  ['hexdump -C', '00000000  31 30 30 30 30 0a 31 30  30 30 31 0a 31 30 30 30  |10000.10001.1000|'],
  ['hd', '00000000  31 30 30 30 30 0a 31 30  30 30 31 0a 31 30 30 30  |10000.10001.1000|'],
  ['iconv -t utf-16', refusal],
  ['jq .', '10000'],
  ['jq -R .', '"10000"'],
  ['jq -c --stream .', '[[],10000]'],
  ['jq -n "first(inputs)"', refusal],
  ['jq -s .', refusal],
  ['jq -n "range(infinite)"', '0'],
  ['jq -n "repeat(1)"', '1'],
  ['b2sum', refusal],
  ['bzcat', refusal],
  ['csplit - 2', refusal],
  ['md5sum', refusal],
  ['base32 -w 8', 'GEYDAMBQ'],
  ['shasum', refusal],
  ['sum', refusal],
  ['less', refusal],
  ['look 1 /dev/stdin', refusal],
  ['more', refusal],
  ['nl', '     1\t10000'],
  ['numfmt', '10000'],
  ['od -c', '0000000   1   0   0   0   0  \\n   1   0   0   0   1  \\n   1   0   0   0'],
  ['paste - -', '10000\t10001'],
  ['pr -t', '10000'],
  ['patch', refusal],
  ['rev', '00001'],
  ['sed p', '10000'],
  ['shuf', refusal],
  ['setsid cat', '10000'],
  ['sort', refusal],
  ['split', refusal],
  ['sponge', refusal],
  ['stdbuf -oL cat', '10000'],
  ['strings', '10000'],
  ['tac', refusal],
  ['tail -n 1', refusal],
  ['tail -n +3', '10002'],
  ['tee f', '10000'],
  ['tr 1 2', '20000'],
  ['tsort', refusal],
  ['unexpand', '10000'],
  ['uniq', '10000'],
  ['unix2dos', refusal],
  ['wc -l', refusal],
  ['while read -r x; do echo "$x"; done', '10000'],
  ['xargs', /^$/],
  ['xargs -n 2', '10000 10001'],
  ['xargs -I {} echo "<{}>"', '<10000>'],
  ['xxd', '00000000: 3130 3030 300a 3130 3030 310a 3130 3030  10000.10001.1000'],
  ['xz -dc', refusal],
  ['xzcat', refusal],
  ['xxd -p -c 4', '31303030'],
  ['zcat', refusal],
  ['zgrep 1', refusal],
  ['zstdcat', refusal],
]

async function run(script: string): Promise<{ readonly output: string; readonly complaints: string }> {
  const texts = { stdout: '', stderr: '' }
  await runScriptRequest({
    script,
    env: { HOME: '/w' },
    files: createVfs(memory({ '/w/f': 'a\n' })),
    cwd: '/w',
    commands: tableOf([numbers, letters]),
    hasOwnPrograms: false,
    signal: new AbortController().signal,
    isStopped: () => false,
    onOutput: (channel, bytes) => {
      texts[channel] += Array.from(bytes, byte => String.fromCharCode(byte)).join('')
    },
  })
  return { output: texts.stdout, complaints: texts.stderr }
}

describe('an endless input', () => {
  it.each(sample(filters, 4))('numbers | %s', async (filter, shown) => {
    const { output, complaints } = await run(`numbers | ${filter} | head -n 1`)
    if (typeof shown === 'string') expect({ output, complaints }).toEqual({ output: `${shown}\n`, complaints: '' })
    else expect(complaints).toMatch(shown)
  })

  it.each(['awk 1', 'cut -c 1', 'grep a', 'paste', 'rev', 'sed p', 'while read -r x; do echo "$x"; done', 'mapfile x', 'bash'])(
    'letters | %s',
    async filter => {
      expect((await run(`letters | ${filter} | head -n 1`)).complaints).toMatch(/25. MiB/)
    },
  )

  it('reaches whoever reads the beginning of a substitution', async () => {
    expect((await run('head -n 1 <(numbers); cat <(numbers) | head -n 1')).output).toBe('10000\n10000\n')
  })

  it('has a row for each command that reads standard input', () => {
    // These read no input, or only a list of names, or need a program or a file that the rows above give.
    const others = new Set(
      'arch basename bunzip2 bzip2 chgrp chmod chown cksum clear cp date df dir dirname du echo egrep env expr fgrep file find flock gawk getopt groups gunzip hostname id install join link ln logname ls mkdir mktemp mv nice nohup nproc pathchk printenv readlink realpath rgrep rm rmdir sdiff seq sha1sum sha224sum sha256sum sha384sum sha512sum sleep stat sync tar timeout touch tput tree truncate tty uname unlink unxz unzip unzstd users uuidgen vdir which who whoami yes zegrep zfgrep zip zstd'.split(
        ' ',
      ),
    )
    const shown = new Set(filters.map(([filter]) => filter.split(' ')[0]))
    expect([...tableOf([]).keys()].filter(name => !others.has(name) && !shown.has(name))).toEqual([])
  })
})
