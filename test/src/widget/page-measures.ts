import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Frame, Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** A tenth of what counts as a good layout shift (Web Vitals, cumulative layout shift). */
export const MOST_SHIFT = 0.01;

/** What axe-core finds serious in a page and its frames, by the names of these. @param skipped names of frames that are not looked at */
export async function seriousFaults(
  page: Page,
  skipped: readonly string[] = [],
): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for (const frame of page.frames())
    if (![...skipped, 'wpwl-session'].includes(frame.name())) found.push(...(await faultsIn(frame)));
  return found;
}

async function faultsIn(frame: Frame): Promise<readonly unknown[]> {
  await frame.evaluate(AXE);
  return frame.evaluate<
    unknown[]
  >(`axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => [${JSON.stringify(frame.name())}, id, ...nodes.map(({ html }) => html)]))`);
}

/** Notes all layout shifts of the pages that are opened from now on. */
export function watchShifts(page: Page): Promise<unknown> {
  return page.addInitScript(`window.shifts = [];
    new PerformanceObserver((list) => { for (const { value } of list.getEntries()) shifts.push(value); })
      .observe({ type: 'layout-shift', buffered: true });`);
}

/** The sum of the layout shifts of a page. */
export function shiftOf(page: Page): Promise<number> {
  return page.evaluate<number>('shifts.reduce((sum, value) => sum + value, 0)');
}

/** The buttons that pay, as far as they can be seen. */
export function primaryButtons(page: Page) {
  return page.locator('.wpwl-button-pay:visible');
}
