// Web addresses through `read`, over servers that are a table: what is asked for, what is shown, and what is never asked.

import { describe, expect, it } from 'vitest'

import { openToolSession, type ToolSession } from '../../testing/tool-session.ts'

interface Served {
  readonly body?: string | Uint8Array | ReadableStream<Uint8Array>
  readonly type?: string
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
}

interface Web {
  readonly session: ToolSession
  readonly asked: readonly string[]
}

async function openWeb(served: Readonly<Record<string, Served>>, options: object = {}): Promise<Web> {
  const asked: string[] = []
  const fetch = (url: string): Promise<Response> => {
    asked.push(url)
    const { body, type = 'text/plain', status = 200, headers = {} } = served[url] ?? { body: 'not there', status: 404 }
    return Promise.resolve(new Response(body as BodyInit, { status, headers: { 'content-type': type, ...headers } }))
  }
  return { session: await openToolSession({}, { fetch, ...options }), asked }
}

const page = 'https://e.org/p'
const long = 'A sentence that is long enough for a text of its own. '.repeat(4).trim()
const bodyOf = (text: string): string => text.slice(text.indexOf('---\n\n') + 5)

describe('what is shown', () => {
  const rows: readonly (readonly [name: string, served: Readonly<Record<string, Served>>, shown: RegExp])[] = [
    [
      'a page as Markdown',
      { [page]: { type: 'text/html; charset=utf-8', body: `<h2>T</h2><p>${long}</p>` } },
      /## T\n\nA sentence/,
    ],
    [
      'a page of another encoding',
      { [page]: { type: 'text/html; charset=latin1', body: new Uint8Array([60, 112, 62, 0xe9]) } },
      /é/,
    ],
    ['text', { [page]: { body: 'a <b>\n' } }, /Method: text\n\n---\n\na <b>/],
    ['JSON as it is', { [page]: { type: 'application/json', body: '{"cells":[]}' } }, /---\n\n\{"cells":\[\]\}/],
    ['a page without a type', { [page]: { type: '', body: `<!doctype html><html><p>${long}</p></html>` } }, /---\n\nA sentence/],
    [
      'bytes by their type',
      { [page]: { type: 'application/octet-stream', body: new Uint8Array([0, 1, 2]) } },
      /which is not shown as text/,
    ],
    ['a type that is no type', { [page]: { type: 'constructor', body: 'a text' } }, /which is not shown as text/],
    ['an answer that is an error', { [page]: { status: 500, body: 'broken' } }, /Method: failed\n\n---\n\nbroken/],
    [
      'the Markdown that a page names',
      {
        [page]: { type: 'text/html', body: '<link rel="alternate" type="text/markdown" href="/p.txt"><p>x</p>' },
        'https://e.org/p.txt': { body: `# Named\n\n${long}` },
      },
      /Method: alternate-markdown\nNotes: Markdown of https:\/\/e\.org\/p\.txt\n\n---\n\n# Named/,
    ],
    [
      'the Markdown beside a page',
      { [page]: { type: 'text/html', body: '<p>x</p>' }, 'https://e.org/p.md': { body: `# Beside\n\n${long}` } },
      /Method: md-suffix\n\n---\n\n# Beside/,
    ],
    [
      'llms.txt of a page without text',
      { [page]: { type: 'text/html', body: '<div id="app"></div>' }, 'https://e.org/llms.txt': { body: `# All\n\n${long}` } },
      /Method: llms-txt .*\n\n---\n\n# All/,
    ],
    [
      'where redirects lead',
      { [page]: { status: 302, headers: { location: '/q' } }, 'https://e.org/q': { body: 'there' } },
      /URL: https:\/\/e\.org\/q\n[^]*there/,
    ],
    [
      'rtf by its type, without a name',
      { [page]: { type: 'application/rtf', body: String.raw`{\rtf1 some \b text\b0}` } },
      /\*\*text\*\*|some/,
    ],
  ]
  it.each(rows)('%s', async (_name, served, shown) => {
    const { session } = await openWeb(served)
    expect(await session.text('read', { path: page })).toMatch(shown)
    await session.workspace.dispose()
  })

  it('lines of a page, which is asked for once', async () => {
    const { session, asked } = await openWeb({
      [page]: { body: Array.from({ length: 400 }, (_, index) => `l${index + 1}`).join('\n') },
    })
    const whole = await session.text('read', { path: page })
    expect(bodyOf(whole)).toMatch(/^l1\n[^]*\nl300\n\n\[Showing first 300 of 400 lines\. Full output: artifact:\/\/\d+\./)
    expect(await session.text('read', { path: `${page}:399-400` })).toContain('l399\nl400')
    expect(await session.text('read', { path: `${page}:5+1:raw` })).toBe('l5\n')
    expect(await session.text('read', { path: `${/artifact:\/\/\d+/.exec(whole)?.[0]}:301-302:raw` })).toContain('l301\nl302')
    expect(asked).toEqual([page])
    const result = await session.call('read', { path: page })
    expect(result.details).toMatchObject({
      status: 200,
      meta: { source: 'url', sourcePath: page },
      truncation: { totalLines: 400 },
    })
  })

  it('at most 50 KiB', async () => {
    const { session } = await openWeb({ [page]: { body: `${'x'.repeat(1023)}\n`.repeat(100) } })
    expect(await session.text('read', { path: page })).toContain('[Showing first 50 of 101 lines.')
  })
})

describe('what is refused', () => {
  const rows: readonly (readonly [name: string, served: Readonly<Record<string, Served>>, path: string, code: string])[] = [
    ['an address of this machine', {}, 'http://127.0.0.1/x', 'url-refused'],
    ['one in another notation', {}, 'http://2130706433/', 'url-refused'],
    [
      'a redirect to one',
      { [page]: { status: 302, headers: { location: 'http://169.254.169.254/latest' } } },
      page,
      'url-refused',
    ],
    ['redirects without end', { [page]: { status: 301, headers: { location: page } } }, page, 'url-failed'],
    [
      'a body that says that it is too large',
      { [page]: { body: 'x', headers: { 'content-length': '20000000' } } },
      page,
      'url-too-large',
    ],
    ['a body that does not end', { [page]: { body: endless() } }, page, 'url-too-large'],
  ]
  it.each(rows)('%s', async (_name, served, path, code) => {
    const { session, asked } = await openWeb(served)
    expect((await session.failure('read', { path })).code).toBe(code)
    expect(asked.every(url => url === page)).toBe(true)
  })

  it('what the host denies, and all without the permission to read', async () => {
    const denied = await openWeb({}, { urls: { deny: ['e.org'] } })
    expect((await denied.session.failure('read', { path: page })).code).toBe('url-refused')
    const none = await openWeb({}, { policy: { level: 'none' } })
    expect((await none.session.call('read', { path: page })).isError).toBe(true)
    expect([...denied.asked, ...none.asked]).toEqual([])
  })

  it('a failure of the network names the option for a proxy', async () => {
    const session = await openToolSession({}, { fetch: () => Promise.reject(new TypeError('Failed to fetch')) })
    const { text, code } = await session.failure('read', { path: page })
    expect([code, text.includes('`fetch` to createWorkspace')]).toEqual(['url-failed', true])
  })
})

function endless(): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: controller => controller.enqueue(new Uint8Array(1024 * 1024)) })
}
