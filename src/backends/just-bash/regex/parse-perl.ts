// Perl's regular expressions, as PCRE2 and Oniguruma read them. What is not available is refused by name.

import { complement, setOf, type CharacterSet } from './character-set.ts'
import { groupIn } from './groups.ts'
import { bracket, escapedCharacter, escapedClass, PatternSource } from './perl-class.ts'
import {
  asciiAssertions,
  assertions,
  checkLookBehind,
  cuts,
  lookAhead,
  lookBehind,
  looks,
  noFlags,
  not,
  setNode,
  unrepeatable,
  wideBoundary,
  withFlags,
  type PerlOptions,
} from './perl-parts.ts'
import { caseless, verticalSpace, type PerlDialect } from './perl-sets.ts'
import { checkVerbs } from './verbs.ts'
import { empty, PatternError, sequence, type Condition, type Look, type Node, type Pattern } from './syntax.ts'

/** What the first pass has found: references may stand before their groups. */
interface Groups {
  readonly count: number
  readonly names: ReadonlyMap<string, number>
}

/** Throws `PatternError`, also for what is not known here. */
export function parsePerl(source: string, options: PerlOptions): Pattern {
  const { groupCount, names } = new Parser(source, options, undefined).parse()
  return new Parser(source, options, { count: groupCount, names }).parse()
}

class Parser {
  private groups = 0
  private depth = 0
  private readonly names = new Map<string, number>()
  private readonly source: PatternSource
  private options: PerlOptions
  private readonly known: Groups | undefined
  private lookDepth = 0
  private readonly openGroups: number[] = []
  private readonly lookBehinds: { readonly node: Node; readonly within: readonly number[] }[] = []
  private namesLineEnd = false

  constructor(source: string, options: PerlOptions, known: Groups | undefined) {
    this.source = new PatternSource(source)
    this.options = options
    this.known = known
  }

  parse(): Pattern {
    if (this.options.dialect === 'grep')
      this.source.match(/^(?:\(\*(?:UTF|UCP|NO_JIT|NO_START_OPT|NO_AUTO_POSSESS|NO_DOTSTAR_ANCHOR)\))+/)
    const node = this.alternation()
    if (this.source.character !== '') throw new PatternError('unmatched closing parenthesis')
    for (const look of this.known === undefined ? [] : this.lookBehinds)
      checkLookBehind(look.node, index => (look.within.includes(index) ? undefined : groupIn(node, index)))
    checkVerbs(node)
    const skipsLineFeeds = this.options.isCrlf === true && !this.namesLineEnd
    return { node, groupCount: this.groups, names: this.names, skipsLineFeeds }
  }

  private get isPcre(): boolean {
    return this.options.dialect !== 'oniguruma'
  }

  private alternation(isReset = false): Node {
    const nodes = this.ways(isReset)
    return nodes.length === 1 ? (nodes[0] ?? empty) : { kind: 'alternation', nodes }
  }

  /** With `isReset`, each way counts its groups from the same number on. */
  private ways(isReset = false): readonly Node[] {
    this.depth += 1
    if (this.depth > 200) throw new PatternError('parentheses are too deeply nested')
    const before = this.groups
    let most = before
    const nodes: Node[] = []
    do {
      if (isReset) this.groups = before
      nodes.push(this.branch())
      most = Math.max(most, this.groups)
    } while (this.source.takes('|'))
    this.groups = most
    this.depth -= 1
    return nodes
  }

  private branch(): Node {
    const nodes: Node[] = []
    for (;;) {
      this.skipUnseen()
      const { character, isQuoting } = this.source
      if (character === '' || (!isQuoting && (character === '|' || character === ')'))) return sequence(nodes)
      const { at } = this.source
      const atom = isQuoting ? this.literal(this.source.codePoint()) : this.atom(character)
      const written = isQuoting ? '' : this.source.text.slice(at, this.source.at)
      nodes.push(this.repeated(atom, this.isPcre && unrepeatable.test(written)))
    }
  }

  /** Comments, blanks where they do not count, and the ends of quoted text. */
  private skipUnseen(): void {
    const { source } = this
    for (;;) {
      if (source.isQuoting) {
        if (!source.takes('\\E')) return
        source.isQuoting = false
      } else if (source.takes('\\Q')) source.isQuoting = true
      else if (source.takes('(?#')) {
        const end = source.text.indexOf(')', source.at)
        if (end < 0) throw new PatternError('missing ) after (?# comment')
        source.at = end + 1
      } else if (this.options.isExtended === true && source.match(/^(?:[\s\u0085\u200e\u200f]+|#[^\n]*)/) !== null) continue
      else if (!(this.isPcre && source.takes('\\E'))) return
    }
  }

  private repeated(atom: Node, isUnrepeatable: boolean): Node {
    let node = atom
    for (let isFirst = true; ; isFirst = false) {
      this.skipUnseen()
      if (this.source.isQuoting) return node
      const counts = this.counts()
      if (counts === undefined) return node
      const [min, max] = counts
      if (min > 65_535 || (Number.isFinite(max) && max > 65_535)) throw new PatternError('number too big in {} quantifier')
      if (min > max) throw new PatternError('numbers out of order in {} quantifier')
      if (isUnrepeatable || (this.isPcre && !isFirst)) throw new PatternError('quantifier does not follow a repeatable item')
      const isUngreedy = this.options.isUngreedy === true
      const mode = this.source.takes('+') ? 'possessive' : this.source.takes('?') !== isUngreedy ? 'lazy' : 'greedy'
      node = { kind: 'repeat', node, min, max, mode }
    }
  }

  private counts(): readonly [min: number, max: number] | undefined {
    const { source } = this
    const isNew = this.options.dialect.startsWith('ripgrep')
    const written = source.match(isNew ? /^\{\s*(\d*)\s*(,?)\s*(\d*)\s*\}/ : /^\{(\d+)(,?)(\d*)\}/)
    if (written !== null) {
      const [all, low = '', comma, high = ''] = written
      if (low !== '' || (comma === ',' && high !== '')) {
        const min = Number(low)
        return [min, comma === '' ? min : high === '' ? Number.POSITIVE_INFINITY : Number(high)]
      }
      source.at -= all.length
    }
    if (source.takes('*')) return [0, Number.POSITIVE_INFINITY]
    if (source.takes('+')) return [1, Number.POSITIVE_INFINITY]
    return source.takes('?') ? [0, 1] : undefined
  }

  private atom(character: string): Node {
    const { source } = this
    if (this.counts() !== undefined) throw new PatternError('quantifier does not follow a repeatable item')
    source.at += 1
    switch (character) {
      case '(':
        return this.group()
      case '[': {
        const [, edge] = (this.isPcre ? source.match(/^\[:([<>]):\]\]/) : null) ?? []
        if (edge !== undefined) return new Parser(`\\b(?${edge === '<' ? '' : '<'}=\\w)`, this.options, this.known).alternation()
        return { kind: 'set', set: bracket(source, this.classOptions()) }
      }
      case '.':
        return { kind: 'set', set: this.options.dotMatchesNewline === true ? complement([]) : this.notLineEnd() }
      case '^':
        return this.options.isMultiline === true ? this.lineStart() : { kind: 'assertion', assertion: 'text-start' }
      case '$':
        return this.options.isMultiline === true ? this.lineEnd() : { kind: 'assertion', assertion: 'perl-end' }
      case '\\':
        return this.escape()
      default:
        source.at -= 1
        return this.literal(source.codePoint())
    }
  }

  private classOptions(): { readonly dialect: PerlDialect; readonly ignoresCase: boolean } {
    return { dialect: this.options.dialect, ignoresCase: this.options.ignoresCase === true }
  }

  private notLineEnd(): CharacterSet {
    return complement(this.options.isCrlf === true ? [10, 10, 13, 13] : setOf(10))
  }

  private lineStart(): Node {
    const lineStart: Node = { kind: 'assertion', assertion: 'perl-line-start' }
    if (this.options.isCrlf !== true) return lineStart
    const behindReturn = sequence([lookBehind(13), not({ kind: 'assertion', assertion: 'text-end' })])
    return { kind: 'alternation', nodes: [lineStart, behindReturn] }
  }

  private lineEnd(): Node {
    const lineEnd: Node = { kind: 'assertion', assertion: 'line-end' }
    return this.options.isCrlf === true ? { kind: 'alternation', nodes: [lineEnd, lookAhead(13)] } : lineEnd
  }

  private literal(codePoint: number): Node {
    const set = setOf(codePoint)
    this.namesLineEnd ||= codePoint === 10 || codePoint === 13
    return { kind: 'set', set: this.options.ignoresCase === true ? caseless(set, this.options.dialect) : set }
  }

  private group(): Node {
    const { source, options: outer } = this
    if (this.isPcre && source.takes('*')) return this.verb(outer)
    if (!source.takes('?')) {
      const isCapturing = outer.capturesNamesOnly !== true
      return this.closed(isCapturing ? this.captured(undefined) : this.alternation(), outer)
    }
    const name = source.match(/^(?:P?<([\p{L}_][\p{L}\p{N}_]*)>|'([\p{L}_][\p{L}\p{N}_]*)')/u)
    if (name !== null) return this.closed(this.captured(name[1] ?? name[2]), outer)
    const referenced = this.isPcre ? source.match(/^P=(\w+)\)/) : null
    if (referenced !== null) return this.referenceTo(referenced[1] ?? '')
    const look = this.look()
    if (look !== undefined) return this.closed(look, outer)
    if (source.takes('>')) return this.closed({ kind: 'atomic', node: this.alternation() }, outer)
    if (source.takes('|')) return this.closed(this.alternation(true), outer)
    if (this.isPcre) {
      const call = this.call() ?? this.conditional(outer)
      if (call !== undefined) return call
    }
    const isReset = this.isPcre && source.takes('^')
    const [flags = ''] = source.match(isReset ? /^[imnsx]*/ : /^[imnsxU]*(?:-[imnsxU]*)?/) ?? []
    if (/xx/.test(flags)) throw new PatternError('(?xx) is not available here')
    this.options = withFlags(isReset ? { ...outer, ...noFlags } : outer, flags)
    if (source.takes(':')) return this.closed(this.alternation(), outer)
    if (source.takes(')')) {
      // It holds to the end of the group around it: in Oniguruma as if the rest stood in a group.
      if (this.isPcre) return empty
      const rest = this.alternation()
      this.options = outer
      return rest
    }
    const [kind = ''] = source.match(/^[^)]{0,12}/) ?? []
    throw new PatternError(`the group (?${flags}${kind} is not available here`)
  }

  /** Behind `(?`. */
  private look(): Look | undefined {
    const kind = looks.find(({ sign }) => this.source.takes(sign))
    return kind && this.lookOf(kind)
  }

  private lookOf({ isBehind, isNegative }: Pick<Look, 'isBehind' | 'isNegative'>): Look {
    this.lookDepth += 1
    const nodes = this.ways()
    // A group that is all of a look behind is one way of several lengths.
    const node: Node = { kind: nodes.length === 1 ? 'sequence' : 'alternation', nodes }
    this.lookDepth -= 1
    if (isBehind) this.lookBehinds.push({ node, within: [...this.openGroups] })
    return { kind: 'look', isBehind, isNegative, node }
  }

  private captured(name: string | undefined): Node {
    this.groups += 1
    const index = this.groups
    if (name !== undefined) {
      const other = this.names.get(name)
      if (this.isPcre && other !== undefined && other !== index)
        throw new PatternError('two named subpatterns have the same name (PCRE2_DUPNAMES not set)')
      this.names.set(name, index)
    }
    this.openGroups.push(index)
    const node = this.alternation()
    this.openGroups.pop()
    return { kind: 'group', index, node }
  }

  private closed(node: Node, outer: PerlOptions): Node {
    if (!this.source.takes(')')) throw new PatternError('missing closing parenthesis')
    this.options = outer
    return node
  }

  /** Behind `(*`. */
  private verb(outer: PerlOptions): Node {
    const { source } = this
    // A name reports to a program which marks a match passed. Here only (*SKIP) with a name uses it.
    const [, verb = '', mark] = source.match(/^(MARK|PRUNE|COMMIT|ACCEPT|F|FAIL|SKIP(?=\))|)(?::([^)]*))?\)/) ?? []
    const cut = cuts.get(verb)
    if (cut !== undefined && this.lookDepth > 0) throw new PatternError(`(*${verb}) in a look-around is not available here`)
    if (cut !== undefined) return { kind: 'cut', next: cut }
    if (verb === 'ACCEPT') return { kind: 'accept' }
    if (verb === 'F' || verb === 'FAIL') return { kind: 'set', set: [] }
    if (mark === '' || (verb === 'MARK' && mark === undefined)) throw new PatternError('(*MARK) must have an argument')
    if (mark !== undefined) return empty
    const [, name = '', end] = source.match(/^([A-Za-z_]*)([:)])/) ?? []
    if (end === ':') {
      if (name === 'atomic') return this.closed({ kind: 'atomic', node: this.alternation() }, outer)
      const kind = looks.find(({ names }) => names.includes(name))
      if (kind !== undefined) return this.closed(this.lookOf(kind), outer)
    }
    throw new PatternError(`(*${name}) is not available here`)
  }

  /** Behind `(?`: `R)`, `1)`, `-1)`, `&name)`, `P>name)`. */
  private call(): Node | undefined {
    const found = this.source.match(/^(?:(R|[+-]?\d+)|(?:&|P>)(\w+))\)/)
    return found === null ? undefined : this.callOf(found[1] === 'R' ? '0' : (found[1] ?? found[2] ?? ''))
  }

  private callOf(written: string): Node {
    return { kind: 'call', index: written === '0' ? 0 : this.groupOf(written) }
  }

  /** The number of a group that is written as a number, as one from here (`-1`, `+1`) or as a name. */
  private groupOf(written: string): number {
    const number = Number(written)
    const name = (this.known?.names ?? this.names).get(written)
    const index = name ?? (/^[+]/.test(written) ? this.groups + number : number < 0 ? this.groups + 1 + number : number)
    if (this.known === undefined) return 1
    if (!Number.isInteger(index) || index < 1 || index > this.known.count)
      throw new PatternError('reference to non-existent subpattern')
    return index
  }

  /** Behind `(?`. */
  private conditional(outer: PerlOptions): Node | undefined {
    if (!this.source.takes('(')) return undefined
    const condition = this.condition(outer)
    const body = this.alternation()
    const ways = body.kind === 'alternation' ? body.nodes : [body]
    const [yes = empty, no = empty, more] = ways
    if (more !== undefined) throw new PatternError('conditional subpattern contains more than two branches')
    if (condition.kind === 'never' && ways.length > 1) throw new PatternError('DEFINE subpattern contains more than one branch')
    return this.closed({ kind: 'conditional', condition, yes, no }, outer)
  }

  private condition(outer: PerlOptions): Condition {
    const { source } = this
    if (source.takes('?')) {
      const look = this.look()
      if (look === undefined) throw new PatternError('assertion expected after (?( or (?(?C)')
      this.closed(look, outer)
      return look
    }
    const found = source.match(/^(?:([+-]?\d+)|<(\w+)>|'(\w+)'|R(\d*)|R&(\w+)|(DEFINE)|([A-Za-z_]\w*))\)/)
    if (found === null) throw new PatternError('this condition is not available here')
    const [, number, name, quoted, level, called, define, bare] = found
    if (define !== undefined && !this.knows(define)) return { kind: 'never' }
    if (level !== undefined) return { kind: 'in-call', index: level === '' ? undefined : this.groupOf(level) }
    if (called !== undefined) return { kind: 'in-call', index: this.groupOf(called) }
    return { kind: 'has-group', index: this.groupOf(number ?? name ?? quoted ?? define ?? bare ?? '') }
  }

  private knows(name: string): boolean {
    return (this.known?.names ?? this.names).has(name)
  }

  /** Behind the backslash. */
  private escape(): Node {
    const { source, options } = this
    const letter = source.character
    if (letter === '') throw new PatternError('\\ at end of pattern')
    const assertion = assertions[letter]
    if (assertion !== undefined && (letter !== 'G' || this.isPcre)) {
      source.at += 1
      if (options.dialect === 'ripgrep' && /[bB]/.test(letter)) return wideBoundary(letter === 'B')
      const isAscii = options.dialect === 'grep' || options.dialect === 'ripgrep-bytes'
      return { kind: 'assertion', assertion: (isAscii ? asciiAssertions[assertion] : undefined) ?? assertion }
    }
    const set = escapedClass(source, this.classOptions())
    if (set !== undefined) return { kind: 'set', set }
    if (letter === 'N' && !source.text.startsWith('N{U+', source.at)) {
      source.at += 1
      return { kind: 'set', set: this.notLineEnd() }
    }
    if (source.takes('K')) {
      if (this.lookDepth > 0 && options.dialect.startsWith('ripgrep')) throw new PatternError('\\K is not allowed in lookarounds')
      return { kind: 'keep-out' }
    }
    if (source.takes('R')) {
      const pair = sequence([setNode(setOf(13)), setNode(setOf(10))])
      return { kind: 'atomic', node: { kind: 'alternation', nodes: [pair, setNode(verticalSpace)] } }
    }
    if (this.isPcre && source.takes('X')) return { kind: 'cluster' }
    const call = this.isPcre ? source.match(/^g(?:<([+-]?\w+)>|'([+-]?\w+)')/) : null
    if (call !== null) return this.callOf(call[1] ?? call[2] ?? '')
    return this.reference() ?? this.literal(escapedCharacter(source, options.dialect))
  }

  private reference(): Node | undefined {
    const { source } = this
    const found = source.match(/^(?:k(?:<(\w+)>|\{\s*(\w+)\s*\}|'(\w+)')|g\{\s*([+-]?\w+)\s*\}|g([+-]?\d+)|([1-9]\d*))/)
    if (found === null) return undefined
    const plain = found[6]
    // A number that no group has is octal.
    if (plain !== undefined && plain.length > 1 && !/^[89]/.test(plain) && Number(plain) > (this.known?.count ?? Infinity)) {
      source.at -= plain.length
      return undefined
    }
    return this.referenceTo(found.slice(1).find(part => part !== undefined) ?? '')
  }

  private referenceTo(written: string): Node {
    return { kind: 'backreference', index: this.groupOf(written), ignoresCase: this.options.ignoresCase === true }
  }
}
