const escapeText = (text: unknown): string =>
  encodeURIComponent(
    typeof text === 'string' || typeof text === 'number' || typeof text === 'boolean' || typeof text === 'bigint'
      ? String(text)
      : '',
  )

const unescapeText = (text: string): string => {
  try {
    return decodeURIComponent(text.replace(/\+/g, ' '))
  } catch {
    return text
  }
}

function parse(text: string, separator = '&', equals = '='): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = Object.create(null)
  for (const part of String(text).split(separator)) {
    if (part === '') continue
    const at = part.indexOf(equals)
    const name = unescapeText(at < 0 ? part : part.slice(0, at))
    const value = at < 0 ? '' : unescapeText(part.slice(at + equals.length))
    const known = result[name]
    result[name] = known === undefined ? value : [...(Array.isArray(known) ? known : [known]), value]
  }
  return result
}

function stringify(members: Record<string, unknown>, separator = '&', equals = '='): string {
  return Object.entries(members ?? {})
    .flatMap(([name, value]) =>
      (Array.isArray(value) ? value : [value]).map((item) => `${escapeText(name)}${equals}${escapeText(item)}`),
    )
    .join(separator)
}

export const querystring = {
  parse,
  stringify,
  escape: escapeText,
  unescape: unescapeText,
  decode: parse,
  encode: stringify,
}
