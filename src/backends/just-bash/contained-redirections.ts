// In just-bash a file that cannot be opened for `>` throws through the whole script; for a descriptor of 3 or more it only fails the
// command, as in bash. So each such file is first opened as descriptor 63. Found by experiment, just-bash 3.4.2.

import { mapBodies, redirectionTo, type Command, type Redirection, type Script, type Statement } from './ast.ts'

/** The same script, in which a redirection that fails fails its command only. What stands in a substitution stays as it is. */
export function containRedirections(script: Script, source: string): Script {
  // The first opening makes the file, which `set -C` would then protect from the second.
  if (/\bnoclobber\b|\bset\s+-[A-Za-z]*C/.test(source)) return script
  return { ...script, statements: statements(script.statements) }
}

function statements(list: readonly Statement[]): Statement[] {
  return list.map(statement => ({
    ...statement,
    pipelines: statement.pipelines.map(pipeline => ({ ...pipeline, commands: pipeline.commands.map(contain) })),
  }))
}

function contain(command: Command): Command {
  if (command.type === 'FunctionDef') return { ...command, body: mapBodies(command.body, statements) }
  // What exec opens stays open.
  if (command.type === 'SimpleCommand' && JSON.stringify(command.name).includes('"exec"')) return command
  const redirections = command.redirections.flatMap(redirection =>
    opensFile(redirection) ? [redirectionTo(probeDescriptor, '>>', redirection.target), redirection] : [redirection],
  )
  return command.type === 'SimpleCommand' ? { ...command, redirections } : { ...mapBodies(command, statements), redirections }
}

const probeDescriptor = 63
const fileOperators: ReadonlySet<string> = new Set(['>', '>>', '>|', '&>', '&>>'])

function opensFile({ fd, fdVariable, operator, target }: Redirection): boolean {
  if (target.type !== 'Word' || fdVariable !== undefined || !fileOperators.has(operator) || (fd ?? 1) > 2) return false
  const [first] = target.parts
  const isDevice = first?.type === 'Literal' && first.value.startsWith('/dev/')
  // A word that counts, assigns or runs something must be expanded only once.
  return (
    !isDevice &&
    !/"type":"(?:CommandSubstitution|ProcessSubstitution|ArithmeticExpansion|AssignDefault)"/.test(JSON.stringify(target))
  )
}
