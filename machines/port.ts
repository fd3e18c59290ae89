import { fromPromise, type PromiseActorLogic } from 'xstate'

/** An effect the engine supplies; rejects if it was forgotten. */
export const port = <Output, Input>(name: string): PromiseActorLogic<Output, Input> =>
  fromPromise<Output, Input>(() => Promise.reject(new Error(`port "${name}" was not provided`)))
