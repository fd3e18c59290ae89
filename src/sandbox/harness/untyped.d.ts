// Packages without types of their own, as far as the harness uses them.
declare module 'core-js-pure/actual/atob' {
  const atob: (text: string) => string
  export default atob
}
declare module 'core-js-pure/actual/btoa' {
  const btoa: (text: string) => string
  export default btoa
}
declare module 'core-js-pure/actual/url' {
  const implementation: typeof URL
  export default implementation
}
declare module 'core-js-pure/actual/url-search-params' {
  const implementation: typeof URLSearchParams
  export default implementation
}
declare module 'events' {
  const EventEmitter: object
  export default EventEmitter
}
declare module 'path-browserify' {
  const path: object
  export default path
}
