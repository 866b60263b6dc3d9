// Files of every kind that are damaged in any way: each call has an answer, costs little, and the workspace goes on.

import { expect, it, onTestFinished } from 'vitest'

import { seeds } from '../depth.ts'
import { encodedPictures, formats } from '../images/pictures.ts'
import { mutated } from '../images/mutate.ts'
import { forSeeds } from '../random.ts'
import { openToolSession, type ToolSession } from '../tool-session.ts'
import { everyKindOfFile } from './files.ts'

const encoder = new TextEncoder()
const pictures = formats.map(format => {
  const picture = encodedPictures.find(each => each.format === format)
  return [`p.${format === 'farbfeld' ? 'ff' : format}`, picture?.bytes ?? new Uint8Array()] as const
})
const whole = [...Object.entries(everyKindOfFile()), ...pictures].map(
  ([path, content]) => [path.replace(/^.*\//, ''), typeof content === 'string' ? encoder.encode(content) : content] as const,
)

/** What is inside of a file of this name, and a change of it. */
function callsFor(path: string): readonly (readonly [tool: string, args: Readonly<Record<string, unknown>>])[] {
  const read = ['read', { path }] as const
  if (/\.(?:zip|gz|xz|zst|bz2)$/.test(path)) {
    return [
      read,
      ['read', { path: `${path}:src/a.ts` }],
      ['search', { pattern: 'x', paths: path }],
      ['find', { paths: [`${path}:**`] }],
      ['write', { path: `${path}:new.txt`, content: 'new' }],
    ]
  }
  if (path.endsWith('.db')) {
    return [
      read,
      ['read', { path: `${path}?q=select * from users order by 2` }],
      ['write', { path: `${path}:users`, content: '{name: 1}' }],
    ]
  }
  return [read, ['search', { pattern: 'x', paths: path }]]
}

/** Of the process with all of its threads: how busy the machine is does not count. */
function processorMs(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const maxProcessorMs = 2_000
/** All files are smaller than a tenth of this. */
const maxMemoryMb = 256
const peakMb = (): number => process.resourceUsage().maxRSS / 1024

async function callAll(session: ToolSession, path: string, bytes: Uint8Array): Promise<void> {
  await session.fs.writeFile(`/workspace/${path}`, bytes)
  for (const [tool, args] of callsFor(path)) {
    const before = processorMs()
    const { isError, details } = await session.call(tool, args)
    const takenMs = processorMs() - before
    const call = `${tool} ${JSON.stringify(args)}`
    if (isError) expect(details['error'], call).toMatchObject({ code: expect.any(String) })
    expect(takenMs, `${call}: ms of the processor`).toBeLessThan(maxProcessorMs)
  }
  await session.fs.rm(`/workspace/${path}`)
}

const rounds = Math.ceil(seeds({ quick: whole.length, deep: 20_000 }) / whole.length)

it.each(whole)(`%s, damaged in ${rounds} ways`, async (path, bytes) => {
  const session = await openToolSession({})
  onTestFinished(() => session.workspace.dispose())
  // What a kind loads is no cost of a file.
  await callAll(session, path, bytes)
  const beforeMb = peakMb()
  await forSeeds(rounds, random => callAll(session, path, mutated(bytes, random)))
  expect(peakMb() - beforeMb, 'MB of memory').toBeLessThan(maxMemoryMb)
})
