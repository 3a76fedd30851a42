import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  openPaymentHarness,
  type PaymentHarness,
} from '../../../core/payments/payment-harness.test.support.js';
import { WIDGET_LIMITS, WidgetBuilds } from './builds.js';
import { BUNDLES, hashOf, type WidgetFiles } from './files.js';

let harness: PaymentHarness;
beforeEach(async () => {
  harness = await openPaymentHarness();
});
afterEach(() => harness.dispose());

/** A build with this text in its script. */
function build(text: string): WidgetFiles {
  const files = Object.fromEntries(BUNDLES.map((name) => [name, `${name} ${text}`])) as WidgetFiles['files'];
  return { hash: hashOf(files['paymentWidgets.js']), cacheVersion: `of-${text}`, files };
}
const nodeOf = (text: string): WidgetBuilds =>
  new WidgetBuilds({ store: harness.store, clock: harness.clock, files: () => build(text) });
const textsAt = async (node: WidgetBuilds, atMs: number) => (await node.at(atMs)).files['paymentWidgets.js'];

describe('builds of the payment form', () => {
  it('give the hash of exactly the bytes that are served', async () => {
    const node = nodeOf('one');
    const served = await textsAt(node, harness.clock.nowMs());
    expect(await node.scriptIntegrity()).toBe(`sha384-${hashOf(served)}`);
  });

  it('are served to the pages that were made with them, also after a newer one, on every node', async () => {
    const old = nodeOf('one');
    await old.scriptIntegrity();
    const madeAtMs = harness.clock.nowMs();
    await harness.clock.advance(60_000);
    const newer = nodeOf('two');
    expect(await textsAt(newer, harness.clock.nowMs())).toContain('two');
    expect(await textsAt(newer, madeAtMs)).toContain('one');
    await harness.clock.advance(WIDGET_LIMITS.believeMs);
    // The older node gives out the hash of the newer build, and serves it.
    expect(await old.scriptIntegrity()).toBe(await newer.scriptIntegrity());
    expect(await textsAt(old, harness.clock.nowMs())).toContain('two');
    expect((await newer.ofVersion('of-one'))?.hash).toBe(build('one').hash);
  });

  it('are forgotten an hour after a newer one', async () => {
    await nodeOf('one').scriptIntegrity();
    await harness.clock.advance(1_000);
    await nodeOf('two').scriptIntegrity();
    await harness.clock.advance(WIDGET_LIMITS.keepMs);
    const third = nodeOf('three');
    expect(await textsAt(third, harness.clock.nowMs())).toContain('three');
    expect(await third.ofVersion('of-one')).toBeUndefined();
    expect(await third.ofVersion('of-two')).toBeDefined();
  });

  it('come back where an older one is put to use again', async () => {
    await nodeOf('one').scriptIntegrity();
    await harness.clock.advance(1_000);
    await nodeOf('two').scriptIntegrity();
    await harness.clock.advance(1_000);
    const back = nodeOf('one');
    expect(await textsAt(back, harness.clock.nowMs())).toContain('one');
  });

  it('are entered once where nodes of one build start together', async () => {
    const [one, other] = [nodeOf('one'), nodeOf('one')];
    const hashes = await Promise.all([one.scriptIntegrity(), other.scriptIntegrity()]);
    expect(new Set(hashes).size).toBe(1);
  });
});
