import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MailConfig } from '@tillbridge/gateway/kernel/outbox/smtp-mailer.js';
import type { Browser, Frame, Page } from 'playwright-core';
import { MailServer } from '../mail/mail-server.js';
import type { PartProcess } from '../stack/part-process.js';
import { startBank } from '../stack/parts.js';
import { startThreeDSecureStack, type ThreeDSecureStack } from '../three-d-secure/three-d-secure-stack.js';
import { Shop } from './shop.js';

type Form = Readonly<Record<string, string>>;

/** What journeys read of an answer. */
export interface Answer {
  readonly id: string;
  readonly integrity?: string;
  readonly registrationId?: string;
  readonly result: { readonly code: string; readonly description: string };
  readonly [more: string]: unknown;
}

/** How a page with the form is made. */
interface PageDeps {
  readonly checkoutId: string;
  readonly brands?: string;
  /** `wpwlOptions`, as the text of a script. */
  readonly options?: string;
  readonly action?: string | false;
  /** Attributes of the script's tag, such as `integrity`. */
  readonly tag?: string;
  /** HTML before and after the form. */
  readonly around?: readonly [before: string, after: string];
  readonly policy?: string;
  readonly head?: string;
  /** Address of another gateway than that of the stack. */
  readonly gateway?: string;
}

export const PURCHASE: Form = { amount: '12.34', currency: 'EUR', paymentType: 'DB' };

interface WidgetParts extends Pick<WidgetStack, 'stack' | 'shop' | 'browser' | 'mails'> {
  readonly bank: PartProcess;
  readonly folder: string;
}

function mailVariables(config: Required<MailConfig>): NodeJS.ProcessEnv {
  return {
    GATEWAY_MAIL_HOST: config.host,
    GATEWAY_MAIL_PORT: String(config.port),
    GATEWAY_MAIL_SECURITY: config.security,
    GATEWAY_MAIL_FROM: config.from,
    GATEWAY_MAIL_USER: config.user,
    GATEWAY_MAIL_PASSWORD_FILE: config.passwordFile,
    GATEWAY_MAIL_AUTHORITY_FILE: config.authorityFile,
  };
}

/** Everything that journeys of shoppers need: gateway, banks, a shop, a browser. */
export class WidgetStack {
  readonly stack: ThreeDSecureStack;
  readonly shop: Shop;
  readonly browser: Browser;
  /** The mail server of the gateway. */
  readonly mails: MailServer;

  readonly #bank: PartProcess;
  readonly #folder: string;

  private constructor({ stack, shop, browser, mails, bank, folder }: WidgetParts) {
    this.#bank = bank;
    this.#folder = folder;
    this.stack = stack;
    this.shop = shop;
    this.browser = browser;
    this.mails = mails;
  }

  static async start(browser: Browser): Promise<WidgetStack> {
    const bank = await startBank(0);
    const folder = mkdtempSync(join(tmpdir(), 'tillbridge-mails-'));
    const mails = new MailServer();
    const stack = await startThreeDSecureStack('widget', true, {
      GATEWAY_SIMULATED_BANK_URL: String(bank.listening.url),
      ...mailVariables(await mails.listen(folder)),
      // All shoppers come from one address.
      GATEWAY_CARD_TESTING_CHECKOUTS_PER_ADDRESS: '1000',
    });
    const shop = new Shop();
    await shop.listen();
    return new WidgetStack({ stack, shop, browser, mails, bank, folder });
  }

  async end(): Promise<void> {
    await this.browser.close();
    this.shop.close();
    await this.stack.end();
    await this.#bank.stop();
    await this.mails.close();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** Sends a request to the gateway as the shop's server. @param merchant `threeDSecureMerchant`: the channel with 3D Secure */
  async send(
    method: 'GET' | 'POST',
    path: string,
    form: Form = {},
    merchant: 'merchant' | 'threeDSecureMerchant' = 'merchant',
  ): Promise<Answer> {
    const { seed, url } = this.stack;
    const all = new URLSearchParams({ entityId: seed[merchant].entityId, ...form });
    const response = await fetch(method === 'GET' ? `${url}${path}?${all}` : url + path, {
      method,
      headers: { authorization: `Bearer ${seed.merchant.accessToken}` },
      ...(method === 'POST' && { body: all }),
    });
    return (await response.json()) as Answer;
  }

  /** A checkout of a purchase. */
  async checkout(
    form: Form = {},
    merchant: 'merchant' | 'threeDSecureMerchant' = 'merchant',
  ): Promise<Answer> {
    const made = await this.send('POST', '/v1/checkouts', { ...PURCHASE, ...form }, merchant);
    if (!made.id) throw new Error(`no checkout: ${JSON.stringify(made)}`);
    return made;
  }

  /** How a checkout's payment stands. */
  status(checkoutId: string): Promise<Answer> {
    return this.send('GET', `/v1/checkouts/${checkoutId}/payment`);
  }

  /** A page of the shop with the form; gives its address. */
  page(deps: PageDeps): string {
    const {
      checkoutId,
      brands = 'VISA MASTER AMEX',
      options = '{}',
      action,
      tag = '',
      around = ['', ''],
    } = deps;
    const target = action === false ? '' : `action="${action ?? `${this.shop.url}/done?order=7`}"`;
    const nonce = deps.policy ? ' nonce="n"' : '';
    const html = `<head><meta name="viewport" content="width=device-width">${deps.head ?? ''}
<script${nonce}>var wpwlOptions = ${options};</script>
<script src="${deps.gateway ?? this.stack.url}/v1/paymentWidgets.js?checkoutId=${checkoutId}" ${tag}></script></head>
<body><main><h1>Checkout</h1>${around[0]}<form ${target} class="paymentWidgets" data-brands="${brands}"></form>${around[1]}</main></body>`;
    const path = `/pay-${checkoutId.slice(0, 8)}-${Math.random().toString(36).slice(2)}`;
    return this.shop.show(path, { html, ...(deps.policy && { policy: deps.policy }) });
  }
}

/** How long one act on a page may take, in milliseconds: shorter than a test, so that a failure names it. */
const ACT_MS = 60_000;

/** A page that remembers what went wrong in it. */
export async function openPage(browser: Browser, options: Parameters<Browser['newPage']>[0] = {}) {
  const page = await browser.newPage({ viewport: { width: 800, height: 900 }, ...options });
  page.setDefaultTimeout(ACT_MS);
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/favicon/.test(message.text())) faults.push(message.text());
  });
  return { page, faults };
}

/** Types a card, as a shopper does. */
export async function typeCard(
  page: Page,
  number: string,
  more: { cvv?: string; holder?: string | false } = {},
) {
  const { cvv = /^3[47]/.test(number) ? '1234' : '123', holder = 'Jane Jones' } = more;
  await page.frameLocator('iframe[name="card.number"]').locator('#field').fill(number);
  await page.fill('input[name="card.expiry"]', '12/31');
  if (holder !== false) await page.fill('input[name="card.holder"]', holder);
  await page.frameLocator('iframe[name="card.cvv"]').locator('#field').fill(cvv);
}

/** Opens a method of the accordion. @param name as in `wpwl-container-virtualAccount-PAYPAL` */
export function openMethod(page: Page, name: string): Promise<void> {
  return page.click(`.wpwl-container-${name} .wpwl-method`);
}

/** The page of the shop that shoppers come back to. */
export async function endOf(page: Page): Promise<URL> {
  await page.waitForSelector('#done');
  return new URL(page.url());
}

/** The parameters that the browser posts with the next payment. */
export async function posted(page: Page, act: () => Promise<unknown>): Promise<URLSearchParams> {
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.method() === 'POST' && each.url().endsWith('/payment')),
    act(),
  ]);
  return new URLSearchParams(request.postData() ?? '');
}

/** The frame of the bank's challenge, wherever it stands. */
export async function bankFrame(page: Page): Promise<Frame> {
  for (;;) {
    for (const frame of page.frames())
      if ((await frame.$('#confirm').catch(() => null)) !== null) return frame;
    await page.waitForEvent('framenavigated', { timeout: 250 }).catch(() => undefined);
  }
}

/** What a cardholder is authenticated with. */
export const BILLING: Form = {
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'billing.street1': 'High Street 5',
  'billing.city': 'Berlin',
  'billing.postcode': '10115',
  'billing.country': 'DE',
};

export const PAY = '.wpwl-container-card .wpwl-button-pay';
