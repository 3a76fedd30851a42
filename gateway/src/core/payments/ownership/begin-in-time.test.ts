import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TryLaterError } from '../../../kernel/errors/try-later-error.js';
import { AcquirerUnreachableError } from '../../acquirers/acquirer.js';
import type { GateVerdict } from '../gates/gate.js';
import { findByReference } from '../lookup/find-by-reference.js';
import {
  ENGINES,
  ENTITY,
  FailingStore,
  followUp,
  openPaymentHarness,
  type PaymentHarness,
  restPayment,
  storeOf,
} from '../payment-harness.test.support.js';
import { GatewayPaymentService } from '../service.js';
import { BEGIN_LIMIT_MS } from './begin-in-time.js';

/** Shortly before a request may not begin any more. */
const LATE_MS = BEGIN_LIMIT_MS - 100;
const REFERENCE = 'web-order-7';

/** A promise that the test ends. */
function endedByTest<T>() {
  let end = (_: T): void => undefined;
  const ended = new Promise<T>((resolve) => {
    end = resolve;
  });
  return { ended, end: (value: T) => end(value) };
}

describe.each(ENGINES)('a request that cannot begin in time on the %s engine', (engine) => {
  let disk: FailingStore;
  let harness: PaymentHarness;
  beforeEach(async () => {
    harness = await openPaymentHarness(async (home) => {
      disk = new FailingStore(await storeOf(engine)(home));
      return disk;
    });
  });
  afterEach(() => harness.dispose());

  const found = () => findByReference(harness.store, [ENTITY], REFERENCE);
  const sends = (count: number) => expect.poll(() => harness.line.sent.length).toBe(count);
  const failed = (work: Promise<unknown>) => work.catch((error: unknown) => error);
  /** A service whose payments pass a gate that takes as long as the test wants. */
  const gated = () => {
    const { ended, end } = endedByTest<GateVerdict>();
    const gate = { name: 'slow', pass: () => ended, again: () => ended };
    return { service: new GatewayPaymentService({ ...harness.context, gates: [gate] }), end };
  };

  it('waits once for its turn and for the original, and is never carried out after that', async () => {
    const { paymentId } = await harness.service.authorize(restPayment());
    const line = endedByTest<void>();
    const status = endedByTest<void>();
    harness.line.gate = line.ended;
    harness.line.fault = 'request-lost';
    const askStatus = harness.line.status.bind(harness.line);
    let statusRequests = 0;
    harness.line.status = async (reference) => {
      statusRequests += 1;
      if (statusRequests === 1) throw new AcquirerUnreachableError('the line is cut');
      await status.ended;
      return askStatus(reference);
    };
    const first = failed(harness.service.followUp(followUp('CP', paymentId, 100)));
    await sends(2);
    const second = failed(
      harness.service.followUp({ ...followUp('CP', paymentId, 200), reference: REFERENCE }),
    );
    await harness.clock.advance(LATE_MS);
    line.end();
    // No outcome of the first one is known: the second one has its turn, and waits until the acquirer knows.
    expect(await first).toBeInstanceOf(TryLaterError);
    await expect.poll(() => statusRequests).toBe(2);
    await harness.clock.advance(100);
    status.end();
    expect(await second).toBeInstanceOf(TryLaterError);
    await harness.service.resolveOpen();
    await harness.clock.advance(BEGIN_LIMIT_MS);
    expect(await found()).toEqual([]);
    expect(harness.line.sent.filter(({ kind }) => kind === 'capture')).toHaveLength(1);
  });

  it('is no payment when its gates take too long', async () => {
    const { service, end } = gated();
    const paying = failed(service.authorize(restPayment({ reference: REFERENCE })));
    await harness.clock.advance(BEGIN_LIMIT_MS);
    expect(await found()).toEqual([]);
    end({ verdict: 'pass' });
    expect(await paying).toBeInstanceOf(TryLaterError);
    expect(await found()).toEqual([]);
    expect(harness.line.sent).toEqual([]);
  });

  it('is not refused afterwards either', async () => {
    const { service, end } = gated();
    const paying = failed(service.authorize(restPayment({ reference: REFERENCE })));
    await harness.clock.advance(BEGIN_LIMIT_MS);
    end({ verdict: 'refuse', resultCode: '800.100.151' });
    expect(await paying).toBeInstanceOf(TryLaterError);
    expect(await found()).toEqual([]);
  });

  it('is no payment when the round that would begin it comes too late', async () => {
    const read = endedByTest<void>();
    disk.beforeGet = (table) =>
      table === 'entities' || table === 'agreements' ? read.ended : Promise.resolve();
    const initial = { mode: 'INITIAL', source: 'CIT', agreementId: 'contract-1' } as const;
    const paying = failed(
      harness.service.authorize(restPayment({ reference: REFERENCE, standing: initial })),
    );
    await harness.clock.advance(BEGIN_LIMIT_MS);
    read.end();
    expect(await paying).toBeInstanceOf(TryLaterError);
    expect(await found()).toEqual([]);
  });

  it('is carried out up to the last moment', async () => {
    const { service, end } = gated();
    const paying = service.authorize(restPayment({ reference: REFERENCE }));
    await harness.clock.advance(LATE_MS);
    end({ verdict: 'pass' });
    expect((await paying).disposition).toBe('approved');
    expect(await found()).toHaveLength(1);
  });
});
