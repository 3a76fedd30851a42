import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CHALLENGE_WINDOWS } from '@tillbridge/wire/three-d-secure/challenge-windows.js';
import type { Browser, Frame, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { browserOrReason } from '../browser/launch.js';
import { type Form, Merchant } from './merchant.js';
import type { Redirect } from './shopper.js';
import { startThreeDSecureStack, type ThreeDSecureStack } from './three-d-secure-stack.js';

const METHOD_CHALLENGE = '4200000000000042';
const CHALLENGE = '4200000000000067';
const SCREEN = { width: 1280, height: 800 };

const started = await browserOrReason();
const browser: Browser | undefined = typeof started === 'string' ? undefined : started;
if (typeof started === 'string') console.log(`skipped: the challenge in a real browser, because ${started}`);

let stack: ThreeDSecureStack;
let merchant: Merchant;
let shop: Server;
let shopUrl: string;
/** The page that the shop shows next. */
let checkout = '';

beforeAll(async () => {
  if (!browser) return;
  stack = await startThreeDSecureStack('three-d-secure-browser');
  merchant = new Merchant(stack);
  shop = createServer(({ url = '' }, response) => {
    const html = url.startsWith('/done') ? `<h1 id="done">${url}</h1>` : checkout;
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(`<!doctype html>${html}`);
  });
  shop.listen(0, '127.0.0.1');
  await once(shop, 'listening');
  shopUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await browser?.close();
  shop?.close();
  await stack?.end();
});

/** What a shop does with the redirect of an answer. */
function formOf({ url, method, parameters }: Redirect, target: string): string {
  const inputs = parameters.map(({ name, value }) => `<input type="hidden" name="${name}" value="${value}">`);
  return `<form id="go" method="${method}" action="${url}" target="${target}">${inputs.join('')}</form>
<script>document.getElementById('go').submit()</script>`;
}

async function begin(number: string, more: Form = {}, frame?: { width: number; height: number }) {
  const begun = await merchant.pay(number, { shopperResultUrl: `${shopUrl}/done?order=7`, ...more });
  if (!begun.redirect) throw new Error(`no redirect: ${begun.result.code}`);
  const size = frame ? `width="${frame.width}" height="${frame.height}"` : '';
  checkout = frame
    ? `<iframe name="bank" ${size} style="border:0"></iframe>${formOf(begun.redirect, 'bank')}`
    : formOf(begun.redirect, '_self');
  const page = await (browser as Browser).newPage({ viewport: SCREEN });
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => {
    if (message.type() === 'error') faults.push(message.text());
  });
  await page.goto(`${shopUrl}/checkout`);
  return { begun, page, faults };
}

/** The frame of the page with the bank's challenge. */
async function challengeFrame(page: Page): Promise<Frame> {
  for (;;) {
    for (const frame of page.frames())
      if ((await frame.$('#confirm').catch(() => null)) !== null) return frame;
    await page.waitForTimeout(50);
  }
}

const codeOf = async (id: string) => (await merchant.get(`/v1/payments/${id}`)).result.code;

it.runIf(browser)('method call and challenge in a real browser end at the shop, approved', async () => {
  const { begun, page, faults } = await begin(METHOD_CHALLENGE);
  const frame = await challengeFrame(page);
  expect(await frame.innerText('body')).toContain('€12.34');
  await frame.fill('#code', '1234');
  await frame.click('#confirm');
  await page.waitForSelector('#done');
  expect(await page.innerText('#done')).toContain(`/done?order=7&id=${begun.id}&resourcePath=`);
  expect(await codeOf(begun.id)).toBe('000.100.110');
  expect(stack.recorder.of('AReq').at(-1)?.request.threeDSCompInd).toBe('Y');
  expect(faults.filter((fault) => !/favicon/.test(fault))).toEqual([]);
  await page.close();
});

it.runIf(browser)('a shopper who enters a wrong code may try again, and cancel', async () => {
  const { begun, page } = await begin(CHALLENGE);
  const frame = await challengeFrame(page);
  await frame.fill('#code', '0000');
  await frame.click('#confirm');
  await frame.waitForSelector('text=Tries left: 2');
  await frame.click('#cancel');
  await page.waitForSelector('#done');
  expect(await codeOf(begun.id)).toBe('100.390.124');
  await page.close();
});

it.runIf(browser).each(Object.entries(CHALLENGE_WINDOWS))(
  'the challenge fits window %s and can be passed in it',
  async (code, size) => {
    const more = { 'customer.browser.challengeWindow': code.slice(1) };
    const { begun, page } = await begin(CHALLENGE, more, size ?? SCREEN);
    const frame = await challengeFrame(page);
    expect(await frame.innerText('.window')).toContain(`Window ${code}`);
    const fits = await frame.evaluate(`(() => {
      const { scrollWidth, clientWidth, clientHeight } = document.documentElement;
      const buttons = [...document.querySelectorAll('button')].map((button) => button.getBoundingClientRect());
      return scrollWidth <= clientWidth && buttons.every(({ right, bottom }) => right <= clientWidth && bottom <= clientHeight);
    })()`);
    expect(fits).toBe(true);
    await frame.fill('#code', '1234');
    await frame.click('#confirm');
    await page.frameLocator('iframe').locator('#done').waitFor();
    expect(await codeOf(begun.id)).toBe('000.100.110');
    await page.close();
  },
);
