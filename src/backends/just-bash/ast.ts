// just-bash does not export the types of its syntax tree; they are derived from what it returns.

import type { Bash } from 'just-bash/browser'

export type Script = ReturnType<Bash['transform']>['ast']
export type Statement = Script['statements'][number]
export type Pipeline = Statement['pipelines'][number]
export type Command = Pipeline['commands'][number]
export type SimpleCommand = Extract<Command, { type: 'SimpleCommand' }>
export type FunctionDefinition = Extract<Command, { type: 'FunctionDef' }>
export type Compound = Exclude<Command, SimpleCommand | FunctionDefinition>
export type Redirection = SimpleCommand['redirections'][number]

/** `command` with `change` made to each list of statements directly inside it. */
export function mapBodies<T extends Compound>(command: T, change: (statements: readonly Statement[]) => Statement[]): Compound {
  switch (command.type) {
    case 'Group':
    case 'Subshell':
    case 'For':
    case 'CStyleFor':
      return { ...command, body: change(command.body) }
    case 'While':
    case 'Until':
      return { ...command, condition: change(command.condition), body: change(command.body) }
    case 'If': {
      const clauses = command.clauses.map(({ condition, body }) => ({ condition: change(condition), body: change(body) }))
      return { ...command, clauses, elseBody: command.elseBody === null ? null : change(command.elseBody) }
    }
    case 'Case':
      return { ...command, items: command.items.map(item => ({ ...item, body: change(item.body) })) }
    default:
      return command
  }
}

export function redirectionTo(fd: number, operator: '>>', target: Redirection['target']): Redirection {
  return { type: 'Redirection', fd, operator, target }
}
