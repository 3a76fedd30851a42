import type { Transport } from '@tillbridge/wire/terminals/transports.js';
import { afterAll, describe, expect, test } from 'vitest';
import { IssuerHost } from './issuer-host.js';
import { LINES } from './lines.js';
import type { Maker } from './maker.js';
import { runStep, stepsOf } from './run-step.js';
import { Shop } from './shop.js';
import type { Deed, SaleStep } from './steps.js';

// The steps of a sale, and what is done to it there, over pseudo-terminals, Unix sockets of HID reports and TCP.

const host = new IssuerHost();
afterAll(() => host.close());

async function inShop(maker: Maker, transport: Transport, run: (shop: Shop) => Promise<void>): Promise<void> {
  const shop = await Shop.open(maker, host, { wire: 'real', transport });
  try {
    await run(shop);
    shop.expectNoSurprise();
  } finally {
    await shop.close();
  }
}

/** Lines need their time: a sale that goes on by itself may be over before the host knows of a cable that was pulled. */
function endsOf({ ends, runsOn = false }: SaleStep, deed: Deed): readonly (string | null)[] {
  return [ends[deed], ...(runsOn && deed === 'the cable is pulled' ? ['reversed', 'approved'] : [])];
}

async function checkStep(shop: Shop, step: SaleStep, deed: Deed): Promise<void> {
  try {
    const { answer } = await runStep(shop, step, deed, 'real');
    expect(endsOf(step, deed), JSON.stringify(answer.timeline)).toContain(answer.outcome);
    shop.expectTrue(answer);
    await shop.sellAgain();
  } catch (error) {
    throw new Error(`${step.name}: ${deed}`, { cause: error });
  }
}

const windows = process.platform === 'win32';
if (windows) console.log('skipped: steps of a sale on real lines, because Windows has no pseudo-terminals');
describe.skipIf(windows).concurrent.each(LINES)('%s over %s', (_, transport, maker) => {
  const steps = stepsOf(maker);

  test('a till cancels, or the driver is stopped, at every step', () =>
    inShop(maker, transport, async (shop) => {
      const cancelled = steps.filter(([, deed]) => deed !== 'the cable is pulled');
      for (const [step, deed] of cancelled) await checkStep(shop, step, deed);
    }));

  // A port that is lost again and again is opened more and more rarely: each step gets another port.
  test('the cable is pulled at every step', async () => {
    for (const [step, deed] of steps) {
      if (deed !== 'the cable is pulled') continue;
      await inShop(maker, transport, (shop) => checkStep(shop, step, deed));
    }
  });
});
