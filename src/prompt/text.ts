import type { FileMap } from '../domain/task.ts'

/** A fenced block whose fence is longer than any run of backticks inside, so that the text cannot end it. */
export function fenced(text: string, info: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`{3,}/g)].map((match) => match[0].length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${info}\n${text.replace(/\n$/, '')}\n${fence}`
}

const infoByExtension: Readonly<Record<string, string>> = {
  ts: 'ts',
  tsx: 'tsx',
  mts: 'ts',
  cts: 'ts',
  js: 'js',
  jsx: 'jsx',
  mjs: 'js',
  cjs: 'js',
  json: 'json',
  py: 'python',
  sql: 'sql',
  sh: 'bash',
}

/**
 * Files as headed code blocks in the order of their paths, cut in the middle beyond the limit.
 *
 * @param maxChars of all files together
 */
export function renderFiles(files: FileMap, maxChars = 120_000): string {
  const paths = Object.keys(files).sort()
  const share = Math.floor(maxChars / Math.max(paths.length, 1))
  return paths
    .map((path) => {
      const extension = path.slice(path.lastIndexOf('.') + 1)
      return `**${path}**\n${fenced(cutMiddle(files[path] ?? '', share), infoByExtension[extension] ?? '')}`
    })
    .join('\n\n')
}

/** The text with its middle left out, said so, when it is longer than `maxChars`. */
export function cutMiddle(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text
  const head = Math.floor(maxChars * 0.6)
  const tail = Math.floor(maxChars * 0.3)
  return `${text.slice(0, head)}\n[${text.length - head - tail} characters left out]\n${text.slice(-tail)}`
}
