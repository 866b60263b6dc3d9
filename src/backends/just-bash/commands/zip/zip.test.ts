// Archives that nobody made with zip: damaged ones, and those that mean harm.
import { zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { runGnuCase } from '../../../../testing/gnu/run-gnu-case.ts'
import { latin1Text } from '../../encoding.ts'

const text = new TextEncoder().encode('hello hello hello hello\n')
const archive = (names: readonly string[]): string => latin1Text(zipSync(Object.fromEntries(names.map(name => [name, text]))))
const link = latin1Text(zipSync({ out: [new TextEncoder().encode('/etc'), { os: 3, attrs: 0o120777 * 2 ** 16 }], 'out/x': text }))
const whole = archive(['a', 'b'])
const damaged = `${whole.slice(0, 34)}\x00\x00${whole.slice(36)}`

const cases: readonly (readonly [rule: string, archive: string, script: string, output: string])[] = [
  [
    'a name with .. is left out, and the rest is unpacked',
    archive(['../out', 'a/../../out', 'in']),
    'mkdir d; cd d; unzip -q ../x.zip 2>&1; echo $?; cd ..; find . -type f | sort',
    'unzip: ../out: its name leads out of the directory, so it was left out\nunzip: a/../../out: its name leads out of the directory, so it was left out\n1\n./d/in\n./x.zip\n',
  ],
  ['an absolute name is left out', archive(['/w/abs']), 'unzip -q x.zip 2>/dev/null; echo $?; ls', '1\nx.zip\n'],
  [
    'nothing goes through a link of the archive',
    link,
    'unzip -q x.zip 2>/dev/null; echo $?; ls /etc 2>/dev/null; ls',
    '1\nout\nx.zip\n',
  ],
  [
    'what was damaged is not written',
    damaged,
    'unzip -q x.zip 2>/dev/null; echo $?; ls; unzip -tq x.zip 2>/dev/null; echo $?',
    '1\nb\nx.zip\nAt least one error was detected in x.zip.\n2\n',
  ],
  [
    'a cut archive is none',
    whole.slice(0, -30),
    'unzip -l x.zip 2>&1; echo $?',
    'unzip: x.zip: End-of-central-directory signature not found: this is no zip archive, or not all of it\n9\n',
  ],
  [
    'what is there is left unless -o is given',
    archive(['a']),
    'echo mine > a; unzip -q x.zip 2>/dev/null; echo $?; cat a',
    '1\nmine\n',
  ],
  [
    'a name that cannot be packed is refused by name',
    archive(['constructor']),
    'echo y > __proto__; zip -q x.zip __proto__ 2>&1; unzip -Z1 x.zip',
    'zip: x.zip: a file of the name __proto__ cannot be packed; rename it\nconstructor\n',
  ],
]

describe('zip and unzip', () => {
  it.each(cases)('%s', async (_rule, bytes, script, output) => {
    expect(await runGnuCase(script, { 'x.zip': bytes })).toMatchObject({ output })
  })
})
