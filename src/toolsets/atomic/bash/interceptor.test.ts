import { describe, expect, it } from 'vitest'

import { openToolSession } from '../../../testing/tool-session.ts'
import { parseScript } from '../../../backends/just-bash/parse-script.ts'
import type { BashInterceptorOptions, InterceptorRequest } from './interceptor-options.ts'
import { createInterceptor, type Interception } from './interceptor.ts'

const tools = named('read', 'write', 'edit', 'bash', 'find', 'search')

function check(
  command: string,
  options: BashInterceptorOptions | undefined = { enabled: true },
  { names = tools, cwd }: { readonly names?: ReadonlyMap<string, string>; readonly cwd?: string } = {},
): Promise<Interception | undefined> {
  return createInterceptor(options, names)({ command, ...(cwd === undefined ? {} : { cwd }) }, parseScript)
}

describe('which tool a command is sent to', () => {
  const rows: readonly (readonly [tool: string | undefined, ...commands: readonly string[]])[] = [
    [
      'read',
      'cat x',
      '  cat x',
      'head -n 5 x',
      'tail -f log',
      'less a',
      'more a',
      'cat "a b"',
      'cd sub && cat x',
      "cd 'a b'; cat x",
    ],
    ['search', 'grep foo', 'rg foo', 'ripgrep foo', 'ag foo', 'ack foo', 'grep -r foo . | head'],
    ['find', "find . -name '*.ts'", 'find -type f', 'fd --type f x', 'locate -iname x'],
    [
      'edit',
      'sed -i s/a/b/ f',
      'sed --in-place s/a/b/ f',
      'sed -i.bak s/a/b/ f',
      'perl -pi -e x f',
      'perl -i -pe x f',
      'awk -i inplace x f',
    ],
    [
      'write',
      'echo hi > f',
      'echo hi >> f',
      'echo hi >| f',
      'echo $X > "$F"',
      "printf 'x' >f",
      'cat <<EOF > f\nx\nEOF',
      'cat << EOF >> f\nx\nEOF',
    ],
    [
      undefined,
      'cat',
      'cat<x',
      'bat x',
      'egrep foo',
      'git grep foo',
      'grep',
      'find .',
      'locate -i x',
      'ls',
      'sed -n 1p f',
      'sed -e x -i f',
      "perl -e 'print 1'",
      'echo hi',
      "echo 'a > b'",
      'echo "a > b"',
      'echo a \\> b',
      'echo hi >&2',
      'echo hi 2>&1',
      'echo hi >',
      'true > f',
      'echo a | tee f',
      'ls && cat y',
      'sudo cat x',
      "python -c 'open(1)'",
      'cd sub',
      '',
      "echo 'unclosed > f",
    ],
  ]
  for (const [tool, ...commands] of rows) {
    it.each(commands)(`${tool ?? 'none'}: %s`, async command => {
      expect((await check(command))?.tool).toBe(tool)
    })
  }
})

describe('anywhere in a script', () => {
  const rows: readonly (readonly [tool: string | undefined, ...commands: readonly string[]])[] = [
    [
      'read',
      'ls && cat y',
      'ls; cat y',
      'true | head -n 1 y',
      'for f in a b; do cat $f; done',
      'if true; then cat x; fi',
      'f() { cat x; }; f',
      'x=$(cat y)',
      'echo "$(cat y)"',
      'diff <(cat a) <(cat b)',
      'sudo cat x',
      'sudo -u root cat x',
      'env A=1 B=2 cat x',
      'env -i cat x',
      'command cat x',
      'nohup timeout -s KILL 5 cat x',
      'A=1 cat x',
      '(cd sub; cat x)',
      'find . | xargs -n 1 cat x',
      'case x in x) cat y;; esac',
      'while read l; do tail -n 1 $l; done',
    ],
    [
      'write',
      'cat <<EOF > f\nx\nEOF',
      'echo a | tee f',
      'tee -a f',
      'true && echo x > f',
      'sudo tee /etc/hosts',
      'ls; printf x >> f',
    ],
    ['search', 'cd a && ls && grep x y', 'npm test | grep fail'],
    ['edit', 'ls && sed -i s/a/b/ f'],
    [
      undefined,
      'ls && pwd',
      'echo "cat x"',
      "echo 'cat x' | bash",
      'echo cat x',
      'echo x > /dev/null',
      'echo a | tee /dev/stderr',
      'npm test 2>&1 | cat',
      '# cat x',
      'catalog x',
    ],
  ]
  for (const [tool, ...commands] of rows) {
    it.each(commands)(`${tool ?? 'none'}: %s`, async command => {
      expect((await check(command, { enabled: true, scope: 'anywhere' }))?.tool).toBe(tool)
    })
  }
})

it('leaves a leading cd alone when the call names its directory', async () => {
  expect(await check('cd sub && cat x', undefined, { cwd: 'sub' })).toBeUndefined()
  expect(await check('cd sub && cat x', { enabled: true }, { cwd: 'sub' })).toBeUndefined()
})

it('sends nothing to a tool that the model does not have, and nothing at all unless asked to', async () => {
  expect(await check('cat x', { enabled: true }, { names: named('bash', 'search') })).toBeUndefined()
  expect(await check('cat x', { enabled: false })).toBeUndefined()
  expect(await createInterceptor(undefined, tools)({ command: 'cat x' }, parseScript)).toBeUndefined()
})

it('tries a host’s rules first, and refuses one that is none', async () => {
  const rules = [{ pattern: '^npm (test|run)', tool: 'bash', message: 'Ask the user.' }]
  expect(await check('npm test', { enabled: true, rules })).toMatchObject({ message: 'Ask the user.' })
  expect(await check('ls && npm test', { enabled: true, rules })).toBeUndefined()
  const each = rules.map(rule => ({ ...rule, against: 'each-command' as const }))
  expect(await check('ls && npm test', { enabled: true, rules: each })).toMatchObject({ message: 'Ask the user.' })
  expect(() => createInterceptor({ enabled: true, rules: [{ pattern: '(', tool: 'bash' }] }, tools)).toThrow('regular expression')
})

describe('a host’s handler', () => {
  it('hears of every form, with its commands, and of what the rules say', async () => {
    const heard: InterceptorRequest[] = []
    const handler = (request: InterceptorRequest): undefined => void heard.push(request)
    expect(await check('cd sub && sudo cat <<EOF > f && tee g\nx\nEOF', { enabled: true, handler })).toBeUndefined()
    await check('ls', { enabled: true, handler }, { cwd: 'sub' })
    const seen = heard.map(({ forms, cwd, rule }) => ({
      cwd,
      rule: rule?.rule,
      forms: forms.map(({ kind, parsed }) => [
        kind,
        ...(parsed?.commands ?? []).map(({ words }) => words.map(({ text }) => text).join(' ')),
      ]),
    }))
    expect(seen).toEqual([
      {
        cwd: undefined,
        rule: undefined,
        forms: [
          ['original', 'cd sub', 'sudo cat', 'tee g'],
          ['without-cd', 'sudo cat', 'tee g'],
          ['without-prefix', 'cd sub', 'cat', 'tee g'],
        ],
      },
      { cwd: 'sub', rule: undefined, forms: [['original', 'ls']] },
    ])
  })

  it.each([
    ['lets pass what a rule would block', 'cat x', { kind: 'allow' }, undefined],
    ['blocks what no rule would', 'ls', { kind: 'block', message: 'No.' }, { tool: undefined, rule: 'handler', message: 'No.' }],
    ['names a tool', 'ls', { kind: 'block', tool: 'find', message: 'No.' }, { tool: 'find', shownTool: 'find' }],
    ['has nothing to say', 'cat x', undefined, { tool: 'read', rule: 'read-file' }],
  ] as const)('%s', async (_name, command, answer, expected) => {
    const result = await check(command, { enabled: true, handler: () => Promise.resolve(answer) })
    if (expected === undefined) expect(result).toBeUndefined()
    else expect(result).toMatchObject(expected)
  })
})

it('a blocked call runs nothing and names the tool', async () => {
  const session = await openToolSession(
    { x: 'x' },
    { shell: 'just-bash', toolset: { bashInterceptor: { enabled: true }, rename: { read: 'open_file' } } },
  )
  const result = await session.call('bash', { command: 'head -n 1 x' })
  expect(result).toMatchObject({
    isError: true,
    details: { intercepted: { tool: 'read', rule: 'read-file' }, error: { code: 'intercepted' } },
  })
  expect(await session.failure('bash', { command: 'head -n 1 x' })).toMatchObject({ text: expect.stringContaining('open_file') })
  expect(await session.text('bash', { command: 'ls' })).toBe('x\n')
})

function named(...names: readonly string[]): ReadonlyMap<string, string> {
  return new Map(names.map(name => [name, name]))
}
