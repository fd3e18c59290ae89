/**
 * Where Vitest's expect keeps its state. Upstream that is the global object, under well-known symbols: a candidate could
 * register an equality tester there that calls everything equal. The build puts this object in the global's place.
 */
export const expectRealm: Record<PropertyKey, never> = Object.create(null)
