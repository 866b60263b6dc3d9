// The syntax tree of a script. Words keep their quoting, because expansion depends on it.

export interface Word {
  readonly parts: readonly WordPart[]
  readonly source: string
  /** The value of the word if it needs no expansion, splitting or globbing. */
  readonly literal: string | undefined
  /** Set for arguments of `declare`, `local`, `export` and `readonly` that are assignments. */
  readonly assignment?: Assignment
}

export type WordPart =
  /** Unquoted text: may contain glob characters, braces and, at its start, a tilde. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'quoted'; readonly text: string }
  | { readonly type: 'double'; readonly parts: readonly WordPart[] }
  | ParameterPart
  | { readonly type: 'command'; readonly script: Script }
  /** Before it is evaluated, the expression is expanded like text in double quotes. */
  | { readonly type: 'arithmetic'; readonly expression: Word }
  | { readonly type: 'process'; readonly direction: 'read' | 'write'; readonly script: Script }
  /** A `${…}` that bash rejects when it expands it. */
  | { readonly type: 'bad-substitution'; readonly source: string }

export interface ParameterPart {
  readonly type: 'parameter'
  readonly name: string
  readonly subscript: Subscript | undefined
  /** `plain`: the value. `length`: `${#x}`. `indirect`: `${!x}`. `names`: `${!x*}`. `keys`: `${!x[@]}`. */
  readonly form: 'plain' | 'length' | 'indirect' | 'names' | 'keys'
  readonly operation: ParameterOperation | undefined
  /** Written without braces, so letters that brace expansion appends become part of the name. */
  readonly isBare?: true
}

/** `list` for the subscripts `@` and `*`. */
export type Subscript = { readonly kind: 'list'; readonly sign: '@' | '*' } | { readonly kind: 'index'; readonly word: Word }

export type ParameterOperation =
  | {
      readonly kind: 'default' | 'assign' | 'error' | 'alternative'
      /** With a colon: an empty value counts as unset. */
      readonly coversEmpty: boolean
      readonly word: Word
    }
  | { readonly kind: 'remove'; readonly side: 'prefix' | 'suffix'; readonly isLongest: boolean; readonly pattern: Word }
  | {
      readonly kind: 'replace'
      readonly where: 'first' | 'all' | 'prefix' | 'suffix'
      readonly pattern: Word
      readonly replacement: Word | undefined
    }
  | { readonly kind: 'substring'; readonly offset: Word; readonly length: Word | undefined }
  | {
      readonly kind: 'case'
      readonly change: 'upper' | 'lower' | 'toggle'
      readonly isAll: boolean
      readonly pattern: Word | undefined
    }
  | { readonly kind: 'transform'; readonly letter: string }

export interface Assignment {
  readonly name: string
  readonly subscript: Word | undefined
  readonly isAppend: boolean
  readonly value: Word | undefined
  /** The elements of `name=(…)`. */
  readonly elements: readonly ArrayElement[] | undefined
}

export interface ArrayElement {
  readonly subscript: Word | undefined
  readonly isAppend: boolean
  readonly value: Word
}

export type RedirectionOperator = '<' | '>' | '>>' | '>|' | '<>' | '<&' | '>&' | '&>' | '&>>' | '<<<' | '<<'

export interface Redirection {
  readonly operator: RedirectionOperator
  readonly fd: number | undefined
  /** The variable of `{name}>file`. */
  readonly fdVariable: string | undefined
  /** The file, or the body of a here-document. */
  readonly target: Word
  /** The delimiter of a here-document as written, and whether leading tabs are removed (`<<-`). */
  readonly hereDocument?: { readonly delimiter: string; readonly stripsTabs: boolean }
}

export interface Script {
  readonly items: readonly ListItem[]
  /** In a substitution: where its first command begins. */
  readonly firstLine?: number
  /** The text of a substitution that may define aliases: its lines are parsed again, one after the other. */
  readonly withAliases?: { readonly text: string; readonly line: number }
}

export interface ListItem {
  readonly first: Pipeline
  readonly rest: readonly { readonly operator: '&&' | '||'; readonly pipeline: Pipeline }[]
  readonly isBackground: boolean
  /** The source text. */
  readonly source: string
}

export interface Pipeline {
  readonly isNegated: boolean
  readonly time: 'bash' | 'posix' | undefined
  readonly commands: readonly Command[]
  /** For each command, whether its standard error also goes to the pipe (`|&`). */
  readonly pipesStderr: readonly boolean[]
}

interface Redirected {
  readonly redirections: readonly Redirection[]
  readonly line: number
}

export interface SimpleCommand extends Redirected {
  readonly type: 'simple'
  readonly assignments: readonly Assignment[]
  readonly words: readonly Word[]
}

export interface FunctionDefinition extends Redirected {
  readonly type: 'function'
  readonly name: string
  readonly body: Command
}

export type CompoundCommand = Redirected &
  (
    | { readonly type: 'group' | 'subshell'; readonly body: Script }
    | {
        readonly type: 'if'
        readonly branches: readonly { readonly condition: Script; readonly body: Script }[]
        readonly otherwise: Script | undefined
      }
    | { readonly type: 'while' | 'until'; readonly condition: Script; readonly body: Script }
    /** Without words, the loop iterates over `"$@"`. */
    | {
        readonly type: 'for' | 'select'
        readonly name: string
        readonly words: readonly Word[] | undefined
        readonly body: Script
      }
    | {
        readonly type: 'arithmetic-for'
        readonly start: Word
        readonly condition: Word
        readonly step: Word
        readonly body: Script
      }
    | { readonly type: 'case'; readonly word: Word; readonly branches: readonly CaseBranch[] }
    | { readonly type: 'arithmetic'; readonly expression: Word }
    | { readonly type: 'conditional'; readonly expression: Condition }
    | { readonly type: 'coproc'; readonly name: string; readonly body: Command }
  )

export interface CaseBranch {
  readonly patterns: readonly Word[]
  readonly body: Script
  readonly end: ';;' | ';&' | ';;&'
}

export type Command = SimpleCommand | FunctionDefinition | CompoundCommand

/** The expression in `[[ … ]]`. */
export type Condition =
  | { readonly type: 'and' | 'or'; readonly left: Condition; readonly right: Condition }
  | { readonly type: 'not' | 'parentheses'; readonly operand: Condition }
  | { readonly type: 'unary'; readonly operator: string; readonly word: Word }
  | { readonly type: 'binary'; readonly operator: string; readonly left: Word; readonly right: Word }
  | { readonly type: 'word'; readonly word: Word }
