/** Keeps the screen on while the page is in sight. Browsers allow that over HTTPS and on the agent's own machine, and may refuse it. */
export function keepAwake(): void {
  const { wakeLock } = navigator;
  if (!wakeLock) return;
  const request = () => {
    if (document.visibilityState === 'visible') wakeLock.request('screen').catch(() => undefined);
  };
  document.addEventListener('visibilitychange', request);
  request();
}
