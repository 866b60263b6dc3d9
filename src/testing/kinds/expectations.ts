// What every kind of address shows on every platform: one table, which Node, Chromium, Firefox and workerd run. The calls of a session
// follow one another.

import { describe, expect, it, onTestFinished } from 'vitest'

import { openToolSession, textOf, type ToolSession } from '../tool-session.ts'
import { everyKindOfFile } from './files.ts'

type Platform = 'node' | 'page' | 'workerd'

/** A pattern that the answer fits, or the code of the refusal. */
type Wanted = RegExp | { readonly refused: string; readonly says: RegExp }

interface Call {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  readonly wanted: Wanted
  /** Where a platform cannot do it. */
  readonly except?: Partial<Readonly<Record<Platform, Wanted>>>
}

const read = (path: string, wanted: Wanted, except?: Call['except']): Call => ({
  tool: 'read',
  args: { path },
  wanted,
  ...(except && { except }),
})
const write = (path: string, content: string, wanted: Wanted, except?: Call['except']): Call => ({
  tool: 'write',
  args: { path, content },
  wanted,
  ...(except && { except }),
})
const search = (pattern: string, paths: string, wanted: Wanted, except?: Call['except']): Call => ({
  tool: 'search',
  args: { pattern, paths },
  wanted,
  ...(except && { except }),
})
const find = (path: string, wanted: Wanted): Call => ({ tool: 'find', args: { paths: [path] }, wanted })

const noWasm = { workerd: { refused: 'sqlite-unsupported', says: /WebAssembly/ } } as const
const noBrowser = {
  node: { refused: 'image-too-large', says: /scaled in a browser only[^]*as PNG or JPEG/ },
  workerd: { refused: 'image-too-large', says: /scaled in a browser only[^]*as PNG or JPEG/ },
} as const

const sessions: Readonly<Record<string, readonly Call[]>> = {
  archives: [
    read('a.zip', /^n\.jar\np\.qoi\nraw\nsrc\/$/),
    read('a.zip:src/a.ts', /^export \{\}$/),
    read('a.zip:raw', /^named raw$/),
    read('a.zip:n.jar:in.txt', /^innermost$/),
    read('a.zip:p.qoi', /\[Image: a\.zip:p\.qoi, shown as PNG\][^]*\[image image\/png\]/),
    read('a.zip:none', { refused: 'ENOENT', says: /none/ }),
    read('a.zip:../up', { refused: 'ENOENT', says: /\.\.\/up/ }),
    write('a.zip:../up', 'x', { refused: 'archive-write', says: /leads out/ }),
    read('one.txt.gz', /^zipped alone$/),
    read('one.txt.xz', /^packed alone$/),
    read('one.txt.zst', /^packed alone$/),
    read('one.txt.bz2', /^packed alone$/),
    read('broken.zip', { refused: 'archive-damaged', says: /./ }),
    write('a.zip:new.txt', 'added\n', /Created|Wrote/),
    write('a.zip:raw', '@delete', /Removed/),
    read('a.zip:', /^n\.jar\nnew\.txt\np\.qoi\nsrc\/$/),
    ...['t.tar', 't.tgz', 't.tar.gz', 't.jar'].flatMap(name => [
      write(`${name}:d/x.txt`, `inside ${name}\n`, /Created|Wrote/),
      read(`${name}:d/x.txt`, /^inside t\./),
      search('inside', `${name}:`, /inside t\./),
      find(`${name}:**/*.txt`, /d\/\nx\.txt/),
    ]),
    write('one.txt.xz:a', 'x', { refused: 'archive-write', says: /read and not written/ }),
  ],
  databases: [
    read('d.db', /^\{"table":"users","rows":2\}$/, noWasm),
    read('d.db:users', /Schema:[^]*Rows:\n\{"id":1,"name":"Ada"\}/, noWasm),
    read('d.db:users:2', /^\{"id":2,"name":"Bob"\}$/, noWasm),
    read('d.db:users?where=id>1&order=id:desc&limit=5&offset=0', /^\{"id":2,"name":"Bob"\}$/, noWasm),
    read('d.db?q=select upper(name) as n from users', /^\{"n":"ADA"\}\n\{"n":"BOB"\}$/, noWasm),
    write('d.db:users', "{name: 'Cy', /* a comment */}", /Inserted row into users/, noWasm),
    write('d.db:users:1', "{name: 'Eve'}", /Updated row '1' in users/, noWasm),
    write('d.db:users:2', '', /Deleted row '2' in users/, noWasm),
    read('d.db:users?limit=9', /^\{"id":1,"name":"Eve"\}\n\{"id":3,"name":"Cy"\}$/, noWasm),
    search('Eve', 'd.db:users', /Eve/, noWasm),
    read('notes.db', /1:just text/),
  ],
  notebooks: [
    read('n.ipynb', /1:# %% \[markdown\] cell:0\n2:# Title\n3:# %% \[code\] cell:1\n4:print\(1\)\n5:print\(2\)/),
    read('n.ipynb:cell:1', /print\(1\)/),
    read('n.ipynb:raw', /"unknown": "stays"/),
    search('print', 'n.ipynb', /\*4:print\(1\)/),
  ],
  documents: [
    read('a.pdf', /^<!-- Page 1 -->\n\nfirst\n\n<!-- Page 2 -->\n\nsecond$/),
    read('a.pdf:page 2', /^<!-- Page 2 -->\n\nsecond$/),
    read('a.docx', /^of Word$/),
    read('a.xlsx:sheet Y2024', /^## Y2024\n\n\| y \|/),
    read('a.pptx:slide 1', /a slide/),
    read('a.epub', /# Chapter/),
    read('a.odt', /^open$/),
    read('a.rtf', /^rich$/),
    read('a.doc', /old words/),
    read('a.xls', /\| hi \|/),
    read('a.ppt', /old slide/),
    search('second', 'a.pdf', /second/),
  ],
  pictures: [
    read('p.qoi', /shown as PNG\][^]*\[image image\/png\]/),
    read('small.webp', /^\[Image: small\.webp\]\n\[image image\/webp\]$/),
    read('long.gif', /its first frame, 9000 × 2 pixels, scaled to 2000 × 1 and shown as PNG\]\n\[image image\/png\]/),
    read('long.webp', /9000 × 2 pixels, scaled to 2000 × 1 and shown as PNG\]\n\[image image\/png\]/, noBrowser),
    read('long.bmp', /9000 × 2 pixels, scaled to 2000 × 1 and shown as PNG\]\n\[image image\/png\]/, noBrowser),
  ],
  'web addresses': [
    read('https://e.org/page', /Method: native\n[^]*## Heading\n\nA sentence/),
    read('https://e.org/text:2-2', /second line/),
    read('https://e.org/data', /\{"a":1\}/),
    read('https://e.org/report', /of Word/),
    read('https://e.org/long', /\[Showing first 300 of 400 lines\. Full output: artifact:\/\/\d+/),
    read('https://cors.example/', { refused: 'url-failed', says: /CORS[^]*`fetch` to createWorkspace/ }),
    read('http://2130706433/', { refused: 'url-refused', says: /./ }),
    read('https://e.org/inward', { refused: 'url-refused', says: /169\.254\.169\.254/ }),
  ],
  'internal addresses': [
    read('local://a.txt', /^\[a\.txt#[0-9A-F]{4}\]\n1:one\n2:two/),
    write('local://b/c.txt', 'new\n', /\[b\/c\.txt#[0-9A-F]{4}\]/),
    read('skill://review', /Read it twice\./),
    read('issue://7', /^body of the issue$/),
    write('issue://7', 'changed\n', /issue:\/\/7/),
    read('issue://7', /^changed$/),
    read('vault://file', /1:one\n2:two/),
    find('issue://', /# issue:\/\/\n7/),
    search('chang', 'issue://7', /changed/),
    read('issue://8', { refused: 'ENOENT', says: /issue:\/\/8/ }),
    read('local://../out', { refused: 'path-outside-root', says: /./ }),
    read('conflict://*', /c\.txt/),
    write('conflict://1', '@theirs', /\[c\.txt#[0-9A-F]{4}\]/),
    read('c.txt:raw', /^a\ntheirs\nz\n$/),
    { tool: 'bash', args: { command: 'cat local://a.txt; cat skill://review/SKILL.md' }, wanted: /one\ntwo\nRead it twice\./ },
  ],
}

const long = 'A sentence that is long enough for a text of its own. '.repeat(4).trim()

function served(url: string): Promise<Response> {
  const answer = (type: string, body: string | Uint8Array, init: ResponseInit = {}): Promise<Response> =>
    Promise.resolve(new Response(body as BodyInit, { ...init, headers: { 'content-type': type, ...init.headers } }))
  switch (url) {
    case 'https://e.org/page':
      return answer('text/html', `<article><h2>Heading</h2><p>${long}</p></article>`)
    case 'https://e.org/text':
      return answer('text/plain', 'first line\nsecond line\n')
    case 'https://e.org/data':
      return answer('application/json', '{"a":1}')
    case 'https://e.org/long':
      return answer('text/plain', Array.from({ length: 400 }, (_, index) => `l${index}`).join('\n'))
    case 'https://e.org/report':
      return answer('application/vnd.openxmlformats-officedocument.wordprocessingml.document', everyKindOfFile()['a.docx'] ?? '')
    case 'https://e.org/inward':
      return answer('text/plain', '', { status: 302, headers: { location: 'http://169.254.169.254/latest' } })
    case 'https://cors.example/':
      return Promise.reject(new TypeError('Failed to fetch'))
    default:
      return answer('text/plain', 'not there', { status: 404 })
  }
}

function open(): Promise<ToolSession> {
  const issues = new Map([['issue://7', 'body of the issue\n']])
  return openToolSession(everyKindOfFile(), {
    shell: 'just-bash',
    fetch: served,
    router: {
      read: url => issues.get(url),
      write: (url, content) => {
        if (!issues.has(url)) return false
        issues.set(url, content)
        return true
      },
      resolve: url => (url === 'vault://file' ? 'a.txt' : undefined),
      list: url => (url === 'issue://' ? [...issues.keys()] : undefined),
    },
  })
}

export function describeEveryKind(platform: Platform): void {
  describe(`every kind of address, ${platform}`, () => {
    it.each(Object.entries(sessions))('%s', async (_kind, calls) => {
      const session = await open()
      onTestFinished(() => session.workspace.dispose())
      for (const { tool, args, wanted, except } of calls) {
        const result = await session.call(tool, args)
        expectAnswer(`${tool} ${JSON.stringify(args)}`, result, except?.[platform] ?? wanted)
      }
    })
  })
}

function expectAnswer(call: string, result: Awaited<ReturnType<ToolSession['call']>>, wanted: Wanted): void {
  const text = textOf(result)
  const code = result.isError ? (result.details['error'] as { readonly code: string }).code : undefined
  const isPattern = wanted instanceof RegExp
  expect({ call, code, text }).toEqual({
    call,
    code: isPattern ? undefined : wanted.refused,
    text: expect.stringMatching(isPattern ? wanted : wanted.says),
  })
}
