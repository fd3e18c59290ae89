import { homedir } from 'node:os'
import { join } from 'node:path'

/**
 * Where what is made once is kept for later processes. Not the common temporary folder, where another user could leave
 * code of their own; without a home there is no cache.
 */
export const cacheFolder: string = join(homedir(), '.cache', 'redgreen')

/** For code that Node has compiled. */
export const compileCacheFolder: string = join(cacheFolder, 'compiled')
