import { RedgreenError } from '../errors.ts'
import { refusalOfPath } from './paths.ts'
import { maxSourceBytes } from './source-limits.ts'
import { isPackageName } from './specifiers.ts'
import type { TypeService } from './type-service.ts'
import type { ValidationRequest } from './types.ts'

/**
 * Checks what must hold before anything is spent. Paths and sizes are judged at once, the rest in a worker thread.
 * Throws PATH_REFUSED, FILE_TOO_LARGE, PACKAGE_UNKNOWN, TESTS_SYNTAX, TESTS_EMPTY, TESTS_IMPORT.
 */
export async function preflight(request: ValidationRequest, typeService: TypeService): Promise<void> {
  const { files, context, tests, hiddenTests, entry, packages } = request
  for (const path of [entry, ...[files, context, tests, hiddenTests].flatMap((map) => Object.keys(map))]) {
    const why = refusalOfPath(path)
    if (why !== null)
      throw new RedgreenError(
        'PATH_REFUSED',
        `The path "${shorten(path)}" is refused: ${why}. Paths are relative, with "/", inside the task's folder.`,
        { detail: { path: shorten(path) } },
      )
  }
  checkSizes(request)
  const badName = packages.find((name) => !isPackageName(name))
  if (badName !== undefined)
    throw new RedgreenError('PACKAGE_UNKNOWN', `"${shorten(badName)}" is not the name of an npm package.`, {
      detail: { package: shorten(badName) },
    })
  const objection = await typeService.inspect({
    files,
    context,
    tests,
    hiddenTests,
    packages,
    packageRoot: request.packageRoot,
    compilerOptions: request.compilerOptions,
  })
  if (objection) throw new RedgreenError(objection.code, objection.message, { detail: { ...objection.detail } })
}

function checkSizes({ files, context, tests, hiddenTests, limits }: ValidationRequest): void {
  let total = 0
  for (const [path, text] of [files, context, tests, hiddenTests].flatMap((map) => Object.entries(map))) {
    const bytes = Buffer.byteLength(text)
    total += bytes
    if (bytes > maxSourceBytes && /\.[cm]?[jt]sx?$/.test(path))
      throw new RedgreenError(
        'FILE_TOO_LARGE',
        `${path} is ${mebibytes(bytes)} MiB; a single source may have ${mebibytes(maxSourceBytes)} MiB.`,
        { detail: { path, bytes } },
      )
  }
  if (total > limits.fileBytes)
    throw new RedgreenError(
      'FILE_TOO_LARGE',
      `The files of the task are ${mebibytes(total)} MiB together; the limit is ${mebibytes(limits.fileBytes)} MiB (limits.fileBytes).`,
      { detail: { bytes: total } },
    )
}

const mebibytes = (bytes: number): string => (bytes / 1_048_576).toFixed(1)
const shorten = (text: string): string => (text.length > 120 ? `${text.slice(0, 120)}…` : text)
