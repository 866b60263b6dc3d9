// `anchorage/toolsets/atomic`: the toolset, and its parts that a host may use separately.

export { atomic } from './manifest.ts'
export type { AtomicOptions } from './options.ts'
// For a host that constrains sampling (a grammar in Lark's notation) or writes its own prompt.
export { hashlineExamples, hashlineGrammar, hashlinePrompt } from '../../text/hashline/grammar.ts'
export { hashlineRules, type HashlineExample } from '../../text/hashline/rules.ts'
