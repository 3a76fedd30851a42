/** Headers of every answer: over TLS alone, of the declared content type, stored by no cache. */
export const ANSWER_HEADERS = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;
