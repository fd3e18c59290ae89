/** Node modules that the isolate offers as pure polyfills; everything else of Node is refused by name. */
export const harmlessNodeModules = [
  'assert',
  'assert/strict',
  'buffer',
  'events',
  'path',
  'path/posix',
  'url',
  'util',
  'util/types',
] as const

/** Modules of test runners: a test may import them, a candidate never. */
export const testModules = [
  'vitest',
  '@jest/globals',
  'node:test',
  'test',
  'chai',
  'jest',
  'mocha',
  'bun:test',
] as const

const nodeBuiltins: ReadonlySet<string> = new Set(
  `assert assert/strict async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns
  dns/promises domain events fs fs/promises http http2 https inspector inspector/promises module net os path path/posix
  path/win32 perf_hooks process punycode querystring readline readline/promises repl stream stream/consumers
  stream/promises stream/web string_decoder sys timers timers/promises tls trace_events tty url util util/types v8 vm wasi
  worker_threads zlib sea sqlite test test/reporters`.split(/\s+/),
)

/** What an import specifier asks for, by its spelling alone. */
export type Specifier =
  | { readonly kind: 'relative' }
  /** `/x`, `C:\x`, `file:`, `data:`, `https:` …: never read. */
  | { readonly kind: 'outside'; readonly what: 'absolute path' | 'URL' }
  | { readonly kind: 'node'; readonly module: string; readonly harmless: boolean }
  | { readonly kind: 'tests'; readonly module: string }
  /** `#internal` of a package.json. */
  | { readonly kind: 'internal' }
  | { readonly kind: 'package'; readonly name: string }

const isTestModule = (name: string): boolean => (testModules as readonly string[]).includes(name)

/** Sorts a specifier into its kind; pure. `test` without scheme is the npm package of that name, as in Node. */
export function classifySpecifier(specifier: string): Specifier {
  if (/^\.\.?(?:\/|\\|$)/.test(specifier)) return { kind: 'relative' }
  if (/^(?:[/\\]|[a-z]:[/\\])/i.test(specifier)) return { kind: 'outside', what: 'absolute path' }
  if (specifier !== 'test' && isTestModule(specifier)) return { kind: 'tests', module: specifier }
  if (specifier.startsWith('node:')) {
    const module = specifier.slice(5)
    return { kind: 'node', module, harmless: (harmlessNodeModules as readonly string[]).includes(module) }
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(specifier)) return { kind: 'outside', what: 'URL' }
  if (specifier.startsWith('#')) return { kind: 'internal' }
  if (nodeBuiltins.has(specifier) && !['test', 'test/reporters', 'sea', 'sqlite'].includes(specifier))
    return { kind: 'node', module: specifier, harmless: (harmlessNodeModules as readonly string[]).includes(specifier) }
  return { kind: 'package', name: packageNameOf(specifier) }
}

/** `@scope/name/sub` → `@scope/name`. */
export function packageNameOf(specifier: string): string {
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier)
}

/** Whether the text can be the name of an npm package (and not a way out of node_modules). */
export const isPackageName = (name: string): boolean =>
  /^(?:@[\w-][\w.-]*\/)?[\w-][\w.-]*$/.test(name) && name.length < 215
