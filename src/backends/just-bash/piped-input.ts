// `rg word` searches the directory, and `cmd | rg word` what cmd prints, also when that is nothing. The interpreter gives a command the
// same empty input in both cases, so the script says which it is, by a word that nobody could write.

import { mapBodies, type Command, type Script, type Statement } from './ast.ts'

const mark = '\u{10fffe}anchorage: piped'

/** The same script, in which each call of one of `names` that has an input of its own begins its arguments with the mark. */
export function markPipedInput(script: Script, names: ReadonlySet<string>): Script {
  const statements = (list: readonly Statement[]): Statement[] =>
    list.map(statement => ({
      ...statement,
      pipelines: statement.pipelines.map(pipeline => ({
        ...pipeline,
        commands: pipeline.commands.map((command, index) => marked(command, index > 0)),
      })),
    }))
  const marked = (command: Command, isPiped: boolean): Command => {
    if (command.type === 'FunctionDef') return { ...command, body: mapBodies(command.body, statements) }
    if (command.type !== 'SimpleCommand') return mapBodies(command, statements)
    const [part] = command.name?.parts ?? []
    const isNamed = command.name?.parts.length === 1 && part?.type === 'Literal' && names.has(part.value)
    const hasInput = isPiped || command.redirections.some(({ operator }) => operator.startsWith('<'))
    if (!isNamed || !hasInput) return command
    return { ...command, args: [{ type: 'Word', parts: [{ type: 'Literal', value: mark }] }, ...command.args] }
  }
  return { ...script, statements: statements(script.statements) }
}

/** The arguments without the mark, and whether it was there. */
export function withoutPipedMark(args: readonly string[]): { readonly isPiped: boolean; readonly args: readonly string[] } {
  return args[0] === mark ? { isPiped: true, args: args.slice(1) } : { isPiped: false, args }
}
