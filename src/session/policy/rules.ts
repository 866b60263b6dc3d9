// Rules by tool and path. The first matching rule decides, as in a firewall. Paths are compared by their real place, with links
// and '..' resolved.

import { AnchorageError } from '../../core/errors.ts'
import { dirname, displayPath, isInside, rootPath, type VfsPath } from '../../core/path.ts'
import { compileGlob } from '../../search/glob.ts'
import { noRules, type PolicyRule, type RuleSet } from './rule.ts'

export interface RulePlace {
  readonly root: VfsPath
  readonly caseSensitive: boolean
}

interface CompiledRule {
  readonly rule: PolicyRule
  readonly matchesTool: (name: string) => boolean
  /** `undefined` for a rule about calls as a whole. */
  readonly matchesPlace: ((place: VfsPath) => boolean) | undefined
}

const actions: readonly unknown[] = ['allow', 'ask', 'deny']
const knownNames: readonly string[] = ['tool', 'path', 'action', 'reason']
const maxRules = 1000
const maxReasonCharacters = 500

/**
 * Throws `AnchorageError` `workspace-options` for an invalid list of rules. A rule with a typing error must not be accepted,
 * because it would not protect.
 */
export function compileRules(given: readonly PolicyRule[], place: RulePlace): RuleSet {
  if (!Array.isArray(given) || given.length > maxRules)
    throw wrongRule(undefined, `it must be a list of at most ${maxRules} rules`)
  if (given.length === 0) return noRules
  const compiled = given.map((rule, index) => compileRule(rule, index, place))
  return {
    rules: compiled.map(({ rule }) => rule),
    find: (tool, at) =>
      compiled.find(
        ({ matchesTool, matchesPlace }) =>
          matchesTool(tool) && (matchesPlace === undefined || (at !== undefined && matchesPlace(at))),
      )?.rule,
    reachable(tool) {
      const own = compiled.filter(({ matchesTool }) => matchesTool(tool))
      const last = own.findIndex(({ matchesPlace }) => matchesPlace === undefined)
      return (last === -1 ? own : own.slice(0, last + 1)).map(({ rule }) => rule)
    },
  }
}

function compileRule(rule: PolicyRule, index: number, place: RulePlace): CompiledRule {
  if (typeof rule !== 'object' || rule === null) throw wrongRule(index, 'it must be an object')
  for (const name of Object.keys(rule)) {
    if (!knownNames.includes(name)) throw wrongRule(index, `"${name}" is not a field of a rule. Fields: ${knownNames.join(', ')}`)
  }
  if (!actions.includes(rule.action)) throw wrongRule(index, `action must be one of ${actions.join(', ')}`)
  if (rule.reason !== undefined && (typeof rule.reason !== 'string' || rule.reason.length > maxReasonCharacters))
    throw wrongRule(index, `reason must be a text of at most ${maxReasonCharacters} characters`)
  const tools = globsOf(rule.tool, index, 'tool')?.map(glob => compiledGlob(glob, index))
  const places = globsOf(rule.path, index, 'path')?.map(glob => compilePlace(glob, index, place))
  return {
    // The rule is copied, so that later changes of the host's object have no effect.
    rule: { ...rule },
    matchesTool: name => tools === undefined || tools.some(matches => matches(name)),
    matchesPlace: places === undefined ? undefined : at => places.some(matches => matches(at)),
  }
}

function globsOf(given: unknown, index: number, name: string): readonly string[] | undefined {
  if (given === undefined) return undefined
  const globs: readonly unknown[] = Array.isArray(given) ? given : [given]
  const texts = globs.filter((glob): glob is string => typeof glob === 'string' && glob !== '' && !glob.includes('\0'))
  if (globs.length === 0 || texts.length !== globs.length) throw wrongRule(index, `${name} must be a glob or a list of them`)
  return texts
}

function compilePlace(given: string, index: number, { root, caseSensitive }: RulePlace): (place: VfsPath) => boolean {
  if (given.split('/').includes('..')) throw wrongRule(index, `path ${JSON.stringify(given)} must not contain '..'`)
  const isAbsolute = given.startsWith('/')
  const base = isAbsolute ? rootPath : root
  const pattern = given
    .replace(/^(?:\.?\/+)+/, '')
    .replace(/\/+$/, '')
    .replace(/(?:(?:^|\/)\*\*)+$/, '')
  // The pattern was '.', '/' or '**', so it matches the base and everything below it.
  if (pattern === '' || pattern === '.') return place => isInside(place, base)
  const fold = (text: string): string => (caseSensitive ? text : text.normalize('NFC').toLowerCase())
  const matches = compiledGlob(fold(pattern), index)
  return place => {
    for (let at = place; at !== base && isInside(at, base); at = dirname(at)) {
      if (matches(fold(displayPath(at, base)))) return true
    }
    return false
  }
}

function compiledGlob(glob: string, index: number): (text: string) => boolean {
  const compiled = compileGlob(glob)
  if (compiled.kind === 'glob') return compiled.matches
  throw wrongRule(index, `${JSON.stringify(glob)} is not a valid glob: ${compiled.message}`)
}

function wrongRule(index: number | undefined, reason: string): AnchorageError {
  return new AnchorageError('workspace-options', `policy: rules${index === undefined ? '' : `[${index}]`}: ${reason}.`)
}
