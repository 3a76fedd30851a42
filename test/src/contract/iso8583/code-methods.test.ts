import { HOST_FAULT_NAMES } from '@tillbridge/hardware-sim/hosts/acquirer/line/host-faults.js';
import { iso9797Algorithm1, retailMac, tdesCmac } from '@tillbridge/wire/crypto/ciphers/mac.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { DIALECT_NAMES } from '@tillbridge/wire/iso8583/dialects/dialect-names.js';
import { afterEach, describe, expect, it } from 'vitest';
import { LinkedGateway } from './linked-gateway.js';
import { payingAt } from './paying.js';

const APPROVED = '000.100.112';
const REVERSED = '900.100.301';

let gateway: LinkedGateway;
afterEach(() => gateway.close());

const { pay, follow } = payingAt(() => gateway);

/** The code of each method under the zone MAC key, as the standards write them. */
const METHODS = {
  iso9797Algorithm1: (data: Buffer) =>
    iso9797Algorithm1(developmentKey('zoneMacKey'), data, 'iso9797Method1'),
  iso9797Algorithm3: (data: Buffer) => retailMac(developmentKey('zoneMacKey'), data, 'iso9797Method1'),
  cmac: (data: Buffer) => tdesCmac(developmentKey('zoneMacKey'), data),
} as const;
type Method = keyof typeof METHODS;
const CODE_BYTES = { '1987-binary': 8, '1987-ascii': 8, cmf: 4 } as const;

const methods = Object.keys(METHODS) as Method[];
const cases = methods.flatMap((method) => DIALECT_NAMES.map((dialect) => [method, dialect] as const));

describe.each(cases)('codes by %s in %s', (macMethod, dialect) => {
  const open = () => LinkedGateway.open(dialect, 'test', { macMethod });

  it('are on each message, and a sale, its follow-ups and new keys go over the link', async () => {
    gateway = await open();
    const { id } = await pay({ type: 'PA' });
    expect((await follow('CP', id, 500)).code).toBe(APPROVED);
    expect((await follow('RF', id, 200)).code).toBe(APPROVED);
    expect((await follow('RV', id)).code).toBe(APPROVED);
    for (const [at, covered] of gateway.covered.entries()) {
      const whole = METHODS[macMethod](covered);
      expect(gateway.codes[at], gateway.sent[at]?.kind).toEqual(whole.subarray(0, CODE_BYTES[dialect]));
    }
    for (const form of ['tr31', 'cryptogram'] as const) {
      expect(await gateway.host.sendKey('mac', form)).toBe(true);
      expect((await pay()).code).toBe(APPROVED);
    }
    expect(gateway.bad).toEqual([]);
    expect(gateway.host.badMessages).toBe(0);
    expect(await gateway.differences()).toEqual([]);
  });

  it('hold through each fault of the host', async () => {
    gateway = await open();
    for (const name of HOST_FAULT_NAMES) {
      gateway.strike({ name, on: 'financial' }, { name, on: 'reversal' });
      expect([APPROVED, REVERSED, 'later'], name).toContain((await pay()).code);
      expect(await gateway.differences(), name).toEqual([]);
    }
  });
});

const others = methods.flatMap((ours) =>
  methods.filter((theirs) => theirs !== ours).map((theirs) => [ours, theirs] as const),
);

it.each(others)('a link with %s and a host with %s take nothing of each other', async (ours, theirs) => {
  gateway = await LinkedGateway.open('1987-binary', 'test', { macMethod: ours }, { macMethod: theirs });
  await pay();
  expect(gateway.host.badMessages).toBeGreaterThan(0);
  expect(await gateway.host.database.accounts()).toEqual([]);
});
