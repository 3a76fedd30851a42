/** Put in by the build: the hash of the pages in frames that belong to this script. */
declare const __CACHE_VERSION__: string;

/** Names the pages in frames that belong to this script; they are kept as long as it is. */
export const CACHE_VERSION = __CACHE_VERSION__;

/** Address of a page in a frame. @param base of the gateway, with a slash at its end */
export function framePage(base: string, page: 'field' | 'session' | 'challenge' | 'wallet'): string {
  return `${base}widget/${CACHE_VERSION}/${page}`;
}
