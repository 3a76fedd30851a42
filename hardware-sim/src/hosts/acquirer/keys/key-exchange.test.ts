import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { toHex } from '@tillbridge/wire/bytes.js';
import { tdesKcv } from '@tillbridge/wire/crypto/ciphers/kcv.js';
import { tdesDecryptEcb } from '@tillbridge/wire/crypto/ciphers/tdes.js';
import { unwrapKeyBlock } from '@tillbridge/wire/crypto/key-block/key-block.js';
import { developmentKey, isTestKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { DIALECTS } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import { answerTo, type ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { readZoneKey, writeZoneKey } from '@tillbridge/wire/iso8583/exchange/zone-key.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../../../faults/seeded-random.js';
import { AcquirerHost, type AcquirerHostDeps } from '../acquirer-host.js';
import { MemoryHostStore } from '../ledger/memory-host-store.js';
import { AT_MS, TestGateway } from '../line/gateway.test.support.js';
import { KEY_OVERLAP_MS } from './host-keys.js';
import { KEY_FORMS, type KeyForm } from './key-names.js';
import { readKeySet } from './key-set.js';

let home: string;
let clock: VirtualClock;
let host: AcquirerHost;
let gateway: TestGateway;
let bad: string[];
let store: MemoryHostStore;
let random: Random;

beforeEach(async () => {
  home = mkdtempSync(join(tmpdir(), 'key-exchange-'));
  clock = new VirtualClock(AT_MS);
  bad = [];
  store = new MemoryHostStore();
  random = seededRandom(7);
  await begin();
});
afterEach(async () => {
  await host.close();
  rmSync(home, { recursive: true });
});

async function begin(options: Partial<AcquirerHostDeps> = {}): Promise<void> {
  host = await AcquirerHost.open({
    home,
    dialect: DIALECTS['1987-binary'],
    clock,
    random,
    store,
    onBad: (reason) => bad.push(reason),
    ...options,
  });
  gateway = await connected();
}

async function connected(): Promise<TestGateway> {
  const [near, far] = memoryPipe('host');
  host.talk(far);
  const made = new TestGateway(near, DIALECTS['1987-binary']);
  await made.signOn();
  return made;
}

async function restart(options: Partial<AcquirerHostDeps> = {}): Promise<void> {
  const { macKey } = gateway;
  await host.close();
  await begin(options);
  gateway.macKey = macKey;
}

/** The key that a message brings, as a gateway with the development keys opens it. */
function opened({ keyBlock, zoneKey = '' }: ExchangeMessage): Buffer {
  if (keyBlock !== undefined) return unwrapKeyBlock(developmentKey('zoneProtectionKey'), keyBlock).key;
  const { cryptogram = Buffer.of() } = readZoneKey(zoneKey);
  return tdesDecryptEcb(developmentKey('zoneTransportKey'), cryptogram);
}

const askKey = (use: 'mac' | 'pin') =>
  gateway.ask({ kind: 'network', network: 'key-exchange', zoneKey: writeZoneKey({ use }) });
const echo = () => gateway.ask({ kind: 'network', network: 'echo' });
/** Resolves when the host has looked at everything that was sent before. */
const looked = () => host.database.exclusively(async () => undefined);

describe.each<KeyForm>(KEY_FORMS)('a key as %s', (keyForm) => {
  beforeEach(() => restart({ keyForm }));

  it('that a gateway requests is used by the host as soon as the gateway uses it', async () => {
    const answer = await askKey('mac');
    expect(answer).toMatchObject({ responseCode: '00' });
    const key = opened(answer);
    expect(readZoneKey(answer.zoneKey ?? '').kcv).toBe(toHex(tdesKcv(key)));
    expect(isTestKey(key)).toBe(false);
    // Under the old key, since the answer may have been lost; then under the new one.
    expect(await echo()).toMatchObject({ responseCode: '00' });
    gateway.macKey = key;
    expect(await echo()).toMatchObject({ responseCode: '00' });
    expect(host.keys.checkValues().mac).toEqual({ current: toHex(tdesKcv(key)) });
    expect(bad).toEqual([]);
  });

  it('that was lost on its way is sent again until it is used', async () => {
    const first = opened(await askKey('mac'));
    expect(toHex(opened(await askKey('mac')))).toBe(toHex(first));
    await restart({ keyForm });
    expect(toHex(opened(await askKey('mac')))).toBe(toHex(first));
    gateway.macKey = first;
    await echo();
    expect(toHex(opened(await askKey('mac')))).not.toBe(toHex(first));
  });

  it('that the host sends is used when the gateway confirms it', async () => {
    for (const use of ['mac', 'pin'] as const) {
      const sent = host.sendKey(use, keyForm);
      const message = await gateway.next('key-exchange');
      gateway.received.splice(0);
      const kcv = toHex(tdesKcv(opened(message)));
      await gateway.send(answerTo(message, { responseCode: '00', zoneKey: writeZoneKey({ use, kcv }) }));
      expect(await sent).toBe(true);
      expect(host.keys.checkValues()[use]).toEqual({ current: kcv });
      if (use === 'mac') gateway.macKey = opened(message);
    }
  });
});

it('the host gives up where no gateway takes its key', async () => {
  const refused = host.sendKey('mac', 'tr31');
  const message = await gateway.next('key-exchange');
  await gateway.send(answerTo(message, { responseCode: '63' }));
  expect(await refused).toBe(false);
  const silent = host.sendKey('mac', 'tr31');
  await clock.advance(60_000);
  expect(await silent).toBe(false);
  await gateway.send(answerTo(message, { responseCode: '00' }));
  await looked();
  expect(bad).toEqual(['an answer to nothing']);
  await gateway.close();
  expect(await host.sendKey('mac', 'tr31')).toBe(false);
});

it('the old key is accepted for a while, and no longer', async () => {
  const old = gateway.macKey;
  gateway.macKey = opened(await askKey('mac'));
  await echo();
  gateway.macKey = old;
  await clock.advance(KEY_OVERLAP_MS - 1_000);
  expect(await echo()).toMatchObject({ responseCode: '00' });
  await clock.advance(1_000);
  await gateway.send(gateway.message({ kind: 'network', network: 'echo' }));
  await looked();
  expect(bad).toEqual(['a wrong authentication code']);
});

it.each(['', '4D07F9', 'FF'])('a request for a key of no use ("%s") is refused', async (zoneKey) => {
  const about = { kind: 'network', network: 'key-exchange' } as const;
  expect(await gateway.ask({ ...about, ...(zoneKey !== '' && { zoneKey }) })).toMatchObject({
    responseCode: '30',
  });
});

it('keeps its keys in a file that only its owner reads', async () => {
  await askKey('pin');
  const file = join(home, 'keys.json');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const { mac, pin } = readKeySet(readFileSync(file, 'utf8'));
  expect(mac).toEqual({ current: developmentKey('zoneMacKey') });
  expect(pin.offered && isTestKey(pin.offered)).toBe(false);
});
