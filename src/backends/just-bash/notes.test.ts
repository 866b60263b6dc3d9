import { expect, test } from 'vitest'
import { tableOf } from './commands/own-commands.ts'
import { missingCommands, notesOf } from './notes.ts'

test.each(missingCommands)('%s is not a program of this shell', name => expect(tableOf([]).has(name)).toBe(false))

test('a command that a host brings is not called missing', () => {
  const notes = notesOf('worker', [{ name: 'git', help: 'Version control.', run: () => Promise.resolve(0) }]).join('\n')
  expect(notes).toContain('Not available: node,')
  expect(notes).toContain('`git`: Version control.')
})
