import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ENTITY } from '../../../core/payments/payment-harness.test.support.js';
import {
  decipher,
  FAILS,
  openReceiver,
  type Receiver,
  TAKES,
} from '../../../features/webhooks/webhook-harness.test.support.js';
import { addToken, type HttpHarness, openHttpHarness } from '../../http/http-harness.test.support.js';
import { callApi, type DeveloperAccess, GatewayRefusedError } from './api-client.js';
import { LISTEN_LIMITS, ListenError, Listener } from './listener.js';
import { TRIGGER_NAMES, TRIGGERS, type TriggerName } from './triggers.js';

let harness: HttpHarness;
let receiver: Receiver;
let access: DeveloperAccess;
let endpointId: string;
let key: string;
let printed: string[];
beforeEach(async () => {
  harness = await openHttpHarness();
  const token = 'tb_developer-token-of-the-tests';
  await addToken(harness.store, token, ['administration', 'pay', 'refund']);
  receiver = await openReceiver();
  access = { url: harness.url, token, entityId: ENTITY };
  const made = (await callApi(access, 'POST', '/v1/webhooks')) as unknown as {
    readonly webhook: { readonly id: string };
    readonly key: string;
  };
  endpointId = made.webhook.id;
  key = made.key;
  printed = [];
});
afterEach(async () => {
  await receiver.close();
  await harness.dispose();
});

const listener = (more: Partial<{ clock: VirtualClock; access: DeveloperAccess }> = {}) =>
  new Listener({
    access,
    endpointId,
    forwardTo: receiver.url,
    clock: new VirtualClock(),
    print: (line) => printed.push(line),
    ...more,
  });
const kinds = () =>
  receiver.received
    .map((one) => decipher(one, key))
    .map(({ type, payload }) => `${type} ${payload.paymentType ?? ''}`);

describe('listen', () => {
  it.each<[TriggerName, string[]]>([
    ['payment', ['PAYMENT DB']],
    ['preauthorization', ['PAYMENT PA']],
    ['decline', ['PAYMENT DB']],
    ['registration', ['PAYMENT DB', 'REGISTRATION ']],
    ['capture', ['PAYMENT PA', 'PAYMENT CP']],
    ['refund', ['PAYMENT DB', 'PAYMENT RF']],
    ['reversal', ['PAYMENT DB', 'PAYMENT RV']],
  ])('posts on what “trigger %s” makes, enciphered as it is', async (name, events) => {
    await TRIGGERS[name](access, {});
    expect(await listener().round()).toBe(events.length);
    expect(kinds()).toEqual(events);
    expect(receiver.received.map((one) => decipher(one, key).sequence)).toEqual(
      events.map((_, at) => at + 1),
    );
  });

  it('posts on the payment of “trigger checkout-result”, whose shop is called', async () => {
    const called: string[] = [];
    const shop = createServer((request, response) => {
      called.push(request.url ?? '');
      response.end();
    });
    await new Promise<void>((resolve) => shop.listen(0, '127.0.0.1', resolve));
    const shopperResultUrl = `http://127.0.0.1:${(shop.address() as AddressInfo).port}/done`;
    const [payment = ''] = await TRIGGERS['checkout-result'](access, { shopperResultUrl });
    // The gateway itself calls the shop of a payment that is named.
    expect(await TRIGGERS['checkout-result'](access, { payment })).toEqual([payment]);
    expect(called).toEqual([called[0], called[0]]);
    await new Promise((resolve) => shop.close(resolve));
    const { searchParams } = new URL(called[0] ?? '', shopperResultUrl);
    expect(searchParams.get('resourcePath')).toBe(`/v1/checkouts/${searchParams.get('id')}/payment`);
    await listener().round();
    expect(kinds()).toEqual(['PAYMENT DB']);
    await expect(TRIGGERS['checkout-result'](access, {})).rejects.toThrow('--shopper-result-url');
  });

  // Others that take minutes to weeks are in awaited-triggers.test.ts.
  it('has a test for every trigger', () => expect(TRIGGER_NAMES).toHaveLength(7 + 6));

  it('goes on where the one before it ended, and posts nothing twice', async () => {
    await TRIGGERS.refund(access);
    await listener().round();
    await TRIGGERS.payment(access);
    await listener().round();
    expect(receiver.received.map((one) => decipher(one, key).sequence)).toEqual([1, 2, 3]);
  });

  it('posts again what the receiver did not take', async () => {
    await TRIGGERS.payment(access);
    receiver.answer = FAILS;
    await expect(listener().round()).rejects.toThrow('delivery 1: the receiver answered 500');
    receiver.answer = TAKES;
    expect(await listener().round()).toBe(1);
    expect(receiver.received.map((one) => decipher(one, key).sequence)).toEqual([1, 1]);
  });

  it('runs until it is stopped', async () => {
    await TRIGGERS.payment(access);
    const running = listener();
    const ended = running.run();
    await receiver.has(1);
    running.stop();
    await ended;
    expect(printed).toEqual([`listening: events go to ${receiver.url}`, 'delivery 1: 204']);
  });

  it('ends with an error when the gateway refuses it', async () => {
    const stranger = listener({ access: { ...access, token: 'tb_wrong' } });
    await expect(stranger.run()).rejects.toBeInstanceOf(GatewayRefusedError);
  });

  it('reports that no gateway answers', async () => {
    const away = { ...access, url: 'http://127.0.0.1:1' };
    await expect(TRIGGERS.payment(away)).rejects.toThrow(
      'the gateway cannot be reached at http://127.0.0.1:1',
    );
  });

  it('ends with an error when the gateway stays away', async () => {
    const clock = new VirtualClock();
    const lost = listener({ clock, access: { ...access, url: 'http://127.0.0.1:1' } });
    const ended = lost.run().then(
      () => undefined,
      (error: unknown) => error,
    );
    let isOver = false;
    void ended.then(() => {
      isOver = true;
    });
    while (!isOver) {
      await clock.advance(LISTEN_LIMITS.giveUpAfterMs / 2);
      // The network answers in its own time.
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await ended).toBeInstanceOf(ListenError);
    expect(printed.length).toBeGreaterThan(0);
  });
});
