// Addresses inside a workspace: `local://`, skills, and those that a host's router opens.

import { describe, expect, it } from 'vitest'

import { openToolSession, tagIn, type ToolSession } from '../../testing/tool-session.ts'

const skill = '---\nname: review\ndescription: how to review\n---\nRead it twice.\n'
const files = {
  'a.txt': 'one\ntwo\n',
  '.agents/skills/review/SKILL.md': skill,
  '.agents/skills/review/notes/more.md': 'more\n',
  '/outside/secret': 'secret\n',
}

describe('local://', () => {
  it('is the file itself, with its tag', async () => {
    const session = await openToolSession(files)
    const shown = await session.text('read', { path: 'local://a.txt' })
    expect(shown).toContain('1:one\n2:two')
    await session.text('edit', { input: `[a.txt#${tagIn(shown)}]\nreplace 1..1:\n+ONE` })
    expect(await session.file('a.txt')).toBe('ONE\ntwo\n')
    await session.text('write', { path: 'local://b/c.txt', content: 'new\n' })
    expect(await session.file('b/c.txt')).toBe('new\n')
    expect(await session.text('search', { pattern: 'ONE', paths: 'local://a.txt' })).toContain('*1:ONE')
    expect(await session.text('search', { pattern: '.', paths: 'local://a.txt:2-2' })).toMatch(/ 1:ONE\n\*2:two$/)
    expect(await session.text('search', { pattern: '.', paths: ['local://a.txt', 'local://b'] })).toMatch(/\*2:two[^]*\*1:new/)
    expect(await session.text('find', { paths: ['local://b'] })).toContain('c.txt')
  })

  it('is the file in a command too', async () => {
    const session = await openToolSession(files, { shell: 'just-bash' })
    expect(await session.text('bash', { command: 'cat local://a.txt' })).toContain('one\ntwo')
  })

  it.each([
    ['cat local://a.txt; echo done', 'one\ntwo\ndone'],
    ['cat local://a.txt|wc -l', '2'],
    ['wc -l <local://a.txt&&echo done', '2\ndone'],
    ['(cat local://a.txt)', 'one\ntwo'],
    ['cat "local://a.txt" \'local://b c;d.txt\'', 'one\ntwo'],
    ['grep -c . local://a.txt>out; cat out', '2'],
  ])('ends where the word of the shell does: %s', async (command, shown) => {
    const session = await openToolSession({ ...files, b: '', 'c;d.txt': '' }, { shell: 'just-bash' })
    expect((await session.call('bash', { command })).content).toMatchObject([{ text: expect.stringContaining(shown) }])
  })
})

describe('an address with blanks in a command', () => {
  const blanks = {
    ...files,
    'my notes/b c.txt': 'spaced',
    '.agents/skills/review/more info.md': 'info',
  }
  it.each([
    [`cat "local://my notes/b c.txt"`, 'spaced'],
    [`cat 'local://my notes/b c.txt'`, 'spaced'],
    ['cat local://my\\ notes/b\\ c.txt', 'spaced'],
    ['cat "skill://review/more info.md"', 'info'],
    ["cat 'skill://review/more info.md'; echo done", 'info'],
    ['cat skill://review/more\\ info.md', 'info'],
    ['cat "local://a.txt" "skill://review/more info.md"', 'one\ntwo\ninfo'],
    [`sh -c 'cat skill://review/SKILL.md local://a.txt'`, 'one\ntwo'],
    ['echo "skill://review is good"', 'SKILL.md is good'],
    ['echo "skill://review and skill://review/more"', 'SKILL.md and skill://review/more'],
  ])('%s', async (command, shown) => {
    const session = await openToolSession(blanks, { shell: 'just-bash' })
    expect((await session.call('bash', { command })).content).toMatchObject([{ text: expect.stringContaining(shown) }])
  })

  it('is a directory too', async () => {
    const session = await openToolSession(blanks, { shell: 'just-bash' })
    expect(await session.text('bash', { command: 'cat b*', cwd: 'local://my notes' })).toContain('spaced')
  })
})

describe('a text without a file in a command', () => {
  const open = async (): Promise<ToolSession> => {
    const session = await openToolSession(files, {
      shell: 'just-bash',
      router: {
        read: address => ({ 'issue://7': 'body\n', 'issue://a b': 'spaced\n' })[address],
        resolve: address => (address === 'vault://a' ? 'a.txt' : undefined),
      },
    })
    await session.text('bash', { command: 'seq 1 4000' })
    return session
  }

  it.each([
    ['cat artifact://1 | tail -n 1', '4000'],
    ['cat artifact://1|wc -l', '4000'],
    ['grep -c 9 "artifact://1"', '1084'],
    ['wc -l <artifact://1;echo done', '4000\ndone'],
    ['cmp artifact://1 artifact://1 && echo same', 'same'],
    ['cat artifact://1?bytes=0-4', '1\n2\n'],
    ['cat issue://7 vault://a', 'body\none\ntwo'],
    ["cat 'issue://a b'", 'spaced'],
    // It is no name of a file there.
    ['echo "fixes issue://7"', 'fixes issue://7'],
    ['echo "see artifact://1, issue://7"', 'see artifact://1, issue://7'],
    ['echo --about=issue://7', '--about=issue://7'],
    ['echo artifact://9 issue://8', 'artifact://9 issue://8'],
  ])('%s', async (command, shown) => {
    const session = await open()
    expect(await session.text('bash', { command })).toContain(shown)
    expect(await session.fs.exists('/tmp')).toBe(false)
  })

  it('has one in a variable and in the background too, and no longer than the command runs', async () => {
    const session = await open()
    expect(await session.text('bash', { command: 'cat $F', env: { F: 'issue://7' } })).toBe('body\n')
    const started = await session.call('bash', { command: 'sleep 0.2; tail -n 1 artifact://1; ls /tmp', async: true })
    const { jobId } = started.details['async'] as { readonly jobId: string }
    const ended = await session.text('bash', { command: `__atomic_bash_job ${jobId}`, timeout: 30 })
    expect(ended).toMatch(/\n4000\nartifact-1\.[0-9a-f]{8}$/m)
    await expect.poll(() => session.fs.exists('/tmp')).toBe(false)
    expect((await session.call('bash', { command: 'cat issue://7' })).details).not.toHaveProperty('changed')
  })

  it('leaves a directory for temporary files that was there', async () => {
    const session = await open()
    await session.fs.mkdir('/tmp')
    await session.text('bash', { command: 'cat issue://7' })
    expect(await session.fs.readdir('/tmp')).toEqual([])
  })

  it('is refused by name where no file can be made', async () => {
    const session = await openToolSession({ 'c.txt': '<<<<<<< a\nx\n=======\ny\n>>>>>>> b\n' }, { shell: 'just-bash' })
    const { code, text } = await session.failure('bash', { command: 'touch ran; cat conflict://1' })
    expect([code, text]).toEqual(['address-not-a-file', expect.stringContaining('Open it with read')])
    expect(await session.fs.exists('/workspace/ran')).toBe(false)
  })
})

describe('skill://', () => {
  it('is the text of a skill, or a file beside it', async () => {
    const session = await openToolSession(files)
    expect(await session.text('read', { path: 'skill://review' })).toContain('Read it twice.')
    expect(await session.text('read', { path: 'skill://review/notes/more.md' })).toContain('more')
    expect((await session.failure('read', { path: 'skill://other' })).text).toContain('List .agents/skills')
  })
})

describe('nothing leads out', () => {
  const rows = [
    'local://../outside/secret',
    'local:///outside/secret',
    'local://out/secret',
    'skill://review/../../../../outside/secret',
    'skill://review/out/secret',
    'skill://../skills/review',
  ]
  it.each(rows)('%s', async path => {
    const session = await openToolSession(files)
    await session.fs.symlink('/outside', '/workspace/out')
    await session.fs.symlink('/outside', '/workspace/.agents/skills/review/out')
    const result = await session.call('read', { path })
    expect({ isError: result.isError, shows: JSON.stringify(result.content).includes('secret\\n') }).toEqual({
      isError: true,
      shows: false,
    })
  })
})

describe('the router of a host', () => {
  const open = async (written: unknown[]): ReturnType<typeof openToolSession> =>
    openToolSession(files, {
      router: {
        read: address => (address === 'issue://7' ? 'Title\nbody of the issue\n' : undefined),
        // Finding nothing, it gives no `undefined`.
        list: address => ['issue://7'].filter(each => each.startsWith(address)),
        write: (address, content) => void written.push([address, content]),
      },
    })

  it('reads and searches what it names', async () => {
    const session = await open([])
    expect(await session.text('read', { path: 'issue://7' })).toContain('body of the issue')
    expect(await session.text('read', { path: 'issue://7:2-2:raw' })).toBe('body of the issue\n')
    expect(await session.text('search', { pattern: 'body', paths: 'issue://7' })).toContain('body of the issue')
    expect((await session.call('read', { path: 'issue://8' })).isError).toBe(true)
  })

  it('lists, and an empty list names nothing', async () => {
    const session = await open([])
    expect(await session.text('read', { path: 'issue://7:2-2' })).toBe('Title\nbody of the issue')
    expect(await session.text('read', { path: 'issue://' })).toBe('issue://7')
    expect(await session.text('find', { paths: ['issue://'] })).toContain('7')
    expect(await session.text('search', { pattern: 'body', paths: 'issue://' })).toContain('issue://7')
    for (const path of ['issue://8', 'skill://other', 'history://1']) {
      expect((await session.failure('read', { path })).code).toBe('ENOENT')
    }
  })

  it('writes', async () => {
    const written: unknown[] = []
    const session = await open(written)
    await session.text('write', { path: 'issue://7', content: 'changed' })
    expect(written).toEqual([['issue://7', 'changed']])
  })
})
