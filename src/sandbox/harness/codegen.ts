/**
 * Takes `eval` and the Function constructors away. The constructors stay reachable through every function's prototype,
 * so the platform's own are called only with arguments that a subclass of Function needs: none at all.
 */
let allowed = true

export function disableCodeGeneration(): void {
  allowed = false
}

const refuse = (): never => {
  throw new EvalError('Code generation from strings is not allowed in the sandbox')
}

/** Replaces the constructors by ones that ask; done before the world is frozen. */
export function guardCodeGeneration(): void {
  const samples = [() => {}, async () => {}, function* () {}, async function* () {}]
  for (const sample of samples) {
    const prototype = Object.getPrototypeOf(sample) as object
    const native = Reflect.get(prototype, 'constructor') as FunctionConstructor
    const guarded = function (...args: string[]): unknown {
      if (!allowed && args.length > 0) return refuse()
      return Reflect.construct(native, args, new.target && new.target !== guarded ? new.target : native)
    }
    Object.defineProperty(guarded, 'name', { value: native.name, configurable: true })
    Object.defineProperty(guarded, 'length', { value: 1, configurable: true })
    Object.defineProperty(guarded, 'prototype', { value: prototype, writable: false })
    Object.setPrototypeOf(guarded, Object.getPrototypeOf(native) as object)
    Object.defineProperty(prototype, 'constructor', {
      value: guarded,
      writable: native === Function,
      configurable: true,
    })
    if (native === Function)
      Object.defineProperty(globalThis, 'Function', { value: guarded, writable: true, configurable: true })
  }
  // biome-ignore lint/security/noGlobalEval: it is taken here so that guests have it only when the task allows it
  const evaluate = globalThis.eval
  const guardedEval = (source: unknown): unknown =>
    typeof source !== 'string' ? source : allowed ? evaluate(source) : refuse()
  Object.defineProperty(guardedEval, 'name', { value: 'eval' })
  Object.defineProperty(globalThis, 'eval', { value: guardedEval, writable: true, configurable: true })
}
