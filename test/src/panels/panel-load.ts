import type { Browser, Page } from 'playwright-core';

/** When a page could be seen and used, in milliseconds since its navigation began. */
interface FirstLoad {
  readonly firstPaintMs: number;
  readonly loadedMs: number;
}

interface TraceEvent {
  readonly name: string;
  readonly cat: string;
  readonly ts: number;
  readonly args?: { readonly data?: { readonly documentLoaderURL?: string } };
}

/** Resolves when the page has shown something: its elements are there before a slow machine has drawn them. */
const PAINTED = `new Promise((resolve) => {
  new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) resolve();
  }).observe({ type: 'paint', buffered: true });
})`;

/** Measures the first load of a page by a trace of Chromium: nothing is cached. */
export async function firstLoad(browser: Browser, url: string): Promise<FirstLoad> {
  const page = await browser.newPage();
  await browser.startTracing(page, { categories: ['blink.user_timing', 'loading', 'devtools.timeline'] });
  await page.goto(url, { waitUntil: 'load' });
  await page.getByRole('heading').first().waitFor();
  await page.evaluate(PAINTED);
  const trace = JSON.parse((await browser.stopTracing()).toString('utf8')) as {
    readonly traceEvents: readonly TraceEvent[];
  };
  await page.close();
  const events = trace.traceEvents;
  const begun = events.findLast(
    ({ name, args }) => name === 'navigationStart' && args?.data?.documentLoaderURL?.startsWith(url),
  );
  const after = (wanted: string) => {
    const found = events.findLast(({ name, ts }) => name === wanted && begun !== undefined && ts >= begun.ts);
    if (!begun || !found) throw new Error(`the trace has no ${wanted}`);
    return (found.ts - begun.ts) / 1_000;
  };
  return { firstPaintMs: after('firstContentfulPaint'), loadedMs: after('loadEventEnd') };
}

/**
 * Waits until a page has an element. A wait of Playwright leaves some 3 kB in the page each time, which would count as memory of the page's own
 * scripts.
 */
export async function untilThere(page: Page, selector: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const expression = `new Promise((resolve) => {
    const look = () => document.querySelector(${JSON.stringify(selector)}) !== null;
    if (look()) return resolve();
    const observer = new MutationObserver(() => {
      if (!look()) return;
      observer.disconnect();
      resolve();
    });
    observer.observe(document.body, { subtree: true, childList: true, characterData: true });
  })`;
  await session.send('Runtime.evaluate', { expression, awaitPromise: true });
  await session.detach();
}

/** Bytes that the scripts of a page hold after a collection. */
export async function heapBytes(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}
