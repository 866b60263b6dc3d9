import { describe, expect, it } from 'vitest'
import { StateBudget } from '../../../session/state-budget.ts'
import { asSavedScratchpad } from './saved.ts'
import { Scratchpad } from './store.ts'

let now = 0
const filled = (): Scratchpad => {
  const scratchpad = new Scratchpad(1000, () => now++)
  scratchpad.set('old', 'a')
  scratchpad.set('large', 'x'.repeat(500))
  scratchpad.setNumbered('read_file', 'b')
  scratchpad.set('new', 'c')
  return scratchpad
}
const later = (saved: unknown, maxBytes = 1000): Scratchpad =>
  new Scratchpad(maxBytes, () => 0, asSavedScratchpad(JSON.parse(JSON.stringify(saved))))
const missing = (scratchpad: Scratchpad, name: string): string => {
  try {
    return scratchpad.get(name).text
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

describe('a scratchpad that goes on', () => {
  it('has every entry with its time, and counts on', () => {
    const before = filled()
    const after = later(before.save(new StateBudget(10_000)))
    expect(after.list()).toEqual(before.list())
    expect(after.setNumbered('read_file', 'x').name).toBe('read_file_2')
  })

  it('has the newest that the state had room for, and says what became of the others', () => {
    const after = later(filled().save(new StateBudget(200)))
    expect(after.list().map(({ name }) => name)).toEqual(['new', 'old', 'read_file_1'])
    expect(missing(after, 'large')).toBe(
      'scratchpad entry "large" (500B) was too large to be kept when this conversation was saved.',
    )
    expect(missing(after, 'never')).toBe('scratchpad entry "never" not found.')
    // Also after the next time.
    expect(missing(later(after.save(new StateBudget(200))), 'large')).toContain('too large')
    after.set('large', 'y')
    expect(missing(later(after.save(new StateBudget(200))), 'large')).toBe('y')
  })

  it('fits a limit that became smaller', () => {
    const after = later(filled().save(new StateBudget(10_000)), 100)
    expect(after.list().map(({ name }) => name)).toEqual(['new', 'old', 'read_file_1'])
    expect(() => after.set('more', 'x'.repeat(98))).toThrow(expect.objectContaining({ code: 'scratchpad-full' }))
    after.set('more', 'x'.repeat(97))
  })

  it.each([
    ['a name of two lines', { entries: [['a\nb', 'x', 0]], leftOut: [], nextNumbers: [] }],
    ['an entry without text', { entries: [['a']], leftOut: [], nextNumbers: [] }],
    ['no entries', { leftOut: [], nextNumbers: [] }],
  ])('%s is refused', (_name, saved) => {
    expect(() => asSavedScratchpad(saved)).toThrow(expect.objectContaining({ code: 'toolset-options' }))
  })
})
