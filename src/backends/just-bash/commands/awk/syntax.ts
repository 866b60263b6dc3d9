// The syntax tree of an awk program.

/** A variable, or an element that is an array: `a`, `a[1]`, `a[1][2]`. */
export type ArrayName = string | Subarray

export interface Subarray {
  readonly kind: 'subarray'
  readonly array: ArrayName
  readonly subscripts: readonly Expression[]
}

export type Target =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'field'; readonly index: Expression }
  | { readonly kind: 'element'; readonly array: ArrayName; readonly subscripts: readonly Expression[] }

export type BinaryOperator = '+' | '-' | '*' | '/' | '%' | '^'
export type Comparison = '<' | '<=' | '==' | '!=' | '>' | '>='

export type Expression =
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'regex'; readonly source: string }
  | Target
  | { readonly kind: 'group'; readonly inner: Expression }
  | { readonly kind: 'assign'; readonly target: Target; readonly operator: BinaryOperator | ''; readonly value: Expression }
  | { readonly kind: 'increment'; readonly target: Target; readonly by: 1 | -1; readonly isPrefix: boolean }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'concatenation'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'comparison'; readonly operator: Comparison; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'match'; readonly isNegated: boolean; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'not'; readonly operand: Expression }
  | { readonly kind: 'minus' | 'plus'; readonly operand: Expression }
  | { readonly kind: 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'condition'; readonly test: Expression; readonly yes: Expression; readonly no: Expression }
  | { readonly kind: 'in'; readonly subscripts: readonly Expression[]; readonly array: ArrayName }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'builtin'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'getline'; readonly source: GetlineSource; readonly target: Target | undefined }

export type GetlineSource = { readonly kind: 'input' } | { readonly kind: 'file' | 'command'; readonly name: Expression }

export interface Redirection {
  readonly kind: 'file' | 'append' | 'pipe'
  readonly name: Expression
}

export type Statement =
  | { readonly kind: 'block'; readonly body: readonly Statement[] }
  | { readonly kind: 'expression'; readonly expression: Expression }
  | { readonly kind: 'print' | 'printf'; readonly args: readonly Expression[]; readonly to: Redirection | undefined }
  | { readonly kind: 'if'; readonly test: Expression; readonly yes: Statement; readonly no: Statement | undefined }
  | { readonly kind: 'while'; readonly test: Expression; readonly body: Statement; readonly isDo: boolean }
  | {
      readonly kind: 'for'
      readonly init: Statement | undefined
      readonly test: Expression | undefined
      readonly step: Statement | undefined
      readonly body: Statement
    }
  | { readonly kind: 'for-in'; readonly variable: string; readonly array: ArrayName; readonly body: Statement }
  | { readonly kind: 'switch'; readonly value: Expression; readonly cases: readonly SwitchCase[] }
  | { readonly kind: 'break' | 'continue' | 'next' | 'nextfile' }
  | { readonly kind: 'exit' | 'return'; readonly value: Expression | undefined }
  | { readonly kind: 'delete'; readonly array: ArrayName; readonly subscripts: readonly Expression[] | undefined }

export interface SwitchCase {
  /** `undefined` for `default`. */
  readonly value: Expression | undefined
  readonly body: readonly Statement[]
}

export type Pattern =
  | { readonly kind: 'always' }
  | { readonly kind: 'when'; readonly test: Expression }
  | { readonly kind: 'range'; readonly from: Expression; readonly to: Expression }

export interface Rule {
  readonly pattern: Pattern
  readonly body: Statement
}

export interface FunctionDefinition {
  readonly name: string
  readonly parameters: readonly string[]
  readonly body: Statement
}

export interface Program {
  readonly begin: readonly Statement[]
  readonly beginFile: readonly Statement[]
  readonly rules: readonly Rule[]
  readonly endFile: readonly Statement[]
  readonly end: readonly Statement[]
  readonly functions: ReadonlyMap<string, FunctionDefinition>
}
