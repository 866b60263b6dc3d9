// Open editors as a host uses them, in this thread and across a worker: how tools, commands and the disk interact with them.

import { describe, expect, test } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import type { Buffer, BufferConflict, BufferEdit, BufferRules } from '../buffers/buffer.ts'
import type { Toolset } from '../core/tool.ts'
import { isDeep } from '../testing/depth.ts'
import { textOf } from '../testing/tool-session.ts'
import { overlay } from '../vfs/overlay.ts'
import { createWorkspace } from './create-workspace.ts'
import type { Workspace, WorkspaceOptions } from './workspace.ts'
import { openAcross, openHere } from '../testing/workspace-places.ts'

type Options = Pick<WorkspaceOptions, 'buffers' | 'policy' | 'history'>

const files = {
  'a.txt': 'one\ntwo\nthree\nfour\n',
  'win.txt': 'x\r\ny\r\n',
  'mixed.txt': '\uFEFFa\r\nb\nc\r\n',
  'img.png': new Uint8Array([0, 1]),
}
const places: Readonly<Record<string, (options: Options) => Promise<Workspace>>> = {
  'in this thread': options => openHere({ fs: memory(files), ...options }),
  ...(isDeep ? { 'over an overlay': options => openHere({ fs: overlay(memory(files)), ...options }) } : {}),
  'across a worker': options => openAcross({ fs: memory(files), ...options }),
}

let workspace: Workspace | undefined

const at = '/workspace/a.txt'
const type = (buffer: Buffer, after: string, insert: string): void =>
  buffer.change([{ from: buffer.text.indexOf(after) + after.length, insert }])

describe.each(Object.entries(places))('%s', (place, make) => {
  const open = async (rules?: BufferRules, options: Options = {}): Promise<Workspace> =>
    (workspace = await make({ ...options, ...(rules === undefined ? {} : { buffers: rules }) }))
  const disk = async (path = at): Promise<string | undefined> => await workspace?.fs.readText(path)
  const typed = async (rules?: BufferRules): Promise<{ buffer: Buffer; tools: Toolset; edits: BufferEdit[] }> => {
    const on = await open(rules)
    const buffer = await on.buffers.open('a.txt')
    const edits: BufferEdit[] = []
    buffer.on('edit', edit => edits.push(edit))
    type(buffer, 'one', ' typed')
    await expect.poll(() => on.buffers.list()).toMatchObject([{ path: at, dirty: true }])
    return { buffer, tools: await on.toolset('ah', { actor: { kind: 'agent', name: 'main' } }), edits }
  }

  const later: readonly (readonly [
    what: string,
    onDisk: string | undefined,
    text: string,
    conflict: BufferConflict['kind'] | undefined,
  ])[] = [
    ['the file is as it was', files['a.txt'], 'one typed\ntwo\nthree\nfour\n', undefined],
    ['other lines changed', 'one\ntwo\nthree\n4\n', 'one typed\ntwo\nthree\n4\n', undefined],
    ['the same line changed', '1\ntwo\nthree\nfour\n', 'one typed\ntwo\nthree\nfour\n', 'changed'],
    ['the file was removed', undefined, 'one typed\ntwo\nthree\nfour\n', 'removed'],
    ['it was saved after all', 'one typed\ntwo\nthree\nfour\n', 'one typed\ntwo\nthree\nfour\n', undefined],
  ]
  test.each(later)('text that was not saved comes back on a later page: %s', async (_what, onDisk, text, conflict) => {
    const on = await open()
    const first = await on.buffers.open('a.txt')
    expect(first.unsaved).toBe(undefined)
    type(first, 'one', ' typed')
    const { unsaved } = first
    expect(unsaved).toEqual({ base: files['a.txt'], text: 'one typed\ntwo\nthree\nfour\n' })
    await first.close({ discard: true })
    if (onDisk === undefined) await on.fs.rm(at)
    else await on.fs.writeFile(at, onDisk)
    const buffer = await on.buffers.open('a.txt', { unsaved })
    expect([buffer.text, buffer.conflict?.kind, buffer.dirty]).toEqual([text, conflict, text !== onDisk])
    if (conflict !== undefined) await expect(buffer.save()).rejects.toMatchObject({ code: 'buffer-conflict' })
    await buffer.save({ overwrite: true })
    expect([await disk(), buffer.unsaved]).toEqual([text, undefined])
  })

  test('typed text is there at once, and saved as it is', async () => {
    const on = await open()
    const buffer = await on.buffers.open('a.txt')
    expect([buffer.path, buffer.text, buffer.dirty, buffer.rev]).toEqual([at, files['a.txt'], false, 0])
    buffer.change([{ from: 0, to: 3, insert: '1' }])
    expect([buffer.text, buffer.dirty, buffer.rev, await disk()]).toEqual(['1\ntwo\nthree\nfour\n', true, 1, files['a.txt']])
    await buffer.save()
    expect([buffer.dirty, await disk()]).toEqual([false, '1\ntwo\nthree\nfour\n'])
    buffer.change([{ from: 0, to: 1, insert: 'one' }])
    await buffer.revert()
    expect([buffer.dirty, buffer.text]).toEqual([false, '1\ntwo\nthree\nfour\n'])
    await buffer.close()
    expect(await on.buffers.list()).toEqual([])
    expect(() => buffer.change([{ from: 0, insert: 'x' }])).toThrow(expect.objectContaining({ code: 'buffer-closed' }))
  })

  test('tools read, find and search the text in the editor, and say so', async () => {
    const { tools } = await typed()
    const read = await tools.call('read', { path: 'a.txt' })
    expect(textOf(read)).toContain('one typed')
    expect(textOf(read)).toContain('unsaved: a.txt')
    expect(read.details['unsaved']).toEqual(['a.txt'])
    const atomic = await workspace?.toolset('atomic')
    const searched = await atomic?.call('search', { pattern: 'typed' })
    expect(searched && textOf(searched)).toContain('one typed')
    expect(searched && textOf(searched)).toContain('unsaved: a.txt')
  })

  test('an edit goes into an unsaved text as what differs, and leaves it unsaved', async () => {
    const { buffer, tools, edits } = await typed()
    await tools.call('read', { path: 'a.txt' })
    const edited = await tools.call('edit', { path: 'a.txt', old_string: 'three', new_string: 'thr33' })
    expect([edited.isError, textOf(edited)]).toEqual([false, expect.stringContaining('unsaved: a.txt')])
    await expect.poll(() => buffer.text).toBe('one typed\ntwo\nthr33\nfour\n')
    expect(edits).toMatchObject([{ edits: [{ from: 17, to: 19, insert: '33' }], by: { actor: { kind: 'agent', name: 'main' } } }])
    expect([await disk(), buffer.dirty]).toEqual([files['a.txt'], true])
    await buffer.save()
    expect(await disk()).toBe('one typed\ntwo\nthr33\nfour\n')
  })

  test.each<[NonNullable<BufferRules['edits']>, boolean, string, boolean]>([
    ['save-clean', false, 'ONE\ntwo\nthree\nfour\n', false],
    ['leave', false, files['a.txt'], true],
    ['save', true, 'ONE\ntwo\nthree\nfour typed\n', false],
    ['leave', true, files['a.txt'], true],
  ])('edits: %s, unsaved text before: %s', async (rule, isTyped, stored, isDirty) => {
    const on = await open({ edits: rule })
    const buffer = await on.buffers.open('a.txt')
    if (isTyped) type(buffer, 'four', ' typed')
    if (isTyped) await expect.poll(() => on.buffers.list()).toMatchObject([{ dirty: true }])
    const tools = await on.toolset('ah')
    await tools.call('read', { path: 'a.txt' })
    const edited = await tools.call('edit', { path: 'a.txt', old_string: 'one', new_string: 'ONE' })
    expect(edited.isError).toBe(false)
    await expect.poll(() => [buffer.text, buffer.dirty]).toEqual([`ONE\ntwo\nthree\nfour${isTyped ? ' typed' : ''}\n`, isDirty])
    expect(await disk()).toBe(stored)
    expect(edited.details['unsaved']).toEqual(isDirty ? ['a.txt'] : undefined)
  })

  test.each<[NonNullable<BufferRules['commands']>, boolean, string, string]>([
    ['save', false, 'one typed', 'one typed\ntwo\nthree\nfour\n'],
    ['refuse', true, 'a.txt', files['a.txt']],
    ['tell', false, 'unsaved: a.txt', files['a.txt']],
  ])('commands: %s', async (rule, isError, shown, stored) => {
    const { tools } = await typed({ commands: rule })
    const result = await tools.call('bash', { command: 'head -1 a.txt' })
    expect([result.isError, textOf(result)]).toEqual([isError, expect.stringContaining(shown)])
    expect(await disk()).toBe(stored)
  })

  test.each<[BufferRules['commands'], number, string, string]>([
    ['save', 0, 'one typed', 'one typed\ntwo\nthree\nfour\n'],
    ['refuse', 1, 'The command did not run: a.txt open with text that is not saved.', files['a.txt']],
    ['tell', 0, 'Note: unsaved: a.txt. The command sees what is on disk.\none', files['a.txt']],
  ])('commands of a session: %s', async (rule, exitCode, shown, stored) => {
    const { buffer } = await typed({ commands: rule })
    const shell = await (workspace as Workspace).shell.open()
    const end = await shell.run('head -1 a.txt')
    expect([end.exitCode, end.output]).toEqual([exitCode, expect.stringContaining(shown)])
    expect(await disk()).toBe(stored)
    await buffer.save()
    expect((await shell.run('head -1 a.txt')).output).toBe('one typed\n')
    await shell.close()
  })

  test('a session that was open before the editor saves it too', async () => {
    const on = await open({})
    const shell = await on.shell.open()
    await shell.run('cd /')
    const buffer = await on.buffers.open('a.txt')
    type(buffer, 'one', ' typed')
    await expect.poll(() => on.buffers.list()).toMatchObject([{ dirty: true }])
    expect(await shell.run(`head -1 ${at}`)).toMatchObject({ cwd: '/', output: 'one typed\n' })
    await shell.close()
  })

  test('a change on disk is merged into an unsaved text', async () => {
    const { buffer, edits } = await typed()
    await workspace?.as({ kind: 'agent', name: 'other' }).fs.writeFile(at, 'one\ntwo\nthree\nFOUR\n')
    await expect.poll(() => buffer.text).toBe('one typed\ntwo\nthree\nFOUR\n')
    expect(edits).toMatchObject([{ by: { actor: { name: 'other' } } }])
    await buffer.save()
    expect([await disk(), buffer.dirty]).toEqual(['one typed\ntwo\nthree\nFOUR\n', false])
  })

  test.each<[string, (on: Workspace) => Promise<unknown>, BufferConflict['kind'], string | undefined]>([
    ['in the same line', on => on.fs.writeFile(at, 'ONE\ntwo\n'), 'changed', 'ONE\ntwo\n'],
    ['to bytes', on => on.fs.writeFile(at, new Uint8Array([0, 255])), 'not-text', undefined],
    ['that removes it', on => on.fs.rm(at), 'removed', undefined],
  ])('a change on disk %s is a conflict, until it is resolved', async (_name, act, kind, reverted) => {
    const { buffer } = await typed()
    const conflicts: (string | undefined)[] = []
    buffer.on('conflict', conflict => conflicts.push(conflict?.kind))
    if (workspace !== undefined) await act(workspace)
    await expect.poll(() => conflicts).toEqual([kind])
    await expect(buffer.save()).rejects.toMatchObject({ code: 'buffer-conflict' })
    if (reverted === undefined) {
      await buffer.save({ overwrite: true })
      expect(await disk()).toBe('one typed\ntwo\nthree\nfour\n')
    } else {
      await buffer.revert()
      expect(buffer.text).toBe(reverted)
    }
    expect([buffer.dirty, conflicts]).toEqual([false, [kind, undefined]])
  })

  test('an editor that saves what changed on disk in the same moment does not overwrite it', async () => {
    const { buffer } = await typed()
    await workspace?.fs.writeFile(at, 'ONE\n')
    await expect(buffer.save()).rejects.toMatchObject({ code: 'buffer-conflict' })
    expect(await disk()).toBe('ONE\n')
  })

  test('line endings and a byte order mark stay, each where it was', async () => {
    const on = await open()
    const [win, mixed] = [await on.buffers.open('win.txt'), await on.buffers.open('mixed.txt')]
    expect([win.text, mixed.text]).toEqual(['x\ny\n', 'a\nb\nc\n'])
    win.change([{ from: 1, insert: '\nnew' }])
    mixed.change([{ from: 0, insert: '>\n' }])
    await on.buffers.saveAll()
    expect(await disk('/workspace/win.txt')).toBe('x\r\nnew\r\ny\r\n')
    expect(new TextDecoder('utf-8', { ignoreBOM: true }).decode(await on.fs.readFile('/workspace/mixed.txt'))).toBe(
      '\uFEFF>\r\na\r\nb\nc\r\n',
    )
  })

  test('two editors of a file share its text', async () => {
    const on = await open()
    const [one, two] = [await on.buffers.open(at), await on.buffers.open('./a.txt')]
    one.change([{ from: 0, insert: '1' }])
    two.change([{ from: 0, insert: '2' }])
    await expect.poll(() => one.text === two.text).toBe(true)
    expect(one.text).toMatch(/^(12|21)one/)
    await one.close()
    await expect(two.close()).rejects.toMatchObject({ code: 'buffer-unsaved' })
    await two.close({ discard: true })
    expect(await disk()).toBe(files['a.txt'])
  })

  test('a new file is there for tools before it is saved', async () => {
    const on = await open()
    const buffer = await on.buffers.open('new.txt', { create: true })
    buffer.change([{ from: 0, insert: 'fresh\n' }])
    await expect.poll(() => on.buffers.list()).toMatchObject([{ dirty: true }])
    const tools = await on.toolset('atomic')
    expect(textOf(await tools.call('read', { path: 'new.txt' }))).toContain('fresh')
    expect(textOf(await tools.call('find', { paths: ['*.txt'] }))).toContain('new.txt')
    expect(await on.fs.exists('/workspace/new.txt')).toBe(false)
    await buffer.save()
    expect(await disk('/workspace/new.txt')).toBe('fresh\n')
  })

  test('an editor follows its file', async () => {
    const { buffer } = await typed()
    await workspace?.fs.mkdir('/workspace/dir')
    await workspace?.fs.rename(at, '/workspace/dir/b.txt')
    await expect.poll(() => buffer.path).toBe('/workspace/dir/b.txt')
    await buffer.save()
    expect(await disk('/workspace/dir/b.txt')).toBe('one typed\ntwo\nthree\nfour\n')
    expect(await workspace?.fs.exists(at)).toBe(false)
  })

  test.each([
    ['missing.txt', 'ENOENT'],
    ['.', 'EISDIR'],
    ['img.png', 'binary-file'],
  ])('%s cannot be opened: %s', async (path, code) => {
    const on = await open()
    await expect(on.buffers.open(path)).rejects.toMatchObject({ code })
    expect(await on.buffers.list()).toEqual([])
  })

  test('half of a character is not stored', async () => {
    const { buffer, tools } = await typed()
    buffer.change([{ from: 0, insert: '\ud83d' }])
    await expect(buffer.save()).rejects.toMatchObject({ code: 'invalid-text' })
    expect((await tools.call('read', { path: 'a.txt' })).isError).toBe(true)
    buffer.change([{ from: 1, insert: '\ude00' }])
    await buffer.save()
    expect(await disk()).toBe('😀one typed\ntwo\nthree\nfour\n')
  })

  test('an approval of an edit is void when the user types before it', async () => {
    if (place !== 'in this thread') return
    const seen: Buffer[] = []
    const on = await open(undefined, {
      policy: {
        level: 'ask',
        approve: async () => {
          for (const buffer of seen) type(buffer, 'two', '!')
          return 'allow'
        },
      },
    })
    seen.push(await on.buffers.open(at))
    const tools = await on.toolset('ah')
    await tools.call('read', { path: 'a.txt' })
    const edited = await tools.call('edit', { path: 'a.txt', old_string: 'two', new_string: '2' })
    expect(edited).toMatchObject({ isError: true, details: { error: { code: 'file-changed' } } })
    expect([seen[0]?.text, await disk()]).toEqual(['one\ntwo!\nthree\nfour\n', files['a.txt']])
  })
})

test('rules that do not exist are refused', async () => {
  const wrong = { edits: 'never' } as unknown as BufferRules
  await expect(createWorkspace({ fs: memory(), buffers: wrong })).rejects.toMatchObject({ code: 'workspace-options' })
})
