/** As an assignment does, but for a member that the holder inherits as read-only: then it gets its own. */
export function assignMember(holder: unknown, name: PropertyKey, value: unknown): unknown {
  const isObject = (typeof holder === 'object' && holder !== null) || typeof holder === 'function'
  if (isObject && !Object.hasOwn(holder, name) && Object.isExtensible(holder)) {
    if (!Reflect.set(holder, name, value)) {
      Object.defineProperty(holder, name, { value, writable: true, enumerable: true, configurable: true })
    }
    return value
  }
  ;(holder as Record<PropertyKey, unknown>)[name] = value
  return value
}
