import URL from 'core-js-pure/actual/url'
import URLSearchParams from 'core-js-pure/actual/url-search-params'
import { querystring } from './querystring.ts'

/** The parts of a URL as the old parser of node:url gave them. */
function parse(text: string, parseQuery = false): Record<string, unknown> {
  const match = /^([a-zA-Z][\w+.-]*:)?(\/\/)?(?:([^@/?#]*)@)?([^:/?#]*)(?::(\d+))?([^?#]*)(\?[^#]*)?(#.*)?$/.exec(text)
  const hasHost = match?.[2] !== undefined
  const hostname = hasHost ? match?.[4] || null : null
  const port = hasHost ? (match?.[5] ?? null) : null
  const pathname = hasHost ? match?.[6] || '/' : `${match?.[4] ?? ''}${match?.[6] ?? ''}`
  const search = match?.[7] ?? null
  return {
    protocol: match?.[1] ?? null,
    slashes: hasHost || null,
    auth: match?.[3] ?? null,
    host: hostname === null ? null : port ? `${hostname}:${port}` : hostname,
    port,
    hostname,
    hash: match?.[8] ?? null,
    search,
    query: parseQuery ? querystring.parse(search?.slice(1) ?? '') : (search?.slice(1) ?? null),
    pathname: pathname || null,
    path: `${pathname}${search ?? ''}` || null,
    href: text,
  }
}

export const url = {
  URL,
  URLSearchParams,
  parse,
  format: (value: unknown) =>
    typeof value === 'object' && value !== null && 'href' in value ? String(value.href) : String(value),
  resolve: (from: string, to: string) => String(new URL(to, from)),
  fileURLToPath: (value: unknown) => decodeURIComponent(new URL(String(value)).pathname),
  pathToFileURL: (path: string) => new URL(`file://${path.startsWith('/') ? '' : '/'}${path}`),
}
