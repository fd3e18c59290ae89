/** Turns what a stack, a compiler or a bundler calls a file into a plain path: URLs decoded, queries and bundler prefixes dropped. */
export function toPlainPath(raw: string): string {
  let path = raw.trim()
  if (/^file:\/\//i.test(path)) {
    path = decode(path.slice('file://'.length))
    // file:///C:/x is a drive, file://server/share a UNC path.
    if (/^\/[A-Za-z]:[\\/]/.test(path)) path = path.slice(1).replaceAll('/', '\\')
    else if (!path.startsWith('/') && !/^localhost\//.test(path)) path = path.includes('/') ? `//${path}` : path
  } else if (/^(?:webpack(?:-internal)?|rollup|vite-node|https?|webpack-generated|turbopack):\/\//i.test(path)) {
    path = decode(path.replace(/^[a-z-]+:\/\/\/?/i, '')).replace(/^\(?[\w-]*\)?\/?\.\//, '')
    if (/^https?:/i.test(raw.trim())) path = path.replace(/^[^/]*/, '')
  }
  path = path
    .replace(/^\0+/, '')
    .replace(/^(\/?)@fs\//, '/')
    .replace(/[?#](?:[a-z]+(?:=[^\\/]*)?)(?:&[^\\/]*)*$/i, '')
  return path
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const foreign =
  /^(?:node:|internal\/|bun:|deno:|ext:|native\b|<|\[|evalmachine\.<|vm\.js$|events\.js$|assert\.js$|module\.js$|timers\.js$|_stream_|frozen )|(?:^|[\\/])(?:node_modules|site-packages|dist-packages|\.pnpm|\.yarn|_pytest|pluggy)[\\/]|[\\/]lib[\\/](?:python\d|node)|[\\/]unittest[\\/](?:case|main|loader|runner|suite|mock)\.py$|[\\/]asyncio[\\/]\w+\.py$|[\\/]importlib[\\/]|^asyncio[\\/]|(?:^|[\\/])(?:jest|vitest|mocha|jasmine)-[\w-]+[\\/]/

/** Whether a path belongs to a runtime, a package or a test runner rather than to the task. */
export function isForeignPath(path: string): boolean {
  return path === '' || foreign.test(path)
}

const sourceFolder = /(?:^|\/)((?:src|test|tests|__tests__|spec|lib|app|packages|examples)\/(?:[^/]+\/)*[^/]+)$/

/** The file's name, after the last `/` or `\`. */
export function baseName(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
}

/** True for `/x`, `C:\x` and `\\server\x`. */
export function isAbsolutePath(path: string): boolean {
  return /^(?:[\\/]|[A-Za-z]:[\\/])/.test(path)
}

/**
 * A path relative to the task, with `/`. A path of the host's never stays: below a known root it is cut there, an unknown
 * absolute path keeps its source folder (`src/…`, `test/…`) or only its name.
 *
 * @param root the task's folder where it is known
 */
export function toTaskPath(path: string, root?: string): string {
  const slashed = path.replaceAll('\\', '/')
  if (!isAbsolutePath(path)) return slashed.replace(/^(?:\.\/)+/, '').replace(/^(?:\.\.\/)+/, '')
  const base = root?.replaceAll('\\', '/').replace(/\/+$/, '')
  if (base && slashed.toLowerCase().startsWith(`${base.toLowerCase()}/`)) return slashed.slice(base.length + 1)
  const known = /^\/(?:app|workspace|work|project|repo|code|sandbox|task|usr\/src\/app)\/(.+)$/.exec(slashed)
  if (known?.[1]) return known[1]
  const folder = sourceFolder.exec(slashed)
  return folder?.[1] ?? baseName(path)
}

const pathInText =
  /(?<![\w.:/\\-])(?:file:\/\/)?(?:[A-Za-z]:[\\/]|\/)(?:[^\s'"`:()<>|,;\\/]+[\\/])+[^\s'"`:()<>|,;\\/]*/g
const hostFolder =
  /^(?:file:\/\/)?(?:[A-Za-z]:)?[\\/](?:app|workspace|work|project|repo|code|sandbox|task|home|Users|root|tmp|private|var|srv|opt|mnt|builds?|github|usr)[\\/]/i

/** A sentence without the host's paths: those of files and those below the usual folders are made relative to the task. */
export function withoutHostPaths(text: string, root?: string): string {
  return text.replace(pathInText, (path) => {
    if (!hostFolder.test(path) && !/\.[A-Za-z]\w{0,4}$/.test(path) && !(root !== undefined && path.startsWith(root)))
      return path
    return toTaskPath(toPlainPath(path), root)
  })
}

/** Finds the task's own file that a reported path means: the same path, or the longest one that it ends with. */
export function matchKnownPath(path: string, known: Iterable<string>): string | undefined {
  const slashed = path.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')
  let best: string | undefined
  for (const candidate of known) {
    const plain = candidate.replaceAll('\\', '/').replace(/^(?:\.\/)+/, '')
    if (plain === slashed) return candidate
    if (slashed.endsWith(`/${plain.replace(/^\/+/, '')}`) && (best === undefined || plain.length > best.length))
      best = candidate
  }
  return best
}
