import { beforeAll, expect, it } from 'vitest';
import { seriousFaults } from './page-measures.js';
import { PICTURES } from './pictures.js';
import { BILLING, bankFrame, endOf, openPage, PAY, typeCard, type WidgetStack } from './widget-stack.js';

/** What a shopper sees of the bank on a phone. @param started the stack that all journeys share */
export function challengeJourneys(started: () => WidgetStack): void {
  let widget: WidgetStack;
  beforeAll(() => {
    widget = started();
  });

  it('the bank is a sheet on a phone: it begins with its heading, keeps the focus, and states what a wrong code needs', async () => {
    const { id } = await widget.checkout(BILLING, 'threeDSecureMerchant');
    const { page, faults } = await openPage(widget.browser, {
      viewport: { width: 390, height: 844 },
      colorScheme: 'dark',
    });
    const around = ['<div style="height:60rem">Goods</div>', '<div style="height:60rem">More</div>'] as const;
    await page.goto(
      widget.page({
        checkoutId: id,
        brands: 'VISA APPLEPAY',
        around,
        head: '<style>:root{color-scheme:light dark}body{background:light-dark(#fff,#12151c)}</style>',
      }),
    );
    await typeCard(page, '4200000000000067');
    await page.click(PAY);
    let bank = await bankFrame(page);
    const heading = page.locator('dialog.wpwl-sheet-bank[open] h2');
    expect(await heading.textContent()).toBe('Confirmation by your bank');
    const box = await heading.boundingBox();
    expect([box?.y, (box?.height ?? 0) < 100]).toEqual([0, true]);
    // Pages of banks that know no dark mode stay readable in a dark shop.
    expect(
      await page.evaluate("getComputedStyle(document.querySelector('.wpwl-target')).backgroundColor"),
    ).toBe('rgb(255, 255, 255)');
    // All else is inert.
    for (const other of ['.wpwl-container-card .wpwl-button-pay', '.wpwl-container-card .wpwl-method']) {
      expect(
        await page.evaluate(
          `(() => { const other = document.querySelector('${other}'); other.focus(); return other === document.activeElement; })()`,
        ),
      ).toBe(false);
    }
    const focused: unknown[] = [];
    for (let press = 0; press < 6; press++) {
      await page.keyboard.press('Tab');
      focused.push(
        await page.evaluate(
          "document.activeElement === document.body || document.activeElement.closest('dialog') !== null",
        ),
      );
    }
    expect(focused).not.toContain(false);
    await bank.fill('#code', '0000');
    await bank.click('#confirm');
    await bank.waitForSelector('#tries');
    expect(await bank.textContent('#tries')).toBe(
      'That code is not right. Tries left: 2. Use the latest code of your bank.',
    );
    expect(await bank.getAttribute('#code', 'aria-invalid')).toBe('true');
    // The fields are inert, and their transparent documents have no dark ground that the tool knows.
    expect(await seriousFaults(page, ['card.number', 'card.cvv'])).toEqual([]);
    await page.screenshot({ path: `${PICTURES}/challenge-phone.png` });

    // The shopper may leave the bank, and begin again.
    await page.click('.wpwl-sheet-back');
    await page.waitForSelector('dialog', { state: 'detached' });
    expect(await page.getAttribute(PAY, 'aria-disabled')).toBe('false');
    await typeCard(page, '4200000000000067');
    await page.click(PAY);
    bank = await bankFrame(page);
    await bank.fill('#code', '1234');
    await bank.click('#confirm');
    await endOf(page);
    expect(
      (await widget.send('GET', `/v1/checkouts/${id}/payment`, {}, 'threeDSecureMerchant')).result.code,
    ).toBe('000.100.110');
    expect(faults).toEqual([]);
    await page.close();
  });
}
