// `workspace.toolset(name, { rename, only, limits })` for every toolset: renamed tools work and appear under their new name in the texts of
// the others, omitted tools are missing, and a tighter limit is enforced and quoted.

import { describe, expect, it } from 'vitest'

import { pathTools } from './path-tools.ts'
import { openToolSession } from './tool-session.ts'
import { toolsets } from '../workspace/toolsets.ts'

const names = toolsets.map(({ name }) => name)

describe.each(names)('%s', name => {
  const own = pathTools.filter(({ toolset }) => toolset === name)
  const readerOf = own.find(({ kind }) => kind === 'look')
  if (readerOf === undefined) throw new Error('no tool that reads')
  const reader = readerOf

  it('a renamed tool answers to its new name only', async () => {
    const session = await openToolSession({ f: 'keep\n' }, { name, toolset: { rename: { [reader.tool]: 'open_file' } } })
    expect(session.tools.tools.map(tool => tool.name)).toContain('open_file')
    expect(await session.text('open_file', await reader.args(session, 'f'))).toContain('keep')
    expect((await session.failure(reader.tool, await reader.args(session, 'f'))).code).toBe('unknown-tool')
  })

  it('texts that name it say what it is called', async () => {
    const plain = await openToolSession({}, { name })
    const renamed = await openToolSession({}, { name, toolset: { rename: { [reader.tool]: 'open_file' } } })
    let told = 0
    for (const [index, tool] of plain.tools.tools.entries()) {
      const description = renamed.tools.tools[index]?.description ?? ''
      const isNamed = new RegExp(`(?<![\\w-])${reader.tool}(?![\\w-])`).test(tool.description)
      expect([tool.name, description.includes(`\`${reader.tool}\` is called \`open_file\``)]).toEqual([tool.name, isNamed])
      if (isNamed) told++
      else expect(description).toBe(tool.description)
    }
    expect(told).toBeGreaterThan(0)
  })

  it('an error that sends the model on says so too', async () => {
    const others = Object.fromEntries(own.map(({ tool }) => [tool, `my_${tool}`]))
    const session = await openToolSession({}, { name, toolset: { rename: others } })
    const { text } = await session.failure(`my_${reader.tool}`, await reader.args(session, 'missing'))
    for (const { tool } of own) {
      if (new RegExp(`(?<![\\w-])${tool}(?![\\w-])`).test(text.replaceAll(/`[^`]*`/g, '')))
        expect(text).toContain(`\`${tool}\` is called`)
    }
  })

  it('only some tools', async () => {
    const session = await openToolSession({ f: 'keep\n' }, { name, toolset: { only: [reader.tool] } })
    expect(session.tools.tools.map(tool => tool.name)).toEqual([reader.tool])
    expect(await session.text(reader.tool, await reader.args(session, 'f'))).toContain('keep')
    for (const { tool } of own) {
      if (tool !== reader.tool) expect((await session.failure(tool, {})).code).toBe('unknown-tool')
    }
  })

  it.each([
    [{ only: ['no_such_tool'] }],
    [{ rename: { no_such_tool: 'x' } }],
    [{ rename: { [reader.tool]: 'Not A Name' } }],
    [{ rename: { [reader.tool]: own.find(({ tool }) => tool !== reader.tool)?.tool ?? '' } }],
  ])('%j is refused', async toolset => {
    await expect(openToolSession({}, { name, toolset })).rejects.toMatchObject({ code: 'toolset-options' })
  })

  it('a limit of its own', async () => {
    const toolset = { limits: { textMaxBytes: 10 } }
    const session = await openToolSession({ small: 'keep\n', large: 'keep '.repeat(10) }, { name, toolset })
    expect(await session.text(reader.tool, await reader.args(session, 'small'))).toContain('keep')
    expect((await session.failure(reader.tool, await reader.args(session, 'large'))).code).toBe('file-too-large')
  })
})
