import type { BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserOrReason } from '../browser/launch.js';
import { BARE_TOKEN, BareAgent } from '../journeys/bare-agent.js';

const TILL = 'https://till.example';
const FOREIGN = 'https://other.example';
/** A page that the network never sees: only its origin matters. */
const PAGE = { contentType: 'text/html', body: '<!doctype html><title>till</title>' };

/** A name that a foreign site points to this machine. */
const REBOUND = 'rebound.example';

const browser = await browserOrReason({
  webSecurity: true,
  args: [`--host-resolver-rules=MAP ${REBOUND} 127.0.0.1`],
});

/** Why this machine has no browser, or nothing. */
const reason = typeof browser === 'string' ? ` (no browser: ${browser})` : '';

/** Pages of two sites call the agent of a store from a real browser. */
describe.skipIf(typeof browser === 'string')(`a till that is a web page${reason}`, () => {
  const bare = new BareAgent();
  let context: BrowserContext;

  beforeAll(async () => {
    await bare.start({ AGENT_TILL_ORIGINS: TILL });
    if (typeof browser === 'string') return;
    context = await browser.newContext();
    for (const origin of [TILL, FOREIGN]) {
      await context.route(`${origin}/**`, (route) => route.fulfill(PAGE));
      // Newer browsers ask the user; here the user grants it, so that the agent alone decides.
      await context.grantPermissions(['local-network-access'], { origin }).catch(() => undefined);
    }
  });
  afterAll(async () => {
    await context?.close();
    if (typeof browser !== 'string') await browser.close();
    await bare.end();
  });

  async function open(origin: string): Promise<Page> {
    const page = await context.newPage();
    await page.goto(`${origin}/`);
    return page;
  }

  /** What the page's own script gets of the agent. */
  function status(page: Page): Promise<string> {
    return page.evaluate(
      async ([address, bearer]) => {
        try {
          const answer = await fetch(`${address}/v1/status`, {
            headers: { authorization: `Bearer ${bearer}` },
          });
          const { journal } = (await answer.json()) as { readonly journal?: { readonly state: string } };
          return `${answer.status} ${journal?.state}`;
        } catch (error) {
          return `refused: ${(error as Error).name}`;
        }
      },
      [bare.url, BARE_TOKEN] as const,
    );
  }

  it('may call where its origin is configured', async () => {
    const page = await open(TILL);
    expect(await status(page)).toBe('200 ready');
  });

  it('is refused with a right token where its origin is not configured', async () => {
    const page = await open(FOREIGN);
    expect(await status(page)).toBe('refused: TypeError');
  });

  it('is refused under a name that another site points to the agent', async () => {
    const page = await context.newPage();
    const answer = await page.goto(`http://${REBOUND}:${new URL(bare.url).port}/v1/status`);
    expect(answer?.status()).toBe(421);
    expect(await answer?.json()).toMatchObject({ error: { code: 'wrong-host' } });
  });

  it('receives events by a token that it fetches', async () => {
    const page = await open(TILL);
    const opened = await page.evaluate(
      async ([address, bearer]) => {
        const headers = { authorization: `Bearer ${bearer}` };
        const answer = await fetch(`${address}/v1/events/token`, { method: 'POST', headers });
        const { token } = (await answer.json()) as { readonly token: string };
        return new Promise<string>((resolve) => {
          const events = new EventSource(`${address}/v1/events?token=${token}`);
          events.onopen = () => {
            events.close();
            resolve('open');
          };
          events.onerror = () => resolve('error');
        });
      },
      [bare.url, BARE_TOKEN] as const,
    );
    expect(opened).toBe('open');
  });
});
