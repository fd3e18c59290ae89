import { RedgreenError } from '../errors.ts'

const known = ['script', 'models', 'port']

/**
 * Refuses what is no options object of a scripted server. Types say the same; callers in plain JavaScript have none.
 *
 * @throws RedgreenError INVALID_OPTION
 */
export function checkServerOptions(options: unknown): void {
  if (!isRecord(options)) refuse(`got ${nameOf(options)} in place of the options`)
  const { script, models, port } = options
  const strangers = Object.keys(options).filter((name) => !known.includes(name))
  if (script === undefined && strangers.length > 0)
    refuse(
      `got an object with ${strangers.join(', ')} and no script: is the script itself given in place of the options?`,
    )
  if (strangers.length > 0) refuse(`there is no option ${strangers.join(', ')}`)
  if (Array.isArray(script)) for (const [index, step] of script.entries()) checkStep(step, `step ${index + 1}`)
  else if (isRecord(script)) {
    for (const [role, steps] of Object.entries(script)) {
      if (!Array.isArray(steps)) refuse(`the script has ${nameOf(steps)} for the role ${role}, not a list of steps`)
      for (const [index, step] of steps.entries()) checkStep(step, `step ${index + 1} of the role ${role}`)
    }
  } else if (typeof script !== 'function') refuse(`the script is ${nameOf(script)}`)
  if (models !== undefined && !(Array.isArray(models) && models.every((model) => typeof model === 'string')))
    refuse(`models is ${nameOf(models)}, not a list of names`)
  if (port !== undefined && !(typeof port === 'number' && Number.isInteger(port) && port >= 0 && port <= 65_535))
    refuse(`port is ${nameOf(port)}, not a whole number from 0 to 65535`)
}

function checkStep(step: unknown, place: string): void {
  if (typeof step !== 'string' && !isRecord(step)) refuse(`${place} is ${nameOf(step)}, neither a text nor an object`)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function nameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value)
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'number' ? `the number ${value}` : `a value of type ${typeof value}`
}

function refuse(came: string): never {
  throw new RedgreenError(
    'INVALID_OPTION',
    `createScriptedServer takes { script, models?, port? }, with the script a list of steps, a list for each role, or a function; ${came}`,
  )
}
