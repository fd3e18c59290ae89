import { toGuestError } from './failure.ts'

/** In the place of Vitest's own module of errors: errors become bounded data the moment they are caught. */
export const processError = (error: unknown): object => toGuestError(error)

export const serializeError = processError
export const serializeValue = processError
