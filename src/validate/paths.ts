const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i

/**
 * Why a path may not be in a task, or null when it may: paths are relative, with `/`, inside the task's folder, and can
 * be written on every system.
 */
export function refusalOfPath(path: string): string | null {
  if (path === '' || path.length > 400) return 'it is empty or too long'
  if (path.includes('\0')) return 'it holds a NUL character'
  if (path.includes('\\')) return 'it holds a backslash'
  if (path.startsWith('/')) return 'it is absolute'
  if (/^[a-z]:/i.test(path)) return 'it names a drive'
  if (/[<>:"|?*\n\r]/.test(path)) return 'it holds a character that file systems refuse'
  const parts = path.split('/')
  if (parts.includes('..')) return 'it leaves the folder of the task'
  if (parts.some((part) => part === '' || part === '.')) return 'it has an empty part'
  if (parts.some((part) => reserved.test(part))) return 'it uses a name that Windows reserves'
  if (parts.some((part) => part === 'node_modules' || part === '.git')) return 'it lies in node_modules or .git'
  return null
}

/** Joins a relative specifier to the folder of `from`; null when that leaves the task. */
export function joinInside(from: string, specifier: string): string | null {
  const parts = from.split('/').slice(0, -1)
  for (const part of specifier.replace(/[?#].*$/, '').split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') {
      if (parts.pop() === undefined) return null
    } else parts.push(part)
  }
  return parts.join('/')
}

const sourceExtensions = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json'] as const

/** TypeScript sources that a JavaScript specifier may stand for. */
const emittedFrom: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx', '.ts'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
  '.ts': ['.js', '.tsx'],
  '.mts': ['.mjs'],
}

/** The file that a path without certain extension stands for, in the way of bundlers; null when there is none. */
export function findSource(path: string, has: (path: string) => boolean): string | null {
  if (path !== '' && has(path)) return path
  const dot = /\.[cm]?[jt]sx?$/.exec(path)
  if (dot) {
    const stem = path.slice(0, dot.index)
    const other = (emittedFrom[dot[0]] ?? []).map((extension) => stem + extension).find(has)
    if (other) return other
  }
  const folder = path === '' ? 'index' : `${path}/index`
  const appended = path === '' ? [] : sourceExtensions.map((extension) => path + extension)
  return [...appended, ...sourceExtensions.map((extension) => folder + extension)].find(has) ?? null
}

/** What a relative specifier means from a file. */
export function resolveRelative(
  from: string,
  specifier: string,
  has: (path: string) => boolean,
): { path: string } | 'outside' | 'missing' {
  const joined = joinInside(from, specifier)
  if (joined === null) return 'outside'
  const path = findSource(joined, has)
  return path === null ? 'missing' : { path }
}

/** Whether a file is code or data that code can import; others (text, snapshots) are carried along unread. */
export const isCode = (path: string): boolean => /\.(?:[cm]?[jt]sx?|json)$/.test(path)
