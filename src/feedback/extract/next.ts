/** Sentences for the next prompt, one for each outcome that is not an answer. */
export const next = {
  files: 'Validate these files.',
  json: 'Use this value.',
  truncated:
    'The reply ended before the code did: raise the output limit or ask to continue from the last complete line; this is no mistake of the code and no correction attempt is spent on it.',
  truncatedReasoning:
    'The output limit was used up by reasoning before an answer began: raise the output limit or lower the reasoning effort; no correction attempt is spent on it.',
  elided: (placeholder: string, file: string, line: number) =>
    `Reply with the complete file. Line ${line} of ${file} is a placeholder, ${JSON.stringify(placeholder.slice(0, 200))}, that leaves code out; write out all of it.`,
  refused:
    'The model refused. Do not send the same prompt again unchanged: state the legitimate purpose or the task differently, or use another model.',
  filtered:
    'The provider filtered the reply. What came before the cut is no answer; ask once more, then stop with this reason.',
  mismatch: (wanted: string, found: string) => `Reply in ${wanted}. The code was in ${found}.`,
  noCode: (language: string, exports: readonly string[]) =>
    `Reply with the complete program in one fenced ${language} block${exports.length > 0 ? ` that exports ${exports.join(', ')}` : ''}. The reply held no code.`,
  empty: 'The reply was empty. Ask again, a bounded number of times, then stop with this reason.',
  badJson: (problem: string, line: number, column: number) =>
    `Reply with JSON that parses. At line ${line}, column ${column}: ${problem}. Quotes inside a string need a backslash (\\"), or give the code in a fenced block instead.`,
  jsonShape: (problem: string) => `Reply with JSON of the shape asked for: ${problem}.`,
  patch: (problem: string) =>
    `Reply with the whole file instead of a patch. The patch could not be applied: ${problem}.`,
  ambiguous: (candidates: readonly string[], exports: readonly string[]) =>
    `Reply with one program in one block${exports.length > 0 ? ` that exports ${exports.join(', ')}` : ''}. The reply holds several that could be it: ${candidates.join('; ')}.`,
  refusedPath: (detail: string) => `Reply with files at the paths asked for. ${detail}.`,
} as const
