import { describe, expect, it } from 'vitest'

import { openToolSession } from '../../../testing/tool-session.ts'
import { createInterceptor } from './interceptor.ts'

const tools = named('read', 'write', 'edit', 'bash', 'find', 'search')
const interceptor = createInterceptor({ enabled: true }, tools)

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
    it.each(commands)(`${tool ?? 'none'}: %s`, command => {
      expect(interceptor.check(command, false)?.tool).toBe(tool)
    })
  }
})

it('leaves a leading cd alone when the call names its directory', () => {
  expect(interceptor.check('cd sub && cat x', true)).toBeUndefined()
})

it('sends nothing to a tool that the model does not have, and nothing at all unless asked to', () => {
  expect(createInterceptor({ enabled: true }, named('bash', 'search')).check('cat x', false)).toBeUndefined()
  expect(createInterceptor({ enabled: false }, tools).check('cat x', false)).toBeUndefined()
  expect(createInterceptor(undefined, tools).check('cat x', false)).toBeUndefined()
})

it('tries a host’s rules first, and refuses one that is none', () => {
  const rules = [{ pattern: '^npm (test|run)', tool: 'bash', message: 'Ask the user.' }]
  expect(createInterceptor({ enabled: true, rules }, tools).check('npm test', false)).toMatchObject({ message: 'Ask the user.' })
  expect(() => createInterceptor({ enabled: true, rules: [{ pattern: '(', tool: 'bash' }] }, tools)).toThrow('regular expression')
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
