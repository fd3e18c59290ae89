/** What a path is judged against. */
export interface PathRules {
  /** Paths of the tests and of read-only context: a candidate never writes them. */
  readonly reserved?: readonly string[]
  /** When given, nothing else is allowed. */
  readonly allowed?: readonly string[]
}

export type CandidatePath =
  | { readonly ok: true; readonly path: string }
  | { readonly ok: false; readonly refused: string; readonly why: string }

const maxPathChars = 240
const maxSegmentBytes = 200

/** Device names of Windows, with or without an ending. */
const device = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(?:\..*)?$/i

/** Files and folders that steer tools; a candidate must not plant them. */
const reservedFolders = new Set([
  'node_modules',
  '.git',
  '.hg',
  '.svn',
  '.redgreen',
  '__mocks__',
  '.github',
  '.vscode',
  '.idea',
  '.husky',
  '__pycache__',
  '.ssh',
])
const reservedFiles =
  /^(?:package(?:-lock)?\.json|npm-shrinkwrap\.json|yarn\.lock|pnpm-lock\.yaml|pnpm-workspace\.yaml|bun\.lockb?|[tj]sconfig(?:\.[\w-]+)*\.json|deno\.jsonc?|\.npmrc|\.yarnrc(?:\.yml)?|\.env(?:\..*)?|\.babelrc(?:\..*)?|\.swcrc|\.gitignore|\.gitattributes|\.gitmodules|\.bashrc|\.profile|(?:vite|vitest|jest|babel|webpack|rollup|esbuild|eslint|biome|redgreen|playwright|karma|mocha)\.config\.[\w.]+|vitest\.workspace\.\w+|biome\.jsonc?|\.eslintrc(?:\..*)?|\.mocharc(?:\..*)?|conftest\.py|setup\.(?:py|cfg)|pyproject\.toml|sitecustomize\.py|usercustomize\.py|pytest\.ini|tox\.ini|makefile|dockerfile)$/i

/**
 * Normalises a path that a candidate wants to write: relative, with `/`, inside the task's folder, without `.`, `..`, drive
 * letter, device name, control or look-alike characters, and not a file that belongs to tests, tools or version control.
 * Pure; it does not look at the disk, so whoever writes must also refuse to follow symbolic links.
 */
export function normalizeCandidatePath(path: string, rules: PathRules = {}): CandidatePath {
  const refuse = (why: string): CandidatePath => ({ ok: false, refused: path.slice(0, 300), why })
  if (path.trim() === '') return refuse('the path is empty')
  if (path.length > maxPathChars) return refuse(`the path is longer than ${maxPathChars} characters`)
  if (/\p{Surrogate}/u.test(path)) return refuse('the path is not well-formed text')
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused here.
  if (/[\u0000-\u001f\u007f-\u009f]/.test(path)) return refuse('the path holds a control character')
  if (/[\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/.test(path))
    return refuse('the path holds an invisible character')
  // Full-width and other compatibility forms of dots and slashes become the real ones first, so that they cannot hide any.
  const plain = path
    .trim()
    .normalize('NFKC')
    .replace(/[\u2215\u2044\u29f8\uff0f]/g, '/')
    .replace(/[\u2216\uff3c]/g, '\\')
  if (/^[A-Za-z]:/.test(plain)) return refuse('the path names a drive')
  if (/^[\\/]/.test(plain)) return refuse('the path is absolute')
  if (/^[A-Za-z][\w+.-]+:/.test(plain)) return refuse('the path is a URL')
  if (plain.startsWith('~')) return refuse("the path starts in a person's home folder")
  if (/%(?:2e|2f|5c|00)/i.test(plain)) return refuse('the path holds escaped dots or slashes')
  const segments: string[] = []
  for (const segment of plain.split(/[\\/]+/)) {
    if (segment === '' || segment === '.') continue
    if (segment === '..') return refuse('the path leaves its folder')
    const problem = problemOfSegment(segment)
    if (problem !== null) return refuse(problem)
    segments.push(segment)
  }
  const last = segments.at(-1)
  if (last === undefined) return refuse('the path names no file')
  if (/[\\/]$/.test(plain)) return refuse('the path names a folder')
  if (reservedFiles.test(last)) return refuse(`${last} steers tools and is not part of a solution`)
  const normal = segments.join('/')
  if (rules.reserved?.some((reserved) => samePath(reserved, normal)))
    return refuse('the file is given and not to be written')
  if (rules.allowed && !rules.allowed.some((allowed) => samePath(allowed, normal)))
    return refuse(`only these paths are allowed: ${rules.allowed.slice(0, 10).join(', ')}`)
  return { ok: true, path: normal }
}

function problemOfSegment(segment: string): string | null {
  if (/^\.{3,}$/.test(segment)) return 'a part of the path is nothing but dots'
  if (/[. ]$/.test(segment)) return 'a part of the path ends in a dot or blank'
  if (/^ /.test(segment)) return 'a part of the path starts with a blank'
  if (/[<>:"|?*$`]/.test(segment)) return 'the path holds a character that not every system allows'
  if (device.test(segment)) return `${segment} is the name of a device`
  if (/~\d/.test(segment) && /^[^.]{1,8}~\d(?:\.\w{1,3})?$/.test(segment))
    return 'the path is a short name of another file'
  if (reservedFolders.has(segment.toLowerCase())) return `${segment} belongs to tools`
  if (Buffer.byteLength(segment) > maxSegmentBytes) return 'a part of the path is too long'
  return null
}

/** Paths that are one file on a system that ignores case. */
const samePath = (a: string, b: string): boolean => canonical(a) === canonical(b)
const canonical = (path: string): string =>
  path
    .normalize('NFKC')
    .replace(/\\/g, '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .join('/')
    .toLowerCase()
