/**
 * The start of every URL path of this server, such as `/heddle` behind a proxy; usually empty. Built modules are in
 * `<base path>/assets/`, in pages and in workers alike.
 */
export const BASE_PATH = /^(.*)\/assets\/[^/]+$/.exec(new URL(import.meta.url).pathname)?.[1] ?? ''
