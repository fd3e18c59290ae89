const endings = ['.ts', '.tsx', '.mts', '.cts', '.js', '.jsx', '.mjs', '.cjs', '.json']

/** What a written ending may stand for: TypeScript sources are imported by the name of their output. */
const substitutes: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx', '.jsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
  '.ts': ['.tsx', '.js', '.mts'],
  '.tsx': ['.jsx', '.js'],
}

/** Joins a relative specifier to the folder of its importer; undefined when it leaves the task. */
function join(specifier: string, importer: string): string | undefined {
  const parts = specifier.startsWith('/') ? [] : importer.split('/').slice(0, -1)
  for (const part of specifier.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') parts.push(part)
    else if (parts.pop() === undefined) return undefined
  }
  return parts.join('/')
}

/** Finds the file that a relative specifier means, by the rules of bundlers and of TypeScript. */
export function resolvePath(
  specifier: string,
  importer: string,
  exists: (path: string) => boolean,
): string | undefined {
  const path = join(specifier.replace(/[?#].*$/, ''), importer)
  if (path === undefined) return undefined
  if (path !== '' && exists(path)) return path
  const ending = /\.[a-z]+$/.exec(path)?.[0] ?? ''
  const stem = path.slice(0, path.length - ending.length)
  for (const substitute of substitutes[ending] ?? []) if (exists(stem + substitute)) return stem + substitute
  for (const added of endings) if (path !== '' && exists(path + added)) return path + added
  const folder = path === '' ? '' : `${path}/`
  return endings.map((added) => `${folder}index${added}`).find(exists)
}
