/**
 * Why an address may not be called; undefined when it may. Outside of tests the way there is enciphered; credentials in an address end up in logs.
 */
export function egressProblem(address: string, mode: 'test' | 'live'): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url) return 'is no absolute URL';
  if (url.username !== '' || url.password !== '') return 'has credentials in it';
  if (url.hash !== '') return 'has a fragment';
  const isLoopback = ['127.0.0.1', '[::1]', 'localhost'].includes(url.hostname);
  if (url.protocol === 'https:') return undefined;
  return url.protocol === 'http:' && mode === 'test' && isLoopback
    ? undefined
    : 'must be https; in test mode http on loopback too';
}
