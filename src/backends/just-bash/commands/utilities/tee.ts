// tee: copies its input to files and to its output.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { codeOf, reasonOf } from '../../errno.ts'
import { FileOutput } from '../filter/file-output.ts'
import { abbreviatedValue, has, parseArguments, optionTable } from '../options.ts'
import { complain, pathToWrite } from '../program.ts'

interface Target {
  /** As it was given. */
  readonly name: string
  readonly output: FileOutput
  copies: number
}

const modes = ['warn', 'warn-nopipe', 'exit', 'exit-nopipe']

export async function tee(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, optionTable('-a --append: a, -i --ignore-interrupts: i, -p: p, --output-error: p?'))
  if (typeof parsed === 'string') return complain(context, 'tee', parsed)
  const mode = parsed.options.find(
    ({ name, value }) => name === 'p' && value !== '' && abbreviatedValue(value, modes) === undefined,
  )
  if (mode !== undefined)
    return complain(context, 'tee', `invalid argument '${mode.value}' for '--output-error'; valid are ${modes.join(', ')}`)
  let code = 0
  const isAppended = has(parsed, 'a')
  const targets = new Map<string, Target>()
  for (const name of parsed.operands) {
    try {
      const path = pathToWrite(context, name)
      const known = targets.get(path)
      // A file that is named twice is written twice at the same place, or with -a twice at its end.
      if (known === undefined)
        targets.set(path, { name, output: await FileOutput.open(context.files, path, { isAppended }), copies: 1 })
      else if (isAppended) known.copies += 1
    } catch (error) {
      code = await complain(context, 'tee', `${name}: ${reasonOf(error)}`)
    }
  }
  // A file that cannot be written is left out from then on; the others get everything.
  const toEach = async (act: (target: Target) => Promise<void>): Promise<void> => {
    for (const [path, target] of targets) {
      try {
        await act(target)
      } catch (error) {
        if (codeOf(error) === undefined) throw error
        targets.delete(path)
        code = await complain(context, 'tee', `${target.name}: ${reasonOf(error)}`)
      }
    }
  }
  const save = (): Promise<void> => toEach(({ output }) => output.save())
  const input = parsed.operands.length > 0 && !context.stdin.isGiven ? { isGiven: false, read: () => undefined } : context.stdin
  let hasUnsaved = false
  try {
    for (;;) {
      const next = input.read()
      // If the next read has to wait, saves the files first, so that others see everything written so far.
      if (next instanceof Promise && hasUnsaved) await save()
      const part = await next
      if (part === undefined) break
      await toEach(async ({ output, copies }) => {
        for (let copy = 0; copy < copies; copy++) await output.write(part.slice())
      })
      hasUnsaved = true
      await context.stdout.write(part)
    }
  } finally {
    await save()
  }
  return code
}
