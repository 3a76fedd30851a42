import type { Browser } from 'playwright-core';
import type { WidgetStack } from './widget-stack.js';
import { withWidgetStack } from './with-widget-stack.js';

/** How a page with the payment form came to be used, from the start of its navigation until the number of a card can be typed. */
export interface FormLoad {
  readonly wallMs: number;
  /** Time of the processor on the main thread of the page: scripts, styles, layout. */
  readonly cpuMs: number;
  /** Requests until then, to the shop and to the gateway. */
  readonly requests: number;
}

/** Notes in the frame of the number when its field can be typed in. */
const NOTE_USABLE = `if (self !== top) new MutationObserver(() => {
  const field = document.getElementById('field');
  if (field && !field.disabled) self.usableAt ??= performance.timeOrigin + performance.now();
}).observe(document, { subtree: true, childList: true, attributes: true });`;

/**
 * Opens a page of the shop with the form in a browser that has nothing of it yet, and types.
 * @param latencyMs that each request takes in addition
 */
export async function loadForm(widget: WidgetStack, browser: Browser, latencyMs = 0): Promise<FormLoad> {
  const { id } = await widget.checkout();
  const url = widget.page({ checkoutId: id });
  const context = await browser.newContext();
  try {
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send('Network.enable');
    if (latencyMs > 0)
      await devTools.send('Network.emulateNetworkConditions', {
        ...{ offline: false, latency: latencyMs, downloadThroughput: -1, uploadThroughput: -1 },
      });
    await devTools.send('Performance.enable', { timeDomain: 'threadTicks' });
    await page.addInitScript(NOTE_USABLE);
    let requests = 0;
    page.on('request', (request) => {
      if (!request.url().endsWith('/favicon.ico')) requests += 1;
    });
    await page.goto(url, { waitUntil: 'commit' });
    const field = page.frameLocator('iframe[name="card.number"]').locator('#field:enabled');
    await field.waitFor();
    const counted = requests;
    const { metrics } = await devTools.send('Performance.getMetrics');
    await field.press('4');
    if ((await field.inputValue()) !== '4') throw new Error('the field takes no digit');
    const usableAt: number = await field.evaluate('self.usableAt');
    const wallMs = usableAt - (await page.evaluate<number>('performance.timeOrigin'));
    const taskSeconds = metrics.find(({ name }) => name === 'TaskDuration')?.value ?? Number.NaN;
    return { wallMs, cpuMs: taskSeconds * 1_000, requests: counted };
  } finally {
    await context.close();
  }
}

/** So many loads, one after the other, on a stack of their own; the first one, which starts what is started once, is not among them. */
export function formLoads(count: number): Promise<readonly FormLoad[]> {
  return withWidgetStack(async (widget) => {
    const loads: FormLoad[] = [];
    await loadForm(widget, widget.browser);
    while (loads.length < count) loads.push(await loadForm(widget, widget.browser));
    return loads;
  });
}
