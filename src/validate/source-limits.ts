/** Beyond this a single source is refused unread: no program of a person, and seconds of work for every parser. */
export const maxSourceBytes = 2 * 1_024 * 1_024
