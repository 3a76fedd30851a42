/** Headers of every answer (spec 2.10): over TLS alone, of the type that is told, and kept by nobody in between. */
export const ANSWER_HEADERS = {
  'strict-transport-security': 'max-age=63072000; includeSubDomains',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const;
