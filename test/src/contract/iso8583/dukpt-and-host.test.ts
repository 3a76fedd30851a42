import { HOST_FAULT_NAMES } from '@tillbridge/hardware-sim/hosts/acquirer/line/host-faults.js';
import { DIALECTS } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import { packCoded } from '@tillbridge/wire/iso8583/exchange/exchange-codec.js';
import {
  DEVELOPMENT_AES_MAC_KEY_SET,
  DEVELOPMENT_MAC_KEY_SET,
} from '@tillbridge/wire/terminals/development-key-sets.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LinkedGateway } from './linked-gateway.js';
import { payingAt } from './paying.js';

const APPROVED = '000.100.112';
const REVERSED = '900.100.301';

let gateway: LinkedGateway;
const { pay, follow } = payingAt(() => gateway);

async function begin(dialect: keyof typeof DIALECTS, macKeySet = DEVELOPMENT_MAC_KEY_SET): Promise<void> {
  gateway = await LinkedGateway.open(dialect, 'test', { macKeySet });
}
beforeEach(() => begin('1987-binary'));
afterEach(() => gateway.close());

/** Key serial numbers of the requests of the gateway, in their order. */
function ksns(): string[] {
  return gateway.sent.flatMap(({ isResponse, macKsn }) => (isResponse ? [] : [macKsn ?? 'none']));
}

it.each(
  (['1987-binary', '1987-ascii', 'cmf'] as const).flatMap((dialect) =>
    [DEVELOPMENT_MAC_KEY_SET, DEVELOPMENT_AES_MAC_KEY_SET].map((keySet) => [dialect, keySet] as const),
  ),
)('pays in %s with a key of %s for each message', async (dialect, keySet) => {
  await gateway.close();
  await begin(dialect, keySet);
  const sale = await pay();
  expect(sale.code).toBe(APPROVED);
  expect((await follow('RF', sale.id, 234)).code).toBe(APPROVED);
  expect(await gateway.host.sendKey('pin', 'tr31')).toBe(true);
  await gateway.exchangeKeys();
  expect((await pay()).code).toBe(APPROVED);
  expect(gateway.bad).toEqual([]);
  expect(gateway.host.badMessages).toBe(0);
  expect(new Set(ksns()).size).toBe(ksns().length);
  for (const ksn of ksns()) expect(ksn.startsWith(keySet)).toBe(true);
  expect(await gateway.differences()).toEqual([]);
});

describe.each(HOST_FAULT_NAMES)('%s', (name) => {
  it('with a restart of either side: no key is used twice, and both ledgers agree', async () => {
    for (const restart of ['none', 'gateway', 'host'] as const) {
      gateway.strike({ name, on: 'financial' }, { name, on: 'reversal' });
      const sale = pay();
      if (restart === 'gateway') await gateway.restartGateway();
      if (restart === 'host') await gateway.restartHost();
      expect([APPROVED, REVERSED, 'later']).toContain((await sale).code);
      expect(await gateway.differences()).toEqual([]);
    }
    expect(new Set(ksns()).size).toBe(ksns().length);
  });
});

it('refuses codes of other keys, and counts them', async () => {
  expect((await pay()).code).toBe(APPROVED);
  const dialect = DIALECTS['1987-binary'];
  const signOn = gateway.sent[0];
  if (!signOn) throw new Error('nothing was sent');
  // To the gateway: its own request comes back, an answer of no key, an answer under another key set.
  for (const message of [signOn, { ...signOn, isResponse: true, macKsn: 'FFFF9A11E1FFFFFFFFFF' }]) {
    const { bytes } = packCoded(dialect, message);
    await gateway.sendToGateway(bytes);
  }
  await gateway.until(async () => gateway.bad.length === 2);
  expect(new Set(gateway.bad)).toEqual(new Set(['a wrong authentication code']));
  // To the host: a request whose code is of no key.
  const before = gateway.host.badMessages;
  const { macKsn: _, ...bare } = signOn;
  await gateway.sendToHost(packCoded(dialect, bare).bytes);
  await gateway.until(async () => gateway.host.badMessages === before + 1);
  expect((await pay()).code).toBe(APPROVED);
});
