// The texts that every matching line must contain, derived from the pattern. With them, whole files are skipped at the speed of a byte
// search, and an index excludes most of a tree.

import { unreachable } from '../core/errors.ts'
import { rarityOf } from './rarity.ts'
import type { Node } from './regex/syntax.ts'

/** A condition that holds for every line that matches. */
export type Need =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'all'; readonly of: readonly Need[] }
  | { readonly kind: 'any'; readonly of: readonly Need[] }

export interface RequiredLiterals {
  readonly need: Need
  /** A line without any of `texts` cannot match; these are the best texts to search for first. Empty if none is worth it. */
  readonly texts: readonly string[]
  /** ASCII letters of all texts match both cases. */
  readonly isFolded: boolean
  /** A line that contains one of `texts` is a match: the pattern consists of nothing else. */
  readonly isWhole: boolean
}

/** Searching for more texts is no faster than reading the lines. */
const maxTexts = 12
const maxNeeds = 64
/** Shorter texts are on nearly every line, and searching for them costs more than it saves. */
const minLength = 2
/** The limit for a literal that comes from a repetition. */
const maxRepeatedLength = 64

/** `undefined` if no literal is certain. */
export function requiredLiterals(node: Node): RequiredLiterals | undefined {
  const found = analyse(node)
  const { isFolded } = found
  const need = searchable(needOf(found), isFolded)
  if (need === undefined) return undefined
  if (need.kind === 'text' && need.text === found.exact && found.isPure && found.isUniform) {
    return { need, texts: [found.exact], isFolded, isWhole: true }
  }
  const texts = rarest(need, isFolded) ?? []
  const isWhole = texts.length > 0 && node.kind === 'alternatives' && node.parts.every(part => isPlain(analyse(part), isFolded))
  return { need, texts, isFolded, isWhole }
}

export function textsOf(need: Need): readonly string[] {
  return need.kind === 'text' ? [need.text] : need.of.flatMap(textsOf)
}

interface Analysis {
  /** The one text that the node matches, if there is only one. */
  readonly exact: string | undefined
  /** Further known conditions. */
  readonly need: Need | undefined
  /** Some letter matches both cases. Then the literals are searched for without regard to case, which finds at least as much. */
  readonly isFolded: boolean
  /** All letters agree on `isFolded`. */
  readonly isUniform: boolean
  /** No assertion restricts it. */
  readonly isPure: boolean
}

const nothing: Analysis = { exact: '', need: undefined, isFolded: false, isUniform: true, isPure: true }

function isPlain(found: Analysis, isFolded: boolean): boolean {
  return (
    found.exact !== undefined && found.isPure && found.isUniform && (found.isFolded === isFolded || !/[a-z]/i.test(found.exact))
  )
}

function analyse(node: Node): Analysis {
  switch (node.kind) {
    case 'character': {
      const text = String.fromCodePoint(node.codePoint)
      const isFolded = node.isFolded && /^[a-z]$/i.test(text)
      // For non-ASCII letters, case folding may change the length in bytes, so leave them to the engine.
      if (node.isFolded && text > '\x7f') return { ...nothing, exact: undefined }
      return { ...nothing, exact: isFolded ? text.toLowerCase() : text, isFolded }
    }
    case 'class':
      return { ...nothing, exact: undefined }
    case 'assertion':
      return { ...nothing, isPure: false }
    case 'capture':
      return analyse(node.node)
    case 'sequence':
      return analyseSequence(node.parts.map(analyse))
    case 'alternatives':
      return analyseAlternatives(node.parts.map(analyse))
    case 'repeat': {
      if (node.min === 0) return { ...nothing, exact: undefined }
      const inner = analyse(node.node)
      if (inner.exact === undefined) return inner
      const count = Math.min(node.min, Math.max(1, Math.floor(maxRepeatedLength / Math.max(1, inner.exact.length))))
      const repeated = { ...inner, exact: inner.exact.repeat(count) }
      return node.max === count ? repeated : { ...repeated, exact: undefined, need: needOf(repeated) }
    }
    default:
      return unreachable(node)
  }
}

function needOf({ exact, need, isFolded }: Analysis): Need | undefined {
  return exact === undefined ? need : needOfText(exact, isFolded)
}

/** A byte search folds only ASCII: other needs of a part cannot be used if another part ignores case. */
function searchable(need: Need | undefined, isFolded: boolean): Need | undefined {
  if (need === undefined || !isFolded) return need
  switch (need.kind) {
    case 'text':
      return isAscii(need.text) ? need : undefined
    case 'all':
      return all(need.of.map(part => searchable(part, isFolded)).filter(part => part !== undefined))
    case 'any': {
      const parts = need.of.map(part => searchable(part, isFolded))
      const known = parts.filter(part => part !== undefined)
      return known.length === parts.length ? { kind: 'any', of: known } : undefined
    }
    default:
      return unreachable(need)
  }
}

function isAscii(text: string): boolean {
  return /^[\0-\x7f]*$/.test(text)
}

/** A text may contain a line break, which has two forms in files, so only its lines are certain. */
function needOfText(text: string, isFolded: boolean): Need | undefined {
  return all(
    text
      .split(/[\r\n]+/)
      .filter(line => line !== '' && (!isFolded || isAscii(line)))
      .map(line => ({ kind: 'text', text: line })),
  )
}

function all(needs: readonly Need[]): Need | undefined {
  const flat = needs.flatMap(need => (need.kind === 'all' ? need.of : [need]))
  const [only] = flat
  return flat.length <= 1 ? only : { kind: 'all', of: flat }
}

function analyseSequence(parts: readonly Analysis[]): Analysis {
  const isFolded = parts.some(part => part.isFolded)
  const isPure = parts.every(part => part.isPure)
  const isUniform = parts.every(part => isPlainCase(part, isFolded))
  if (parts.every(part => part.exact !== undefined)) {
    return { exact: parts.map(part => part.exact).join(''), need: undefined, isFolded, isUniform, isPure }
  }
  const needs: (Need | undefined)[] = []
  let run = ''
  for (const part of parts) {
    if (part.exact !== undefined) {
      run += part.exact
      continue
    }
    needs.push(needOfText(run, isFolded), part.need)
    run = ''
  }
  needs.push(needOfText(run, isFolded))
  return { exact: undefined, need: all(needs.filter(need => need !== undefined)), isFolded, isUniform, isPure }
}

function isPlainCase(part: Analysis, isFolded: boolean): boolean {
  return part.isUniform && (part.isFolded === isFolded || (part.exact !== undefined && !/[a-z]/i.test(part.exact)))
}

function analyseAlternatives(parts: readonly Analysis[]): Analysis {
  const isFolded = parts.some(part => part.isFolded)
  const isUniform = parts.every(part => isPlainCase(part, isFolded))
  const isPure = parts.every(part => part.isPure)
  const needs = parts.map(part => needOf({ ...part, isFolded }))
  const known = needs.filter(need => need !== undefined)
  // If one alternative has no condition, the whole has none.
  const isKnown = known.length === parts.length && known.length <= maxNeeds
  const need: Need | undefined = isKnown ? { kind: 'any', of: unique(known) } : undefined
  return { exact: undefined, need, isFolded, isUniform, isPure }
}

function unique(needs: readonly Need[]): readonly Need[] {
  return [...new Map(needs.map(need => [JSON.stringify(need), need])).values()]
}

/** The texts of which every line that meets `need` contains one, chosen so that few other lines contain them. */
function rarest(need: Need, isFolded: boolean): readonly string[] | undefined {
  switch (need.kind) {
    case 'text':
      return need.text.length < minLength ? undefined : [need.text]
    case 'all': {
      const lists = need.of.map(part => rarest(part, isFolded)).filter(list => list !== undefined)
      const [first, ...others] = lists
      return first && others.reduce((best, list) => (worth(list, isFolded) > worth(best, isFolded) ? list : best), first)
    }
    case 'any': {
      const lists = need.of.map(part => rarest(part, isFolded))
      if (lists.includes(undefined)) return undefined
      const texts = [...new Set(lists.flatMap(list => list ?? []))]
      return texts.length <= maxTexts ? texts : undefined
    }
    default:
      return unreachable(need)
  }
}

function worth(texts: readonly string[], isFolded: boolean): number {
  return texts.reduce((least, text) => Math.min(least, rarityOf(text, isFolded)), Infinity) - 2 * Math.log2(texts.length)
}
