// Nothing is cut silently: whatever a tool left out can be read by following its notice, and joined together it is the complete text, byte
// for byte. Each test follows the notices literally; a notice that leads nowhere ends it.

import { describe, expect, it } from 'vitest'

import type { ToolResult } from '../core/tool.ts'
import { seeds } from './depth.ts'
import { openToolSession, textOf, type ToolSession } from './tool-session.ts'
import type { ToolsetName } from '../workspace/toolsets.ts'

/** With characters of one to four bytes, so that a wrong border is detected. */
const word = (index: number): string => `${index}·é😀${'x'.repeat(index % 7)}`
const many = Array.from({ length: seeds({ quick: 4500, deep: 9000 }) }, (_, index) => `line ${index + 1} ${word(index)}`)
const long = Array.from({ length: seeds({ quick: 5000, deep: 12_000 }) }, (_, index) => word(index)).join(' ')
const mixed = Array.from({ length: 300 }, (_, index) =>
  index === 99 || index === 100 ? `${index}${long}` : `short ${index + 1}`,
)
const matching = Object.fromEntries(
  Array.from({ length: 250 }, (_, index) => [`m/f${String(index).padStart(3, '0')}.txt`, `needle ${word(index)}\n`]),
)
const files = {
  'many.txt': `${many.join('\n')}\n`,
  'crlf.txt': `\uFEFF${many.join('\r\n')}`,
  'long.txt': long,
  'mixed.txt': `${mixed.join('\n')}\n`,
  ...matching,
}

const open = (name: ToolsetName): Promise<ToolSession> => openToolSession(files, { name, shell: 'just-bash' })
const blocks = ({ content }: ToolResult): readonly string[] =>
  content.flatMap(block => (block.type === 'text' ? [block.text] : []))

/** Makes call after call, as long as `next` finds the next call in a result. */
async function follow(
  session: ToolSession,
  first: readonly [tool: string, args: object],
  next: (result: ToolResult, args: object) => readonly [tool: string, args: object] | undefined,
): Promise<readonly ToolResult[]> {
  const results: ToolResult[] = []
  for (let call: typeof first | undefined = first; call !== undefined;) {
    const result = await session.call(...call)
    results.push(result)
    if (results.length > 500) throw new Error(`no end: ${JSON.stringify(call)}`)
    const following = next(result, call[1])
    // A refusal that names the next call is an intermediate step.
    if (result.isError && following === undefined) throw new Error(`${JSON.stringify(call)}: ${textOf(result)}`)
    call = following
  }
  return results
}

/** The pages of a kept output: the page is the first block, the notice the second. */
async function keptOutput(session: ToolSession, tool: string, address: string, key = 'path'): Promise<string> {
  const pages = await follow(session, [tool, { [key]: address }], result => {
    const nextAddress = /Go on with read(?:_file)? (artifact:\/\/\d+\?bytes=\d+-\d+)\.?\]$/m.exec(textOf(result))?.[1]
    return nextAddress === undefined ? undefined : [tool, { [key]: nextAddress }]
  })
  return pages.map(page => pageText(page)).join('')
}

/** Without the notice, which is in a separate block or in brackets below. */
function pageText(result: ToolResult): string {
  const output = result.structuredContent?.['output']
  if (typeof output === 'string') return output
  const [first = '', second] = blocks(result)
  return second === undefined ? first.replace(/\n\[Bytes [^\]]*\]$/, '') : first
}

describe('atomic', () => {
  /** Rows by number; for a line that is too long, uses the commands in the notice. */
  async function readWhole(path: string): Promise<readonly string[]> {
    const session = await open('atomic')
    const lines: string[] = []
    await follow(session, ['read', { path }], (result, args) => {
      const text = textOf(result)
      const asked = String(Object.values(args)[0])
      for (const [, number, row] of text.matchAll(/^(\d+):(.*)$/gm)) lines[Number(number) - 1] = row ?? ''
      const [, start = '', count = ''] = /:(\d+)\+(\d+)(?::raw)?$/.exec(asked) ?? []
      if (asked.endsWith(':raw') && !text.startsWith('Read refused')) {
        for (const [index, row] of text.trimEnd().split('\n').entries()) lines[Number(start) - 1 + index] = row
      }
      const selector = /Continue with path selector (:\S+?)\.\]/.exec(text)?.[1]
      const narrower = /- read\(\{"path": "([^"]+)"\}\)/.exec(text)?.[1]
      // A range that was shown completely has no notice; continue after it.
      const after =
        start === '' || Number(start) + Number(count) > mixed.length ? undefined : `${path}:${Number(start) + Number(count)}+200`
      const asNext = narrower ?? (selector === undefined ? after : path + selector)
      return asNext === undefined ? undefined : ['read', { path: asNext }]
    })
    for (let number = 1; number <= lines.length; number++)
      lines[number - 1] ??= await byBytes(session, `sed -n '${number}p' '${path}' |`, path)
    return lines
  }

  /** Follows a refusal: pages of bytes from the start, each the end of a longer start. */
  async function byBytes(session: ToolSession, start: string, path: string): Promise<string> {
    const told = textOf(await session.call('read', { path: start === '' ? path : `${path}:${/\d+/.exec(start)?.[0]}+1:raw` }))
    const sizeBytes = Number(/and so on, up to byte (\d+)\)/.exec(told)?.[1])
    expect(sizeBytes).toBeGreaterThan(0)
    const parts: string[] = []
    for (let at = 0; at < sizeBytes; at += 20_000) {
      const end = Math.min(at + 20_000, sizeBytes)
      const command = `${start} head -c ${end} ${start === '' ? `'${path}'` : ''} | tail -c ${end - at} | base64 -w 0`
      parts.push(atob((await session.text('bash', { command })).trim()))
    }
    return new TextDecoder().decode(Uint8Array.from(parts.join(''), unit => unit.charCodeAt(0)))
  }

  it.each([
    ['many.txt', many],
    ['crlf.txt', many],
    ['mixed.txt', mixed],
  ])('read %s', async (path, expected) => {
    expect(await readWhole(path)).toEqual(expected)
  })

  it('read of one long line, by the commands that the refusal names', async () => {
    expect(await byBytes(await open('atomic'), '', 'long.txt')).toBe(long)
  })

  it('read :raw keeps every byte from page to page', async () => {
    const session = await open('atomic')
    const pages = await follow(session, ['read', { path: 'crlf.txt:1+2000:raw' }], (result, args) => {
      if (result.isError) {
        const range = /\{"path": "(crlf\.txt:\d+\+\d+)"\}/.exec(textOf(result))?.[1]
        return range === undefined ? undefined : ['read', { path: `${range}:raw` }]
      }
      const selector = /Continue with path selector (:\S+?)\.\]/.exec(textOf(result))?.[1]
      const [, start] = /:(\d+)\+2000:raw$/.exec(String(Object.values(args)[0])) ?? []
      if (selector !== undefined) return ['read', { path: `crlf.txt${selector}` }]
      const at = Number(start) + 2000
      return start === undefined || at > many.length ? undefined : ['read', { path: `crlf.txt:${at}+2000:raw` }]
    })
    const shown = pages.filter(page => !page.isError)
    const text = shown.map(page => textOf(page).replace(/\n\n\[Showing lines .*\]$/, '')).join('')
    expect(text.startsWith('\uFEFFline 1 ')).toBe(true)
    expect(text.split('\r\n').slice(0, 100)).toEqual([`\uFEFF${many[0]}`, ...many.slice(1, 100)])
  })

  it.each(['cat many.txt', 'cat long.txt', 'cat mixed.txt', 'cat crlf.txt'])('bash %s', async command => {
    const session = await open('atomic')
    const address = /artifact:\/\/\d+/.exec(await session.text('bash', { command }))?.[0] ?? 'none'
    expect(await keptOutput(session, 'read', `${address}?bytes=0-99999999`)).toBe(files[command.slice(4) as 'many.txt'])
  })

  it('search, by skip', async () => {
    const session = await open('atomic')
    const pages = await follow(session, ['search', { pattern: 'needle', paths: ['m'] }], result => {
      const skip = /Use skip=(\d+)/.exec(textOf(result))?.[1]
      return skip === undefined ? undefined : ['search', { pattern: 'needle', paths: ['m'], skip: Number(skip) }]
    })
    const found = pages.flatMap(page => [...textOf(page).matchAll(/^\[(m\/f\d+\.txt)#/gm)].map(([, path = '']) => path))
    expect(found.sort()).toEqual(Object.keys(matching))
  })
})

describe('ah', () => {
  it.each([
    ['many.txt', many],
    ['mixed.txt', mixed],
    ['long.txt', [long]],
  ])('read %s', async (path, expected) => {
    const session = await open('ah')
    const cut = await session.text('read', { path })
    const [, whole, start, end] =
      /read (artifact:\/\/\d+); the part that was left out: read \1\?bytes=(\d+)-(\d+)\]/.exec(cut) ?? []
    const numbered = expected.map((line, index) => `${index + 1}\t${line}`).join('\n')
    expect(await keptOutput(session, 'read', whole ?? 'none')).toBe(numbered)
    const [head = '', tail = ''] = cut
      .replace(/\n\n\[Whole output: .*\]$/, '')
      .split(/\n\n\[output truncated: \d+ bytes removed from middle\]\n\n/)
    expect(head + (await keptOutput(session, 'read', `${whole}?bytes=${start}-${end}`)) + tail).toBe(numbered)
  })

  it.each(['cat many.txt', 'cat long.txt', 'cat mixed.txt'])('bash %s', async command => {
    const session = await open('ah')
    const address = /artifact:\/\/\d+/.exec(await session.text('bash', { command }))?.[0] ?? 'none'
    expect(await keptOutput(session, 'read', address)).toBe(files[command.slice(4) as 'many.txt'])
  })
})

describe('rye', () => {
  async function readWhole(path: string): Promise<readonly string[]> {
    const session = await open('rye')
    const lines: string[] = []
    const ahead: object[] = [{ file_path: path }]
    await follow(session, ['read', { file_path: path }], (result, args) => {
      const { offset = 1, column = 1 } = args as { offset?: number; column?: number }
      const text = textOf(result)
      const { output, line_count: count } = result.structuredContent ?? {}
      for (const [index, row] of String(output).split('\n').entries()) {
        const at = offset - 1 + index
        if (Number(count) > 0) lines[at] = (column > 1 ? (lines[at] ?? '') : '') + row.slice('[LID:000000] '.length)
      }
      const [, rest, from] = /For the rest: offset (\d+), limit 1, column (\d+)/.exec(text) ?? []
      const isAlone = 'limit' in args
      // The rest of a line first; then the page continues after it.
      if (rest !== undefined && from !== undefined) {
        const goOn = /Go on with offset (\d+)/.exec(text)?.[1]
        if (!isAlone) ahead.push({ file_path: path, offset: Number(rest) + 1 }, ...(goOn === undefined ? [] : []))
        return ['read', { file_path: path, offset: Number(rest), limit: 1, column: Number(from) }]
      }
      const goOn = /Go on with offset (\d+)/.exec(text)?.[1]
      const following = isAlone ? ahead.pop() : goOn === undefined ? undefined : { file_path: path, offset: Number(goOn) }
      return following === undefined || (following as { offset?: number }).offset === undefined ? undefined : ['read', following]
    })
    return lines
  }

  it.each([
    ['many.txt', many],
    ['crlf.txt', many],
    ['long.txt', [long]],
    ['mixed.txt', mixed],
  ])('read %s', async (path, expected) => {
    expect(await readWhole(path)).toEqual(expected)
  })

  it.each([
    ['glob', { pattern: 'm/*.txt' }, 'files'],
    ['grep', { pattern: 'needle' }, 'matches'],
    ['ls', { path: 'm' }, 'entries'],
  ] as const)('%s, by offset', async (tool, args, field) => {
    const session = await open('rye')
    const pages = await follow(session, [tool, args], result => {
      const offset = /offset (\d+)/.exec(blocks(result)[0] ?? '')?.[1]
      return offset === undefined ? undefined : [tool, { ...args, offset: Number(offset) }]
    })
    const found = pages.flatMap(page => page.structuredContent?.[field] as readonly (string | { file?: string; name?: string })[])
    expect(found.map(each => (typeof each === 'string' ? each : (each.file ?? each.name)))).toEqual(Object.keys(matching))
  })

  it('the diff of a large write', async () => {
    const session = await open('rye')
    const written = await session.call('write', { file_path: 'many.txt', content: many.map(line => `${line}!\n`).join('') })
    const address = /artifact:\/\/\d+/.exec(textOf(written))?.[0] ?? 'none'
    const diff = await keptOutput(session, 'read', `${address}?bytes=0-99999999`, 'file_path')
    expect(diff).toBe(written.details['patch'])
  })
})

describe('ecs', () => {
  async function readWhole(path: string): Promise<readonly string[]> {
    const session = await open('ecs')
    const lines: string[] = []
    const add = (text: string, offset: number): void => {
      for (const [index, row] of text
        .replace(/(\n\[[^\n]*\.\])+$/, '')
        .split('\n')
        .entries()) {
        const bare = row.replace(/^\d+#[0-9a-f]{4}\|/, '')
        lines[offset - 1 + index] = (lines[offset - 1 + index] ?? '') + bare
      }
    }
    for (let offset: number | undefined = 1; offset !== undefined;) {
      const result = await session.call('read_file', { path, offset, ...(path === 'mixed.txt' ? { limit: 1 } : {}) })
      const text = textOf(result)
      add(text, offset)
      for (let rest = restOf(text); rest !== undefined;) {
        const more = await session.text('read_file', { path, ...rest })
        add(more, rest.offset)
        rest = restOf(more)
      }
      offset = Number(/Go on with offset (\d+)/.exec(text)?.[1] ?? Number.NaN) || undefined
    }
    return lines
  }
  const restOf = (text: string): { offset: number; limit: number; column: number } | undefined => {
    const [, offset, column] = /For the rest: offset (\d+), limit 1, column (\d+)/.exec(text) ?? []
    return offset === undefined ? undefined : { offset: Number(offset), limit: 1, column: Number(column) }
  }

  it.each([
    ['many.txt', many],
    ['crlf.txt', many],
    ['long.txt', [long]],
    ['mixed.txt', mixed],
  ])('read_file %s', async (path, expected) => {
    expect(await readWhole(path)).toEqual(expected)
  })

  it.each(['cat many.txt', 'cat long.txt', 'cat mixed.txt'])('bash %s', async command => {
    const session = await open('ecs')
    const address = /artifact:\/\/\d+/.exec(await session.text('bash', { command }))?.[0] ?? 'none'
    expect(await keptOutput(session, 'read_file', `${address}?bytes=0-99999999`)).toBe(files[command.slice(4) as 'many.txt'])
  })
})

describe('agsh', () => {
  async function readWhole(path: string): Promise<string> {
    const session = await open('agsh')
    const parts: string[] = []
    for (let offset: number | undefined; ;) {
      const result = await session.call('read_file', { path, ...(offset === undefined ? {} : { offset }) })
      const [shown = '', notice = ''] = blocks(result)
      parts.push(await wholeOf(session, shown))
      const next = /showing (?:first (\d+)|lines \d+-(\d+)) of \d+/.exec(notice)
      offset = Number(next?.[1] ?? next?.[2] ?? Number.NaN)
      if (Number.isNaN(offset)) return parts.join('\n')
    }
  }

  /** A block that was too long is in the scratchpad; read in pages, or completely with the limit in the notice. */
  async function wholeOf(session: ToolSession, shown: string): Promise<string> {
    const [, name, limit] = /scratchpad_read, name "([^"]+)": (?:limit (\d+) for all of it, or )?page/.exec(shown) ?? []
    if (name === undefined) return shown
    let paged = ''
    for (let offset = 0; ;) {
      const [page = '', notice = ''] = blocks(await session.call('scratchpad_read', { name, offset }))
      paged += page
      const [, end, characters] = /showing characters \d+\.\.(\d+) of (\d+)/.exec(notice) ?? []
      if (end === undefined || end === characters) break
      offset = Number(end)
    }
    if (limit !== undefined) {
      expect(blocks(await session.call('scratchpad_read', { name, limit: Number(limit) }))[0]).toBe(paged)
    }
    return paged
  }

  it.each([
    ['many.txt', many.join('\n')],
    ['crlf.txt', many.join('\n')],
    ['long.txt', long],
    ['mixed.txt', mixed.join('\n')],
  ])('read_file %s', async (path, expected) => {
    expect(await readWhole(path)).toBe(expected)
  })
})
