// The syntax tree of a jq program.

export type BinaryOperator = '+' | '-' | '*' | '/' | '%' | '==' | '!=' | '<' | '<=' | '>' | '>='
export type UpdateOperator = '=' | '|=' | '+=' | '-=' | '*=' | '/=' | '%=' | '//='

export type Pattern =
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'array'; readonly items: readonly Pattern[] }
  | { readonly kind: 'object'; readonly entries: readonly PatternEntry[] }

export interface PatternEntry {
  readonly key: Expression
  /** Set for `$name: pattern`, which also binds the value to `$name`. */
  readonly variable: string | undefined
  readonly value: Pattern | undefined
}

export interface Definition {
  readonly name: string
  readonly parameters: readonly string[]
  readonly body: Expression
}

export type Expression =
  | { readonly kind: 'identity' | 'recurse' }
  | { readonly kind: 'literal'; readonly value: null | boolean | number | string }
  | { readonly kind: 'text'; readonly format: string | undefined; readonly parts: readonly (string | Expression)[] }
  | { readonly kind: 'format'; readonly name: string }
  | { readonly kind: 'index'; readonly target: Expression; readonly index: Expression }
  | {
      readonly kind: 'slice'
      readonly target: Expression
      readonly from: Expression | undefined
      readonly to: Expression | undefined
    }
  | { readonly kind: 'iterate'; readonly target: Expression }
  | { readonly kind: 'optional' | 'negate'; readonly body: Expression }
  | { readonly kind: 'pipe' | 'comma' | 'and' | 'or'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'alternative'; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'binary'; readonly operator: BinaryOperator; readonly left: Expression; readonly right: Expression }
  | { readonly kind: 'update'; readonly operator: UpdateOperator; readonly target: Expression; readonly value: Expression }
  | { readonly kind: 'array'; readonly body: Expression | undefined }
  | { readonly kind: 'object'; readonly entries: readonly { readonly key: Expression; readonly value: Expression }[] }
  | { readonly kind: 'if'; readonly test: Expression; readonly yes: Expression; readonly no: Expression | undefined }
  | { readonly kind: 'try'; readonly body: Expression; readonly handler: Expression | undefined }
  | {
      readonly kind: 'reduce'
      readonly source: Expression
      readonly pattern: Pattern
      readonly init: Expression
      readonly update: Expression
    }
  | {
      readonly kind: 'foreach'
      readonly source: Expression
      readonly pattern: Pattern
      readonly init: Expression
      readonly update: Expression
      readonly extract: Expression | undefined
    }
  | { readonly kind: 'bind'; readonly source: Expression; readonly patterns: readonly Pattern[]; readonly body: Expression }
  | { readonly kind: 'label'; readonly name: string; readonly body: Expression }
  | { readonly kind: 'break'; readonly name: string }
  | { readonly kind: 'define'; readonly definition: Definition; readonly body: Expression }
  | { readonly kind: 'call'; readonly name: string; readonly args: readonly Expression[] }
  | { readonly kind: 'variable'; readonly name: string }
  | { readonly kind: 'location'; readonly line: number }

/** `?` covers only the last step of a path: `.a.b?` still fails if `.a` fails. */
export function optional(term: Expression): Expression {
  const isPlain = (part: Expression | undefined): boolean => part === undefined || part.kind === 'literal'
  const isStep =
    (term.kind === 'index' && isPlain(term.index)) ||
    term.kind === 'iterate' ||
    (term.kind === 'slice' && isPlain(term.from) && isPlain(term.to))
  if (!isStep) return { kind: 'optional', body: term }
  return { kind: 'pipe', left: term.target, right: { kind: 'optional', body: { ...term, target: identity } } }
}

export const identity: Expression = { kind: 'identity' }
