// Commands and tools on the same files, through the public interface: no writer silently overwrites another's change.
import { afterEach, describe, expect, it } from 'vitest'
import { justBash } from '../backends/just-bash/index.ts'
import type { CallContext } from '../core/tool.ts'
import { openToolSession, tagIn, type ToolSession } from '../testing/tool-session.ts'

let session: ToolSession

async function open(worker: 'auto' | 'none') {
  const opened = await openToolSession({ 'f.txt': 'one\ntwo\nthree\n', 'other.txt': 'x\n' }, { shell: justBash({ worker }) })
  session = opened
  return {
    fs: opened.fs,
    call: (name: string, args: unknown, context?: CallContext) => opened.call(name, args, context),
    text: (name: string, args: unknown) => opened.text(name, args),
    failure: (name: string, args: unknown) => opened.failure(name, args),
    file: (path: string) => opened.file(path),
  }
}

afterEach(() => session.workspace.dispose())

describe.each([
  ['in a worker', 'auto'],
  ['on the thread', 'none'],
] as const)('a command %s', (_name, worker) => {
  it('that changed a file makes an edit of what was read before fail, and the next read gives a fresh tag', async () => {
    const { text, failure, file } = await open(worker)
    const tag = tagIn(await text('read', { path: 'f.txt' }))
    await text('bash', { command: 'sed -i s/two/TWO/ f.txt' })
    const stale = await failure('edit', { input: `[f.txt#${tag}]\nreplace 2..2:\n+mine` })
    expect(stale.text).toMatch(/changed|read/i)
    expect(await file('f.txt')).toBe('one\nTWO\nthree\n')
    const fresh = tagIn(await text('read', { path: 'f.txt' }))
    expect(fresh).not.toBe(tag)
    await text('edit', { input: `[f.txt#${fresh}]\nreplace 2..2:\n+mine` })
    expect(await file('f.txt')).toBe('one\nmine\nthree\n')
  })

  it('that changed other lines leaves an edit either refused or merged, and both changes whole', async () => {
    const { text, call, file } = await open(worker)
    const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`).join('\n')
    await text('bash', { command: `cat > long.txt <<'EOF'\n${lines}\nEOF` })
    const tag = tagIn(await text('read', { path: 'long.txt' }))
    await text('bash', { command: "sed -i 's/^line 1$/LINE ONE/' long.txt" })
    const result = await call('edit', { input: `[long.txt#${tag}]\nreplace 40..40:\n+LINE FORTY` })
    const now = await file('long.txt')
    expect(now).toContain('LINE ONE')
    expect(now.includes('LINE FORTY')).toBe(!result.isError)
  })

  it('that read a file does not undo what a tool wrote meanwhile: it fails, and the edit stays', async () => {
    const { text, call, fs, file } = await open(worker)
    const tag = tagIn(await text('read', { path: 'f.txt' }))
    const command = 'x=$(cat f.txt); touch seen; until [ -e go ]; do sleep 0.01; done; echo "$x more" > f.txt'
    const running = call('bash', { command })
    await expect.poll(() => fs.exists('/workspace/seen')).toBe(true)
    await text('edit', { input: `[f.txt#${tag}]\nreplace 1..1:\n+edited` })
    await fs.writeFile('/workspace/go', '')
    const result = await running
    expect(result.isError).toBe(true)
    expect(JSON.stringify(result.content)).toContain('ESTALE')
    expect(await file('f.txt')).toBe('edited\ntwo\nthree\n')
  })

  it('that only appends loses nothing and needs no look', async () => {
    const { text, call, fs, file } = await open(worker)
    const running = call('bash', { command: 'cat f.txt; touch seen; until [ -e go ]; do sleep 0.01; done; echo four >> f.txt' })
    await expect.poll(() => fs.exists('/workspace/seen')).toBe(true)
    const tag = tagIn(await text('read', { path: 'f.txt' }))
    await text('edit', { input: `[f.txt#${tag}]\nreplace 1..1:\n+edited` })
    await fs.writeFile('/workspace/go', '')
    expect((await running).isError).toBe(false)
    expect(await file('f.txt')).toBe('edited\ntwo\nthree\nfour\n')
  })

  it('may change a file over and over, by whatever way', async () => {
    const { text, file } = await open(worker)
    const command =
      'cat f.txt; sed -i s/one/1/ f.txt; echo 4 >> f.txt; chmod +x f.txt; touch f.txt; sed -i s/two/2/ f.txt; cp f.txt g; mv g f.txt; sed -i s/three/3/ f.txt; rm f.txt; echo new > f.txt; sed -i s/new/newer/ f.txt'
    await text('bash', { command })
    expect(await file('f.txt')).toBe('newer\n')
  })

  it('is not held up by edits of other files, nor they by it', async () => {
    const { text, call, fs, file } = await open(worker)
    const running = call('bash', { command: 'until [ -e go ]; do echo x >> f.txt; sleep 0.01; done' })
    const tag = tagIn(await text('read', { path: 'other.txt' }))
    await text('edit', { input: `[other.txt#${tag}]\nreplace 1..1:\n+y` })
    expect(await file('other.txt')).toBe('y\n')
    await fs.writeFile('/workspace/go', '')
    expect((await running).isError).toBe(false)
  })

  it('and many edits of one file at once: every line of both is there', async () => {
    const { text, call, file } = await open(worker)
    await text('write', { path: 'log.txt', content: 'head\n' })
    const running = call('bash', { command: 'for i in $(seq 1 60); do echo "shell $i" >> log.txt; done' })
    let edits = 0
    for (let attempt = 0; attempt < 40; attempt++) {
      const tag = tagIn(await text('read', { path: 'log.txt' }))
      const result = await call('edit', { input: `[log.txt#${tag}]\ninsert after 1:\n+edit ${attempt}` })
      if (!result.isError) edits += 1
    }
    expect((await running).isError).toBe(false)
    const lines = (await file('log.txt')).split('\n')
    expect(lines.filter(line => line.startsWith('shell ')).length).toBe(60)
    expect(lines.filter(line => line.startsWith('edit ')).length).toBe(edits)
    expect(edits).toBeGreaterThan(0)
  })
})

it('a stuck loop holds up no other call', async () => {
  const { call, text } = await open('auto')
  const controller = new AbortController()
  const stuck = call('bash', { command: 'while :; do :; done', timeout: 600 }, { signal: controller.signal })
  expect(await text('read', { path: 'other.txt' })).toContain('1:x')
  expect(await text('bash', { command: 'echo beside it' })).toContain('beside it')
  controller.abort('enough')
  await expect(stuck).rejects.toBe('enough')
  expect(await text('bash', { command: 'echo after' })).toContain('after')
})
