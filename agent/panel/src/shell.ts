/** The part of Trusted Types that is used; browsers without them take the address as it is. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(url: string): string },
  ): { createScriptURL(url: string): unknown };
}

const WORKER = '/service-worker.js';

/** Has the browser keep the shell of the page, so that it opens while the agent is away. Without a worker the page works as well. */
export function keepShell(): void {
  if (!('serviceWorker' in navigator)) return;
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  const policy = trustedTypes?.createPolicy('tillbridge-shell', { createScriptURL: () => WORKER });
  const url = (policy?.createScriptURL(WORKER) ?? WORKER) as string;
  // A browser may refuse it, as on a page without TLS or in a private window.
  navigator.serviceWorker.register(url).catch(() => undefined);
}
