import { beforeAll, expect, it } from 'vitest';
import { PICTURES } from './pictures.js';
import { openPage, PAY, typeCard, type WidgetStack } from './widget-stack.js';

/** What a newcomer does in the demo shop. @param started the stack that all journeys share */
export function demoJourneys(started: () => WidgetStack): void {
  let widget: WidgetStack;
  beforeAll(() => {
    widget = started();
  });

  it('a newcomer pays in the demo shop with a card of its table, after one that is declined', async () => {
    const { page, faults } = await openPage(widget.browser, { viewport: { width: 1000, height: 680 } });
    const { url } = widget.stack;
    const response = await page.goto(`${url}/demo`);
    expect(response?.headers()['x-frame-options']).toBe('DENY');
    await page.fill('[name=coffee]', '2');
    await page.click('button.go');
    await typeCard(page, '4200000000000000', { holder: '800.100.152' });
    expect(await page.textContent(PAY)).toBe('Pay €37.80');
    await page.click(PAY);
    await page.click('a.go');
    await typeCard(page, ((await page.textContent('td code')) ?? '').trim());
    await page.screenshot({ path: `${PICTURES}/demo.png` });
    await page.click(PAY);
    await page.waitForSelector('#outcome');
    expect(await page.textContent('#outcome')).toBe('Thank you');
    expect(await page.textContent('main')).toContain('37.80 EUR');
    // A browser names each answer of 400; the declined payment is one.
    expect(faults).toEqual([expect.stringContaining('400')]);
    await page.close();
  });

  it('the demo shop shows no outcome but that of a checkout, and no page frames it', async () => {
    const { url } = widget.stack;
    const other = await fetch(`${url}/demo/result?resourcePath=/v1/payments/${'a'.repeat(32)}`);
    expect(other.status).toBe(404);
    expect((await fetch(`${url}/demo/checkout?id=x&integrity=y`)).status).toBe(404);
  });
}
