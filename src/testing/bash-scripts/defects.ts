// Defects of bash 5.2 itself, which are not imitated, and what of an answer is compared.

import type { Ran } from './run-both.ts'

type Answer = Ran & { readonly complaints: string }

const defects: Readonly<Record<string, (script: string, theirs: Answer) => boolean>> = {
  // An escape in a compound assignment is lost.
  'prints a substitution and cannot parse its print': (script, { complaints }) =>
    /\$\([^]*=\([^)]*\\/.test(script) &&
    /syntax error near unexpected token|unexpected EOF while looking for matching/.test(complaints),
  // In its print of a compound assignment, an escaped tab becomes a blank, and of two blanks after a backslash one is lost.
  'changes blanks in its print of a compound assignment': script => /\$\([^]*=\([^)]*\\[ \t]/.test(script),
  // It decodes `$'a\'b'` in the operand of a quoted parameter, and then takes the quote in it for one that is not closed.
  'decodes a quote in an operand and cannot parse it': (script, { complaints }) =>
    /\$\{[^}]*\$'[^']*\\'/.test(script) && /bad substitution: no closing `\}'|looking for matching `''/.test(complaints),
  // In a here-document, and before more text, what it makes of `$"…"` in an operand is expanded once more.
  'expands a translated text twice': script => /\$\{[^}\n]*\$"/.test(script) && script.includes('<<'),
  // After `eval` of a text with an open quote it takes the first word of the next line for no keyword.
  'takes no keyword after an open quote in eval': (script, { complaints }) =>
    script.includes('eval') && /: !: command not found$/m.test(complaints),
  // After a syntax error in a compound assignment it goes on with the next line of the same text.
  'goes on after a syntax error in a compound assignment': (_script, { complaints }) =>
    /syntax error near unexpected token `\('\n[^\n]*`[^\n]*=\(/.test(complaints),
  // `wait -n` does not find a job that ended before it, which a busy machine makes happen.
  'does not wait for a job that has ended': (script, { output }) => script.includes('wait -n') && /^127$/m.test(output),
  // It complains of itself where a function is left by a redirected `eval` of a failure.
  'complains of its own contexts': (_script, { complaints, files }) =>
    /pop_var_context: head of shell_variables/.test(complaints + Object.values(files).join()),
}

/** The name of the defect that this answer of bash shows. */
export function defectOf(script: string, theirs: Answer): string | undefined {
  return Object.entries(defects).find(([, isOne]) => isOne(script, theirs))?.[0]
}

/**
 * Archives and diffs contain times, and compressed bytes differ between programs. In a substitution bash counts the lines of the text
 * that it printed itself.
 */
export function comparable({ output, code, files }: Ran, script: string): Ran {
  const withoutLines = (text: string): string => {
    const kept = /\$\([^)]*(?:\n|\b(?:for|case|select|if|while|until)\b|\{)/.test(script)
      ? text.replace(/: line \d+: /g, ': ')
      : text
    // Whether a program still writes when the reader of its pipe has ended is a race in bash.
    return script.includes('PIPESTATUS') ? kept.replace(/\b141\b/g, '0') : kept
  }
  const kept = Object.entries(files).map(([name, text]) => [
    name,
    /\.(?:t?gz|tar|zip|diff)$/.test(name) ? '' : withoutLines(text),
  ])
  return { output: withoutLines(output), code, files: Object.fromEntries(kept) }
}
