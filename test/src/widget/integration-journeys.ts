import { beforeAll, describe, expect, it } from 'vitest';
import { endOf, openMethod, openPage, PAY, posted, typeCard, type WidgetStack } from './widget-stack.js';

/** What pages of shops do with the form. @param started the stack that all journeys share */
export function integrationJourneys(started: () => WidgetStack): void {
  let widget: WidgetStack;
  beforeAll(() => {
    widget = started();
  });
  // What pages of shops do with forms of this family: written to what two public integrations do, a React page that puts the script in
  // itself and a plugin that rearranges the form; no text of theirs is here (gateway/docs/widget.md names them).

  const CARD = '4200000000000000';
  /** The frames of the form by their names. */
  const FRAMES = ['card.number', 'card.cvv', 'wpwl-session'];

  it('a page of one piece puts the script in itself, for one checkout after the other, and names no address', async () => {
    const checkouts = [1, 2].map(() =>
      widget.checkout({ shopperResultUrl: `${widget.shop.url}/done?by=checkout` }),
    );
    const [first, second] = await Promise.all(checkouts);
    const { page, faults } = await openPage(widget.browser);
    await page.goto(widget.shop.show('/app', { html: '<body><div id="app"></div></body>' }));
    const mount = (checkoutId: string) =>
      page.evaluate(`(() => {
      document.querySelector('#app').innerHTML = '<form class="paymentWidgets" data-brands="VISA MASTER MADA APPLEPAY"></form>';
      window.wpwlOptions = { applePay: { displayName: 'test', currencyCode: 'SAR' } };
      const script = document.createElement('script');
      script.src = '${widget.stack.url}/v1/paymentWidgets.js?checkoutId=${checkoutId}';
      script.async = true;
      document.body.appendChild(script);
      window.unmount = () => {
        document.body.removeChild(script);
        document.querySelector('.wpwl-iframe')?.remove();
        document.querySelector('#app').innerHTML = '';
      };
    })()`);
    await mount(first?.id ?? '');
    await typeCard(page, CARD);
    await page.evaluate('unmount()');
    await mount(second?.id ?? '');
    await typeCard(page, CARD);
    expect(await page.locator('.wpwl-container-card').count()).toBe(1);
    await page.click(PAY);
    const end = await endOf(page);
    expect(Object.fromEntries(end.searchParams)).toMatchObject({ by: 'checkout', id: second?.id });
    expect(faults).toEqual([]);
    await page.close();
  });

  it('a plugin rearranges the form before it is used, and puts its own inputs in', async () => {
    const { id } = await widget.checkout();
    const { page, faults } = await openPage(widget.browser);
    const options = `{
    style: 'plain', paymentTarget: '_top', locale: 'de',
    onReady: function () {
      $('.wpwl-wrapper-cardNumber').each(function () { $(this).append($('.wpwl-brand-card')); });
      $('.wpwl-group-brand').hide();
      $('.wpwl-group-expiry').after($('.wpwl-group-cvv'));
      $('[name="form_key"]').remove();
      $('form.wpwl-form-card').find('.wpwl-button').before(
        '<label><input type="checkbox" name="createRegistration"> Karte merken</label>' +
        '<input type="hidden" name="customParameters[SHOPPER_savedCard]" value="false">');
    },
  }`;
    await page.goto(widget.page({ checkoutId: id, options }));
    await page.waitForSelector('[name=createRegistration]');
    await page.check('[name=createRegistration]');
    await typeCard(page, CARD);
    expect(await page.locator('.wpwl-wrapper-cardNumber .wpwl-brand-VISA').count()).toBe(1);
    const form = await posted(page, () => page.click(PAY));
    expect(Object.fromEntries(form)).toMatchObject({
      createRegistration: 'true',
      'customParameters[SHOPPER_savedCard]': 'false',
      'card.expiryMonth': '12',
      'card.expiryYear': '2031',
      paymentBrand: 'VISA',
    });
    await endOf(page);
    expect(await widget.status(id)).toMatchObject({ customParameters: { SHOPPER_savedCard: 'false' } });
    expect(faults).toEqual([]);
    await page.close();
  });

  it('options may stand below script and form, and a shop may take hints away and bar the button', async () => {
    const { id } = await widget.checkout();
    const { page, faults } = await openPage(widget.browser);
    const after = `<script>
      var wpwlOptions = { locale: 'de', onDetectBrand: function (brands, likeliest) {
        $('.wpwl-hint-cardNumberError').remove();
        $('.wpwl-button-pay').prop('disabled', likeliest === 'MASTER');
      } };</script>`;
    const html = `<script src="${widget.stack.url}/v1/paymentWidgets.js?checkoutId=${id}"></script>
      <form action="${widget.shop.url}/done" class="paymentWidgets" data-brands="VISA MASTER"></form>${after}`;
    await page.goto(widget.shop.show('/below', { html }));
    const field = page.frameLocator('iframe[name="card.number"]').locator('#field');
    expect(await page.textContent(PAY)).toBe('12,34\u00a0€ bezahlen');
    await page.click(PAY);
    await page.waitForSelector('.wpwl-hint-cardNumberError');
    await typeCard(page, '5454545454545454');
    await page.frameLocator('iframe[name="card.cvv"]').locator('#field').press('Enter');
    expect(await page.isDisabled(PAY)).toBe(true);
    await field.fill('4');
    await page.waitForSelector(`${PAY}:enabled`);
    await page.click(PAY);
    await page.waitForSelector('.wpwl-hint-cardNumberError');
    expect(page.url()).toContain('/below');
    expect(faults).toEqual([]);
    await page.close();
  });

  it('hooks are called in their order, may stop a payment, and go on with it', async () => {
    const { id } = await widget.checkout();
    const { page } = await openPage(widget.browser);
    const options = `{
    brandDetectionPriority: ['MAESTRO', 'MASTER'],
    onReady: (containers) => log('ready', containers.length),
    onReadyIframeCommunication: () => log('frames'),
    onDetectBin: (bin) => log('bin', bin),
    onDetectBrand: (brands) => log('brands', brands.join()),
    onChangeBrand: (brand) => log('brand', brand),
    onBlurCardNumber: (isValid) => log('number', isValid),
    onBlurSecurityCode: (isValid) => log('code', isValid),
    onBeforeSubmitCard: (event) => { log('before', event.target.className.includes('wpwl-form-card')); return false; },
    onAfterSubmit: () => log('after'),
    onSaveTransactionData: ({ result }) => log('saved', result.code),
    onError: ({ name }) => log('error', name),
  }`;
    const head = "<script>window.calls = []; var log = (...call) => calls.push(call.join(' '));</script>";
    await page.goto(widget.page({ checkoutId: id, options, head, brands: 'VISA MASTER MAESTRO' }));
    await typeCard(page, '5454545454545454');
    await page.click(PAY);
    await page.waitForFunction("calls.some((call) => call.startsWith('before'))");
    await page.evaluate("wpwl.executePayment('wpwl-container-nothing')");
    const calls = await page.evaluate<string[]>('calls');
    // A frame reports at its own time that it was left.
    expect(calls.filter((call) => call !== 'code true')).toEqual([
      'ready 1',
      'frames',
      'brands MASTER',
      'brand MASTER',
      'bin 545454',
      'number true',
      'before true',
      'error WidgetError',
    ]);
    await page.evaluate("wpwl.executePayment('wpwl-container.wpwl-container-card')");
    await endOf(page);
    expect((await widget.status(id)).result.code).toBe('000.100.110');
    await page.close();
  });

  it('a hook may stop a payment and go on with it at once; a second press sends nothing more', async () => {
    const { id } = await widget.checkout();
    const { page } = await openPage(widget.browser);
    const options = `{
      onBeforeSubmitCard: () => { wpwl.executePayment('wpwl-container-card'); return false; },
      onBeforeSubmitCardPromise: () => new Promise((resolve) => { window.goOn = resolve; }),
    }`;
    let posts = 0;
    page.on('request', (request) => {
      if (request.method() === 'POST') posts += 1;
    });
    await page.goto(widget.page({ checkoutId: id, options }));
    await typeCard(page, CARD);
    await page.dblclick(PAY);
    await endOf(page);
    expect(posts).toBe(1);
    await page.close();
  });

  it('the form is taken away, and the page is as before', async () => {
    const { id } = await widget.checkout();
    const { page } = await openPage(widget.browser);
    await page.goto(widget.page({ checkoutId: id }));
    await page.waitForSelector(PAY);
    await page.evaluate('wpwl.unload()');
    expect(await page.locator('[class*=wpwl-container], iframe').count()).toBe(0);
    const own = page.locator('form.paymentWidgets');
    expect(await own.count()).toBe(1);
    expect(
      await own.evaluate((form) => [
        form.className,
        form.style.cssText,
        form.ariaBusy,
        form.childElementCount,
      ]),
    ).toEqual(['paymentWidgets', '', null, 0]);
    await page.close();
  });

  it('the billing address is requested, and a summary is shown before the payment', async () => {
    const { id } = await widget.checkout();
    const { page } = await openPage(widget.browser);
    const options = `{ useSummaryPage: true, billingAddress: { city: 'Berlin', country: 'DE' }, mandatoryBillingFields: { street1: true } }`;
    await page.goto(widget.page({ checkoutId: id, options }));
    await typeCard(page, CARD);
    await page.click(PAY);
    await page.waitForSelector('.wpwl-hint-street1Error');
    expect(await page.locator('.wpwl-button-pay.wpwl-button-error').count()).toBe(1);
    await page.fill('[name="billing.street1"]', 'High Street 5');
    await page.click(PAY);
    await page.waitForSelector('.wpwl-at-summary');
    expect(await page.isVisible('[name="card.holder"]')).toBe(false);
    expect(await page.textContent('.wpwl-summary-amount')).toBe('€12.34');
    const form = await posted(page, () => page.click(PAY));
    expect(form.get('billing.street1')).toBe('High Street 5');
    expect(form.get('billing.city')).toBe('Berlin');
    await endOf(page);
    await page.close();
  });

  describe('methods without a card', () => {
    it('are buttons that lead to the bank', async () => {
      const { id } = await widget.checkout();
      const { page } = await openPage(widget.browser);
      await page.goto(widget.page({ checkoutId: id, brands: 'DIRECTDEBIT_SEPA GIROPAY PAYPAL' }));
      await page.waitForSelector('.wpwl-container-directDebit form.wpwl-form-directDebit');
      for (const name of ['onlineTransfer-GIROPAY', 'virtualAccount-PAYPAL'])
        expect(
          await page.locator(`.wpwl-container-${name} form.wpwl-form-${name} .wpwl-button-brand`).count(),
        ).toBe(1);
      await openMethod(page, 'virtualAccount-PAYPAL');
      const form = await posted(page, () =>
        page.click('.wpwl-container-virtualAccount-PAYPAL .wpwl-button-pay'),
      );
      expect(form.get('paymentBrand')).toBe('PAYPAL');
      await page.click('button[value=approve]');
      expect((await endOf(page)).searchParams.get('resourcePath')).toBe(`/v1/checkouts/${id}/payment`);
      expect(await widget.status(id)).toMatchObject({
        result: { code: '000.100.110' },
        paymentBrand: 'PAYPAL',
      });
      await page.close();
    });

    it('are an account that is checked, and pays', async () => {
      const { id } = await widget.checkout();
      const { page } = await openPage(widget.browser);
      await page.goto(widget.page({ checkoutId: id, brands: 'DIRECTDEBIT_SEPA' }));
      await page.fill('[name="bankAccount.holder"]', 'Jane Jones');
      await page.fill('[name="bankAccount.iban"]', 'DE23100000001234567891');
      await page.click('.wpwl-button-pay');
      await page.waitForSelector('.wpwl-hint-accountIbanError');
      await page.fill('[name="bankAccount.iban"]', 'AT61 1904 3002 3457 3201');
      await page.click('.wpwl-button-pay');
      await endOf(page);
      expect(await widget.status(id)).toMatchObject({
        result: { code: '000.100.110' },
        paymentBrand: 'DIRECTDEBIT_SEPA',
      });
      await page.close();
    });
  });

  describe('a hostile page', () => {
    it('gets nothing of a field by messages, neither itself nor by a frame of another origin', async () => {
      const { id } = await widget.checkout();
      const { page } = await openPage(widget.browser);
      const framed = widget.shop.show('/other', { html: '<body></body>', isFramed: true });
      const other = framed.replace('127.0.0.1', 'localhost');
      await page.goto(
        widget.page({ checkoutId: id, around: ['', `<iframe name="other" src="${other}"></iframe>`] }),
      );
      await typeCard(page, CARD);
      // A frame that has answered this has answered all that was sent to it before: messages keep their order.
      for (const name of FRAMES)
        await page.frame(name)?.evaluate(`addEventListener('message', ({ source, data }) => {
        if (data?.type === 'turn') source.postMessage({ type: 'turned' }, '*');
      })`);
      const attack = `(async (target) => {
      const received = [];
      let turned = 0;
      const allTurned = new Promise((resolve) => addEventListener('message', ({ data }) => {
        received.push(JSON.stringify(data));
        if (data?.type === 'turned' && (turned += 1) === ${FRAMES.length}) resolve();
      }));
      target.frames['wpwl-session'].postMessage({ type: 'submit', request: 1, resource: 'payment', parameters: [], fields: [99] }, '*');
      for (const frame of ${JSON.stringify(FRAMES)}.map((name) => target.frames[name]))
        for (const message of [{ type: 'value?', checkoutId: '${id}', request: 1 }, { type: 'open', checkoutId: '${id}' }, { type: 'turn' }])
          frame.postMessage(message, '*');
      await allTurned;
      return received.filter((each) => each.includes('"value'));
    })`;
      expect(await page.evaluate(`${attack}(window)`)).toEqual([]);
      expect(page.frame('other')?.url()).toBe(other);
      expect(await page.frame('other')?.evaluate(`${attack}(parent)`)).toEqual([]);
      await page.click(PAY);
      await endOf(page);
      await page.close();
    });

    it('or a merchant with markup in its texts runs no script', async () => {
      const evil = '<img src=x onerror="window.evil=1">';
      const { id } = await widget.checkout({ merchantInvoiceId: `invoice${evil}` });
      const { page } = await openPage(widget.browser);
      const options = JSON.stringify({
        locale: `de"${evil}`,
        labels: { cardNumber: evil, pay: evil, testMode: evil },
        errorMessages: { cardNumberError: evil },
        iframeStyles: { 'card-number': { color: 'red;background:url(//evil)', position: 'fixed' } },
        style: evil,
      });
      const brands = `VISA ${evil.replaceAll('"', '&quot;')} constructor __proto__`;
      await page.goto(widget.page({ checkoutId: id, options, brands }));
      await page.click(PAY);
      await page.waitForSelector('.wpwl-hint-cardNumberError');
      expect(await page.textContent('.wpwl-label-cardNumber')).toBe(evil);
      expect(await page.evaluate('window.evil')).toBeUndefined();
      expect(await page.locator('img').count()).toBe(0);
      for (const frame of page.frames()) expect(await frame.locator('img').count()).toBe(0);
      await page.close();
    });
  });
}
