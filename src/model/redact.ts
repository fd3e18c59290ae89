/** Longest piece of a provider's own words in an error message, in characters. */
const MAX_QUOTE = 300

/** Shapes of keys of well-known providers, masked or whole, and of bearer tokens. */
const keyShapes = [
  /\bBearer\s+[^\s"',;]+/gi,
  /\b(?:sk|pk|rk|gsk|xai|tgp|nvapi|hf|csk|fw|key)[-_][\w*.-]{6,}/gi,
  /\bAIza[\w-]{10,}/g,
]

/** Makes a provider's words fit to be shown: secrets out, one line, bounded, no markup. */
export type Redact = (text: string) => string

/**
 * @param secrets texts that must never appear, e.g. the API key and header values; shorter than four characters are ignored,
 *   since they would blot out ordinary words
 */
export function createRedact(secrets: readonly string[]): Redact {
  const known = secrets.filter((secret) => secret.length >= 4).sort((a, b) => b.length - a.length)
  return (text) => {
    // Secrets go before the cut, so that none is left in half.
    let shown = text.slice(0, 20_000)
    for (const secret of known) shown = shown.replaceAll(secret, '[redacted]')
    for (const shape of keyShapes) shown = shown.replace(shape, '[redacted]')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: terminal escapes of a server must not reach a terminal
    shown = shown.replace(/[\u0000-\u001f\u007f-\u009f\s]+/g, ' ').trim()
    return shown.length > MAX_QUOTE ? `${shown.slice(0, MAX_QUOTE)}…` : shown
  }
}

/** A URL without user, password, query and fragment, any of which may hold a secret. */
export function showUrl(url: string): string {
  if (!URL.canParse(url)) return '(not a URL)'
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname}`
}
