import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CANCEL_TIMEOUT_MS } from '@tillbridge/agent/drivers/core/limits.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { afterAll, afterEach, describe, expect, test } from 'vitest';
import { ROOT } from '../../stack/layout.js';
import { IssuerHost } from './issuer-host.js';
import type { Maker } from './maker.js';
import { MAKERS } from './makers.js';
import { saleRequest, sellAgain } from './run-case.js';
import { openTerminalHarness, type TerminalHarness } from './terminal-harness.js';

// A terminal loses its power while it handles a card, and its line stays open: nothing comes any more. The driver notices within the time
// that the table of the page gives for its maker.

const PAGE = readFileSync(join(ROOT, 'agent', 'docs', 'terminals.md'), 'utf8');
const CARD_WAIT_MS = 60_000;
/** A liveness check is made and missed within this time. */
const LIVENESS_MS = 10_000;

/** How soon a device that does not end what the till cancels is let go of. */
const CANCEL_MS = CANCEL_TIMEOUT_MS + 100;

/** The row of a maker: how it is noticed, while a card is read, and while it gets its answer. */
function documented(deviceType: string) {
  const row = new RegExp(
    `^\\| \`${deviceType}\` \\| (liveness|guard)[^|]* \\| (card wait \\+ )?(\\d+) s \\| (\\d+) s \\|$`,
    'm',
  ).exec(PAGE);
  if (!row) throw new Error(`agent/docs/terminals.md has no row of ${deviceType} under "Silence"`);
  const [, by, plusWait, reading, completing] = row;
  return {
    by,
    readingMs: Number(reading) * 1_000 + (plusWait ? CARD_WAIT_MS : 0),
    completingMs: Number(completing) * 1_000,
  };
}

const host = new IssuerHost();
afterAll(() => host.close());

let harness: TerminalHarness | undefined;
afterEach(async () => {
  await harness?.close();
  harness = undefined;
});

/** A device whose power can go: its line stays open, and nothing comes from it. */
async function mortal(maker: Maker) {
  let dead = false;
  const wrap = (pipe: BytePipe): BytePipe => ({
    name: pipe.name,
    write: (bytes) => pipe.write(bytes),
    onData: (listener) => pipe.onData((bytes) => (dead ? undefined : listener(bytes))),
    onClose: (listener) => pipe.onClose(listener),
    close: () => pipe.close(),
  });
  const on = await openTerminalHarness(maker, { wire: 'memory', cardCommandMs: 20, wrap });
  harness = on;
  return {
    on,
    /** Lets the power go at the second command for the card. Returns how long ago that was. */
    dieAtCard() {
      let commands = 0;
      let diedAtMs: number | undefined;
      const stop = on.cardCommands.on(() => {
        commands += 1;
        if (commands !== 2) return;
        stop();
        dead = true;
        diedAtMs = on.clock.monotonicMs();
        on.device.reset();
      });
      return () => {
        if (diedAtMs === undefined) throw new Error('the card got no second command');
        return on.clock.monotonicMs() - diedAtMs;
      };
    },
    async wake() {
      dead = false;
      on.device.ui.remove();
      await on.until('ready');
    },
  };
}

const CHIP = { cards: [{ card: 'visa-credit-online' }] };

describe.each(MAKERS.map((maker) => [maker.deviceType, maker] as const))(
  '%s without power',
  (name, maker) => {
    const { by, readingMs, completingMs } = documented(name);

    test('while it reads a card', async () => {
      const { on, dieAtCard, wake } = await mortal(maker);
      on.cardholder.follow(CHIP);
      const ageMs = dieAtCard();
      const outcome = await on.pass(on.driver.start(saleRequest({}), () => {}));
      expect(outcome).toMatchObject({ kind: 'failed', failure: 'terminal-silent' });
      expect(ageMs()).toBeLessThanOrEqual(readingMs);
      if (by === 'liveness') expect(ageMs()).toBeLessThanOrEqual(LIVENESS_MS);
      await wake();
      await sellAgain(on, host);
    });

    test('while it gives a card its answer', async () => {
      const { on, dieAtCard, wake } = await mortal(maker);
      on.cardholder.follow(CHIP);
      const started = await on.pass(on.driver.start(saleRequest({}), () => {}));
      if (started.kind !== 'online-required') throw new Error(JSON.stringify(started));
      const result = await host.answer(started.card, await host.account(name, started.card), 'approve');
      const ageMs = dieAtCard();
      const end = await on.pass(on.driver.complete(result, () => {}));
      expect(end).toMatchObject({ kind: 'failed', failure: 'terminal-silent' });
      expect(ageMs()).toBeLessThanOrEqual(completingMs);
      if (by === 'liveness') expect(ageMs()).toBeLessThanOrEqual(LIVENESS_MS);
      await wake();
      await sellAgain(on, host);
    });
  },
);

test.each(MAKERS.map((maker) => [maker.deviceType, maker] as const))(
  '%s without power is let go of when the till cancels',
  async (_name, maker) => {
    const { on, dieAtCard, wake } = await mortal(maker);
    on.cardholder.follow(CHIP);
    const ageMs = dieAtCard();
    const sale = on.driver.start(saleRequest({}), () => {});
    await on.pass(
      new Promise<void>((resolve) => {
        on.clock.setTimer(3_000, resolve);
      }),
    );
    expect(ageMs()).toBeGreaterThan(0);
    const cancelledAtMs = on.clock.monotonicMs();
    await on.pass(on.driver.cancel());
    await sale;
    expect(on.clock.monotonicMs() - cancelledAtMs).toBeLessThanOrEqual(CANCEL_MS);
    await wake();
    await sellAgain(on, host);
  },
);

test('a terminal that only takes its time is not called silent', async () => {
  expect(documented('MAGTEK_DYNAFLEX').by).toBe('liveness');
  const [maker] = MAKERS.filter(({ deviceType }) => deviceType === 'MAGTEK_DYNAFLEX') as [Maker];
  const on = await openTerminalHarness(maker, { wire: 'memory', cardholderMs: 30_000 });
  harness = on;
  await sellAgain(on, host);
});
