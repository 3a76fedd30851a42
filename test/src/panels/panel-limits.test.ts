import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { SaleAnswer } from '@tillbridge/agent/sale/machine/state/answer.js';
import { MemorySaleService } from '@tillbridge/agent/till/memory-sale-service.test.support.js';
import { createTillServer } from '@tillbridge/agent/till/server.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserOrReason } from '../browser/launch.js';
import { ROOT } from '../stack/layout.js';
import { firstLoad, heapBytes, untilThere } from './panel-load.js';
import { openPanel, type PanelPage, VIEWPORTS } from './panel-page.js';
import { StorePanel } from './store-panel.js';

/**
 * Most bytes that a browser loads of a panel, as they are sent. Half of them are its texts in five languages: each fault has words for staff and
 * words for the customer.
 */
const MOST_GZIP_BYTES = 60_000;

/** Events that a page takes; TILLBRIDGE_PANEL_EVENTS=100000 gives it the events of a year. */
const EVENTS = Number(process.env.TILLBRIDGE_PANEL_EVENTS ?? 4_000);

/** Events before the heap is measured for the first time: by then all that is bounded is full, and the scripts are compiled. */
const WARM_EVENTS = 5_000;

/** Events of one burst: the page has shown them before the next. */
const BATCH = 1_000;

/** How much the heap may differ. */
const MOST_CHANGE = 0.1;

const TOKEN = 'a-token-of-the-store-0123';

/** As long as references may be, without a place to break a line. */
const HOSTILE = '<img/src=x/onerror=alert(1)>'.padEnd(64, 'W');
const STEP_MS = 900_000;

describe('the files of the store panel', () => {
  it('are small as they are sent', () => {
    const folder = join(ROOT, 'agent', 'dist', 'panel');
    const sizes = readdirSync(folder).map((name) => {
      const bytes = gzipSync(readFileSync(join(folder, name)), { level: 9 }).length;
      return [name.replace(/-[0-9a-f]+\./, '.'), bytes] as const;
    });
    const sum = sizes.reduce((all, [, bytes]) => all + bytes, 0);
    const each = sizes.map(([name, bytes]) => `${name} ${bytes}`).join(', ');
    console.log(`store panel: ${sum} bytes of gzip (${each})`);
    expect(sizes).toHaveLength(6);
    expect(sum).toBeLessThan(MOST_GZIP_BYTES);
  });
});

const browser = await browserOrReason();
const reason = typeof browser === 'string' ? ` (no browser: ${browser})` : '';

describe.skipIf(typeof browser === 'string')(`the store panel over a long day${reason}`, () => {
  const service = new MemorySaleService();
  const server = createTillServer({
    service,
    link: { detail: () => ({ state: 'up', attempt: 0, epoch: 1 }), nudge: () => undefined },
    lineProblem: () => undefined,
    token: TOKEN,
    clock: systemClock,
    log: pino({ level: 'silent' }),
  });
  let url: string;
  let opened: PanelPage;
  let sent = 0;

  beforeAll(async () => {
    if (typeof browser === 'string') return;
    url = await server.listen({ host: '127.0.0.1', port: 0 });
    opened = await openPanel(browser, url);
    await new StorePanel(opened.page).signIn(TOKEN);
  }, STEP_MS);
  afterAll(async () => {
    if (typeof browser !== 'string') await browser.close();
    await server.close();
  });

  /** Sends events of sales that end, each once, and waits until the page has shown the last. */
  async function sendEvents(count: number): Promise<void> {
    for (const end = sent + count; sent < end; ) {
      for (let at = 0; at < BATCH; at += 1) {
        sent += 1;
        service.tell({ type: 'sale', id: sent, atMs: 0, step: 'approved', sale: saleOf(`s-${sent}`) });
        // The page requests none of the old sales.
        service.past.length = 0;
      }
      await untilThere(opened.page, `.sale-row[data-reference="s-${sent}"]`);
    }
  }

  function saleOf(reference: string): SaleAnswer {
    const entry = { at: '2026-11-23T10:00:00.000Z', step: 'approved' };
    return {
      ...{ reference, terminalId: service.terminalId, type: 'sale', state: 'done', outcome: 'approved' },
      ...{ mode: 'online', amount: '1.00', currency: 'EUR', cashierText: 'Approved.', timeline: [entry] },
    } as SaleAnswer;
  }

  it(
    'loads fast',
    async () => {
      if (typeof browser === 'string') return;
      const { firstPaintMs, loadedMs } = await firstLoad(browser, url);
      const figures = `first paint ${firstPaintMs.toFixed(0)} ms, loaded ${loadedMs.toFixed(0)} ms`;
      console.log(`store panel: ${figures} (trace of Chromium)`);
      expect(firstPaintMs).toBeGreaterThan(0);
    },
    STEP_MS,
  );

  it(
    'holds no more memory after many events',
    async () => {
      await sendEvents(WARM_EVENTS);
      const before = await heapBytes(opened.page);
      await sendEvents(EVENTS);
      const after = await heapBytes(opened.page);
      const change = after / before - 1;
      console.log(
        `store panel: heap ${before} bytes, after ${EVENTS} events ${after} (${(change * 100).toFixed(1)} %)`,
      );
      expect(Math.abs(change)).toBeLessThan(MOST_CHANGE);
      expect(opened.faults).toEqual([]);
    },
    STEP_MS,
  );

  it(
    'shows hostile and long names as they are, in the language of the browser',
    async () => {
      if (typeof browser === 'string') return;
      const { page, faults } = await openPanel(browser, url, { locale: 'de-DE', viewport: VIEWPORTS.phone });
      const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
      await page.getByLabel('Code').fill(TOKEN);
      await button('Anmelden').click();
      await page.getByRole('radiogroup', { name: 'Terminals' }).getByRole('radio').first().waitFor();
      sent += 1;
      service.tell({ type: 'sale', id: sent, atMs: 0, step: 'approved', sale: saleOf(HOSTILE) });
      await page.getByLabel('Suchen').fill(HOSTILE);
      await button(/^Öffnen: Zahlung 1,00/).click();
      const dialog = page.getByRole('dialog', { name: 'Zahlung · keine Karte' });
      await dialog.getByText('Genehmigt', { exact: true }).waitFor();
      await dialog.getByText('Verlauf').click();
      await dialog.getByText(HOSTILE).waitFor();
      expect(await widerThanShown(page)).toEqual([]);
      await button('Schließen').click();
      expect(await page.locator('img').count()).toBe(0);
      expect(await widerThanShown(page)).toEqual([]);
      expect(await page.locator('html').getAttribute('lang')).toBe('de');

      // What a field shows is what is sold, whatever is typed.
      const amount = page.getByLabel('Betrag', { exact: true });
      await amount.pressSequentially('1234567890123x');
      expect((await amount.inputValue()).replace(/\s/g, ' ')).toBe('1.234.567.890,12 €');
      await button('Tagesabschluss').click();
      await page.getByText('Hier wurde noch kein Tag abgeschlossen.').waitFor();
      await page.getByRole('radio', { name: 'Summen' }).check({ force: true });
      await page.getByRole('table', { name: 'Summen' }).or(page.getByText('Keine Zahlungen')).waitFor();
      // However long the page behind it is.
      expect((await page.pdf()).toString('latin1').match(/\/Type \/Page\b/g)).toHaveLength(1);
      await page.evaluate(`(() => {
        const day = document.querySelector('input[type=date]');
        day.value = '12026-11-23';
        day.dispatchEvent(new Event('input', { bubbles: true }));
      })()`);
      await page.getByText('Keine Zahlungen').waitFor({ state: 'hidden' });
      expect(await button('Drucken').isDisabled()).toBe(true);
      expect(faults).toEqual([]);
      await page.close();
    },
    STEP_MS,
  );
});

/** What of a page, or of its open dialog, is wider than it is shown. */
function widerThanShown(page: PanelPage['page']): Promise<readonly string[]> {
  return page.evaluate(`['html', 'dialog[open]']
    .map((name) => document.querySelector(name))
    .filter((element) => element && element.scrollWidth > element.clientWidth)
    .map(({ localName, scrollWidth, clientWidth }) => \`\${localName}: \${scrollWidth} in \${clientWidth}\`)`);
}
