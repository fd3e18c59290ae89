import type { Language } from '../../domain/task.ts'
import { readBash } from './bash.ts'
import { readScript } from './javascript.ts'
import { readPython } from './python.ts'
import type { Reading } from './reading.ts'
import { readSql } from './sql.ts'

/** One text is read at several steps of an extraction: the last few readings are kept. */
const recent = new Map<string, Reading>()
const maxRecent = 24
const maxRecentChars = 60_000

/** What this language's parser makes of the text. Pure, never throws. */
export function readAs(text: string, language: Language): Reading {
  if (text.length > maxRecentChars) return parseAs(text, language)
  const key = `${language}\n${text}`
  const known = recent.get(key)
  if (known) return known
  const reading = parseAs(text, language)
  const oldest = recent.size >= maxRecent ? recent.keys().next().value : undefined
  if (oldest !== undefined) recent.delete(oldest)
  recent.set(key, reading)
  return reading
}

function parseAs(text: string, language: Language): Reading {
  switch (language) {
    case 'typescript':
    case 'javascript':
      return readScript(text, language)
    case 'python':
      return readPython(text)
    case 'sql':
      return readSql(text)
    case 'bash':
      return readBash(text)
  }
}

const tags: Readonly<Record<string, Language>> = {
  typescript: 'typescript',
  ts: 'typescript',
  tsx: 'typescript',
  mts: 'typescript',
  cts: 'typescript',
  javascript: 'javascript',
  js: 'javascript',
  jsx: 'javascript',
  mjs: 'javascript',
  cjs: 'javascript',
  node: 'javascript',
  ecmascript: 'javascript',
  nodejs: 'javascript',
  python: 'python',
  py: 'python',
  python3: 'python',
  py3: 'python',
  pycon: 'python',
  ipython: 'python',
  sql: 'sql',
  sqlite: 'sql',
  postgresql: 'sql',
  postgres: 'sql',
  pgsql: 'sql',
  mysql: 'sql',
  psql: 'sql',
  plpgsql: 'sql',
  bash: 'bash',
  sh: 'bash',
  shell: 'bash',
  zsh: 'bash',
  'shell-session': 'bash',
  console: 'bash',
  shellsession: 'bash',
  terminal: 'bash',
}

/** Tags of blocks that hold data, prose or output, never the program. */
const dataTags = new Set(
  'json jsonc json5 yaml yml toml xml html css scss less markdown md mdx text-output output stdout stderr log csv ini diff-stat mermaid dockerfile http plantuml latex tex dot graphviz env'.split(
    ' ',
  ),
)

const otherTags: Readonly<Record<string, string>> = {
  java: 'java',
  kotlin: 'kotlin',
  go: 'go',
  golang: 'go',
  rust: 'rust',
  rs: 'rust',
  c: 'c',
  cpp: 'c++',
  'c++': 'c++',
  csharp: 'c#',
  cs: 'c#',
  'c#': 'c#',
  php: 'php',
  ruby: 'ruby',
  rb: 'ruby',
  swift: 'swift',
  scala: 'scala',
  perl: 'perl',
  lua: 'lua',
  haskell: 'haskell',
  r: 'r',
  dart: 'dart',
  powershell: 'powershell',
  elixir: 'elixir',
  clojure: 'clojure',
  julia: 'julia',
  vue: 'vue',
  svelte: 'svelte',
}

/** The language that a fence's tag names; `data` for blocks of data, null when it says nothing known. */
export function languageOfTag(tag: string): Language | 'data' | { readonly other: string } | null {
  const word = tag.toLowerCase()
  if (tags[word] && Object.hasOwn(tags, word)) return tags[word] ?? null
  if (dataTags.has(word)) return 'data'
  if (Object.hasOwn(otherTags, word)) return { other: otherTags[word] ?? word }
  return null
}

const extensions: Readonly<Record<Language, readonly string[]>> = {
  typescript: ['ts', 'tsx', 'mts', 'cts'],
  javascript: ['js', 'jsx', 'mjs', 'cjs'],
  python: ['py'],
  sql: ['sql'],
  bash: ['sh', 'bash'],
}

export const defaultEntries: Readonly<Record<Language, string>> = {
  typescript: 'solution.ts',
  javascript: 'solution.js',
  python: 'solution.py',
  sql: 'solution.sql',
  bash: 'solution.sh',
}

/** The language of a path by its ending, null when none of ours. */
export function languageOfPath(path: string): Language | null {
  const ending = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? ''
  for (const [language, endings] of Object.entries(extensions))
    if (endings.includes(ending)) return language as Language
  return null
}

/** TypeScript and JavaScript are read by one parser and count as one family. */
export const isSameFamily = (a: Language, b: Language): boolean =>
  a === b || ((a === 'typescript' || a === 'javascript') && (b === 'typescript' || b === 'javascript'))
