import { type TS, ts } from './typescript.ts'

/** Options that decide where to read or write, or what to report beside the language itself; a task cannot set them. */
const withheld = new Set(
  `outDir outFile rootDir rootDirs declaration declarationDir declarationMap emitDeclarationOnly sourceMap inlineSourceMap
  inlineSources mapRoot sourceRoot composite incremental tsBuildInfoFile project types typeRoots plugins noEmit noEmitOnError
  skipLibCheck skipDefaultLibCheck noResolve noLib module moduleResolution moduleDetection isolatedModules isolatedDeclarations
  erasableSyntaxOnly verbatimModuleSyntax importsNotUsedAsValues noUnusedLocals noUnusedParameters allowUnusedLabels allowUnreachableCode
  preserveSymlinks customConditions rewriteRelativeImportExtensions noUncheckedSideEffectImports libReplacement baseUrl extends
  files include exclude checkJs allowJs forceConsistentCasingInFileNames ignoreDeprecations importHelpers removeComments noEmitHelpers`.split(
    /\s+/,
  ),
)

/** What a task's compiler options come to. */
export interface ResolvedOptions {
  readonly compiler: TS.CompilerOptions
  /** Equal keys mean equal programs for equal files. */
  readonly key: string
  /** The lib has the DOM: the web standards are not declared a second time. */
  readonly hasDom: boolean
  /** Path patterns of `paths`, e.g. `@/*`, relative to the task. */
  readonly paths: Readonly<Record<string, readonly string[]>>
}

/**
 * Plain strict on ES2023 without DOM unless the task says otherwise (strictness flags, `lib`, `target`, `paths`, `jsx`,
 * decorators). Pure; unknown options are ignored, as the program's verdict does not depend on them.
 */
export function resolveOptions(given: Readonly<Record<string, unknown>>): ResolvedOptions {
  const kept = Object.fromEntries(Object.entries(given).filter(([name]) => !withheld.has(name)))
  const { options } = ts.convertCompilerOptionsFromJson(kept, '/task')
  const lib = options.lib ?? ['lib.es2023.d.ts']
  const compiler: TS.CompilerOptions = {
    strict: true,
    jsx: ts.JsxEmit.ReactJSX,
    ...options,
    // only what is emitted follows the target; an older one than this would change the meaning of classes
    target: ts.ScriptTarget.ES2022,
    lib: [...lib, 'lib.decorators.d.ts', 'lib.decorators.legacy.d.ts'],
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    moduleDetection: ts.ModuleDetectionKind.Force,
    allowImportingTsExtensions: true,
    esModuleInterop: true,
    allowJs: true,
    checkJs: false,
    resolveJsonModule: true,
    skipLibCheck: true,
    noEmit: true,
    types: [],
    // both are spelled out: the first is about style, the second about the task's layout, neither about a defect
    noUncheckedSideEffectImports: false,
    libReplacement: false,
  }
  const hasDom = lib.some((name) => name === 'lib.dom.d.ts' || name.endsWith('.full.d.ts'))
  return { compiler, key: JSON.stringify(compiler), hasDom, paths: options.paths ?? {} }
}
