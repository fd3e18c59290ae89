import { createRequire } from 'node:module'
import { redactUrl, resolveConfig } from '../../config.ts'
import type { CommandIo } from '../io.ts'
import type { SharedOptions } from '../options.ts'
import { createPaint } from '../view/paint.ts'

interface Finding {
  readonly name: string
  readonly status: 'ok' | 'warning' | 'missing'
  readonly detail: string
  /** What to do; absent where nothing is to be done. */
  readonly remedy?: string
}

const endpointTimeoutMs = 3_000

/** Says what this machine has and lacks: Node, native addon, walls of the sandbox, model endpoint. 0 when the engine can work. */
export async function doctorCommand(options: SharedOptions, io: CommandIo): Promise<number> {
  const findings = [nodeFinding(), addonFinding(), await wallsFinding(), ...(await modelFindings(options, io))]
  if (options.json) io.stdout.write(`${JSON.stringify(findings, null, 2)}\n`)
  else {
    const paint = createPaint(options.color && io.stdout.isTTY === true)
    const marks = {
      ok: paint('green', 'ok     '),
      warning: paint('yellow', 'warning'),
      missing: paint('red', 'missing'),
    }
    for (const finding of findings) {
      io.stdout.write(`${marks[finding.status]}  ${finding.name}: ${finding.detail}\n`)
      if (finding.remedy) io.stdout.write(`         -> ${finding.remedy}\n`)
    }
  }
  return findings.some((finding) => finding.status === 'missing') ? 4 : 0
}

function nodeFinding(): Finding {
  // Older versions do not come this far: the entry of the command line refuses them.
  return { name: 'Node', status: 'ok', detail: process.versions.node }
}

function addonFinding(): Finding {
  try {
    const path = createRequire(import.meta.url).resolve('isolated-vm/package.json')
    const manifest: unknown = createRequire(import.meta.url)(path)
    const version =
      typeof manifest === 'object' && manifest !== null && 'version' in manifest ? String(manifest.version) : 'unknown'
    return { name: 'isolated-vm', status: 'ok', detail: version }
  } catch {
    return {
      name: 'isolated-vm',
      status: 'missing',
      detail: 'not installed for this Node',
      remedy:
        'npm install isolated-vm@^6.2.0 (Node 22) or isolated-vm@^7.0.1 (Node 24 and 26); its install script must be allowed to run',
    }
  }
}

async function wallsFinding(): Promise<Finding> {
  const { probeIsolation } = await import('../../sandbox/index.ts')
  try {
    const probe = await probeIsolation()
    const why = probe.reasons.join('; ')
    if (probe.isolation === 'isolate+process+namespace')
      return { name: 'sandbox', status: 'ok', detail: `${probe.isolation} (${why})` }
    return {
      name: 'sandbox',
      status: 'warning',
      detail: `${probe.isolation} (${why})`,
      remedy:
        process.platform === 'linux'
          ? 'install bubblewrap (apt-get install bubblewrap) for the third wall'
          : 'the third wall exists on Linux only; the first two hold',
    }
  } catch (error) {
    return {
      name: 'sandbox',
      status: 'missing',
      detail: error instanceof Error ? error.message : String(error),
      remedy: 'see docs/errors.md, SANDBOX_UNAVAILABLE',
    }
  }
}

async function modelFindings(options: SharedOptions, io: CommandIo): Promise<Finding[]> {
  const flags = Object.fromEntries(
    Object.entries({ model: options.model, baseUrl: options.baseUrl }).filter((entry) => entry[1] !== undefined),
  )
  const config = await resolveConfig({
    flags,
    environment: io.environment,
    projectDir: process.cwd(),
    trustProject: options.trustProject,
  })
  const ways =
    'OPENAI_API_KEY with --model, or --base-url of Ollama (http://127.0.0.1:11434/v1), llama.cpp or vLLM; repair works without a model'
  if (config.apiKey === undefined && config.baseUrl === undefined) {
    return [{ name: 'model', status: 'warning', detail: 'no key and no endpoint are set', remedy: ways }]
  }
  const baseUrl = config.baseUrl ?? 'https://api.openai.com/v1'
  return [await endpointFinding(baseUrl, config.apiKey, config.model)]
}

async function endpointFinding(
  baseUrl: string,
  apiKey: string | undefined,
  model: string | undefined,
): Promise<Finding> {
  const shown = redactUrl(baseUrl)
  try {
    const response = await fetch(`${baseUrl.replace(/\/$/, '')}/models`, {
      ...(apiKey === undefined ? {} : { headers: { authorization: `Bearer ${apiKey}` } }),
      signal: AbortSignal.timeout(endpointTimeoutMs),
      redirect: 'error',
    })
    if (response.status === 401 || response.status === 403) {
      return { name: 'model', status: 'warning', detail: `${shown} refuses the key`, remedy: 'check OPENAI_API_KEY' }
    }
    const body: unknown = response.ok ? await response.json().catch(() => null) : null
    if (typeof body !== 'object' || body === null || !('data' in body) || !Array.isArray(body.data)) {
      return {
        name: 'model',
        status: 'warning',
        detail: `${shown} answers with status ${response.status}, but lists no models`,
        remedy: 'check the base URL; it usually ends in /v1',
      }
    }
    const names = body.data.flatMap((entry: unknown) =>
      typeof entry === 'object' && entry !== null && 'id' in entry ? [String(entry.id)] : [],
    )
    if (model === undefined)
      return {
        name: 'model',
        status: 'warning',
        detail: `${shown} serves ${names.length} models, none is chosen`,
        remedy: `--model or REDGREEN_MODEL, e.g. ${names.slice(0, 3).join(', ')}`,
      }
    if (!names.includes(model))
      return {
        name: 'model',
        status: 'warning',
        detail: `${shown} does not list the model ${model}`,
        remedy: `it lists ${names.slice(0, 5).join(', ')}`,
      }
    return { name: 'model', status: 'ok', detail: `${model} at ${shown}` }
  } catch (error) {
    const why =
      error instanceof Error && error.name === 'TimeoutError' ? 'does not answer in time' : 'cannot be reached'
    return {
      name: 'model',
      status: 'warning',
      detail: `${shown} ${why}`,
      remedy: 'check --base-url or OPENAI_BASE_URL, and that the server runs',
    }
  }
}
