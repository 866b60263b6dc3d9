// Archives that zip would not create: damaged and malicious ones.
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
    'unzip -l x.zip 2>/dev/null; echo $?; unzip -lq x.zip 2>&1; echo $?',
    'Archive:  x.zip\n9\nunzip: x.zip: it does not end as a zip archive does\n9\n',
  ],
  [
    'what is there is left unless -o is given',
    archive(['a']),
    'echo mine > a; unzip -q x.zip 2>/dev/null; echo $?; cat a',
    '1\nmine\n',
  ],
  [
    'the others stay byte for byte, and what is replaced keeps its place',
    archive(['a', 'b', 'c']),
    'echo new > b; zip x.zip b; unzip -Z1 x.zip; zip -d x.zip a c nope; unzip -p x.zip',
    'updating: b (stored 0%)\na\nb\nc\n\tzip warning: name not matched: nope\ndeleting: a\ndeleting: c\nnew\n',
  ],
  ['the last member goes, and an empty archive stays', whole, 'zip -q x.zip -d a b; ls', 'x.zip\n'],
  [
    'any name can be packed',
    archive(['constructor']),
    'echo y > __proto__; zip x.zip __proto__ 2>&1; unzip -Z1 x.zip',
    '  adding: __proto__ (stored 0%)\nconstructor\n__proto__\n',
  ],
  [
    'only what is newer',
    whole,
    'touch -d 2001-01-01 a; echo new > c; zip -f x.zip a c; echo $?; zip -u x.zip a c; zip -u x.zip a c; echo $?',
    '12\n  adding: c (stored 0%)\n12\n',
  ],
  [
    'moved into it',
    whole,
    'mkdir d; echo 1 > d/1; zip -mr x.zip d; ls',
    '  adding: d/ (stored 0%)\n  adding: d/1 (stored 0%)\nx.zip\n',
  ],
  ['standard input', whole, 'echo in | zip x.zip -; unzip -p x.zip -', '  adding: - (stored 0%)\nin\n'],
  [
    'one name twice is refused',
    whole,
    'mkdir d; echo 1 > a; echo 2 > d/a; zip -qj y.zip a d/a; echo $?; ls',
    '\tzip warning:   first full name: a\n                      second full name: d/a\n                     name in zip file repeated: a\n                     this may be a result of using -j\n\nzip error: Invalid command arguments (cannot repeat names in zip file)\n16\na\nd\nx.zip\n',
  ],
]

describe('zip and unzip', () => {
  it.each(cases)('%s', async (_rule, bytes, script, output) => {
    expect(await runGnuCase(script, { 'x.zip': bytes })).toMatchObject({ output })
  })
})
