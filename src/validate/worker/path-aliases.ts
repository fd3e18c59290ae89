import { findSource } from '../paths.ts'

/** Patterns of the compiler option `paths`, relative to the task. */
export type Aliases = Readonly<Record<string, readonly string[]>>

/** The file that an aliased specifier (`@/x`) means, or null. The most specific pattern wins, as in TypeScript. */
export function matchAlias(specifier: string, aliases: Aliases, has: (path: string) => boolean): string | null {
  const patterns = Object.keys(aliases).sort((a, b) => b.indexOf('*') - a.indexOf('*') || b.length - a.length)
  for (const pattern of patterns) {
    const star = pattern.indexOf('*')
    const middle =
      star === -1
        ? pattern === specifier
          ? ''
          : null
        : middleOf(specifier, pattern.slice(0, star), pattern.slice(star + 1))
    if (middle === null) continue
    for (const target of aliases[pattern] ?? []) {
      const path = target.replace('*', middle).replace(/^(?:\.\/)+/, '')
      const found = path.startsWith('/') || path.split('/').includes('..') ? null : findSource(path, has)
      if (found) return found
    }
  }
  return null
}

function middleOf(text: string, prefix: string, suffix: string): string | null {
  const fits = text.length >= prefix.length + suffix.length && text.startsWith(prefix) && text.endsWith(suffix)
  return fits ? text.slice(prefix.length, text.length - suffix.length) : null
}
