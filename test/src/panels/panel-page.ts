import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The sizes that panels are looked at in. */
export const VIEWPORTS = {
  phone: { width: 390, height: 844 },
  tablet: { width: 1280, height: 800 },
  desktop: { width: 1680, height: 1050 },
} as const;

/** Takes pictures of a page as it now is, at every size, light and dark on a tablet; of `part` where the page is longer than the picture. */
export type Shoot = (page: Page, name: string, part?: Locator) => Promise<void>;

/** What axe-core calls grave enough to be wrong. */
const GRAVE = new Set(['serious', 'critical']);

/** A page of a panel, and what went wrong in it: what its policy of contents forbids is among it. */
export interface PanelPage {
  readonly page: Page;
  readonly faults: readonly string[];
}

/** Opens a page that remembers its faults. A server that is away is no fault of the page. */
export async function openPanel(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
): Promise<PanelPage> {
  const page = await browser.newPage({ viewport: VIEWPORTS.tablet, ...options });
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/net::ERR|status of (4|5)\d\d/.test(message.text()))
      faults.push(message.text());
  });
  await page.goto(url);
  return { page, faults };
}

/** Serious findings of axe-core on a page as it now is, a line each. */
async function axeFindings(page: Page): Promise<readonly string[]> {
  // A colour on its way to another has no contrast that anybody meets.
  await page.evaluate(
    'Promise.all(document.getAnimations().map((change) => change.finished.catch(() => {})))',
  );
  // As a user's own tool would: the policy of the page forbids scripts of others.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(AXE);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      readonly axe: {
        run(context: object | string, options: object): Promise<{ violations: AxeViolation[] }>;
      };
    };
    const { document } = globalThis as unknown as {
      readonly document: { querySelector(of: string): object | null };
    };
    // Behind an open dialog nothing can be reached. Passes are not looked at: without their details it takes half the time.
    const context = document.querySelector('dialog[open]') ?? document;
    const { violations: found } = await axe.run(context, { resultTypes: ['violations'] });
    return found.map(({ id, impact, nodes }) => ({
      id,
      impact,
      nodes: nodes.map(({ html, failureSummary }) => `${html.slice(0, 160)} ${failureSummary}`),
    }));
  });
  return violations
    .filter(({ impact }) => GRAVE.has(impact))
    .map(({ id, nodes }) => `${id}: ${nodes.join(' | ')}`);
}

interface AxeViolation {
  readonly id: string;
  readonly impact: string;
  readonly nodes: readonly { readonly html: string; readonly failureSummary: string }[];
}

/** Looks at a page in light on a tablet and in dark on a phone, with whatever dialog is open. */
export async function expectAccessible(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' });
  expect(await axeFindings(page), 'light').toEqual([]);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.setViewportSize(VIEWPORTS.phone);
  expect(await axeFindings(page), 'dark, on a phone').toEqual([]);
  await page.setViewportSize(VIEWPORTS.tablet);
  await page.emulateMedia({ colorScheme: 'light' });
}

/** What is seen beyond the edges of the screen, but for what scrolls there. */
export function outside(page: Page): Promise<readonly string[]> {
  return page.evaluate(`[...document.querySelectorAll('body *')]
    .filter((element) => !element.closest('.terminals, .reader, details:not([open])') && element.checkVisibility())
    .filter((element) => element.getBoundingClientRect().right > innerWidth + 0.5)
    .map((element) => element.outerHTML.slice(0, 100))`);
}
