import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError } from '@tillbridge/platform/config/problems.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  DEFERRED_CARDS,
  OFFLINE_MAXIMA,
  OFFLINE_OFF,
  type OfflinePolicy,
} from '../sale/offline/offline-policy.js';
import { loadConfig } from './config.js';
import { STANDARD_DEFERRED, STANDARD_OFFLINE } from './offline.js';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'agent-offline-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

interface Read {
  readonly policy?: OfflinePolicy;
  readonly problems: readonly string[];
}

/** The policy of a configuration with this `offline`, or what is wrong with it. */
function read(yaml: string): Read {
  return readWhole(`offline: ${yaml.replaceAll('\n', '\n  ')}`);
}

function readWhole(yaml: string): Read {
  const file = join(folder, 'agent.yaml');
  writeFileSync(file, yaml);
  try {
    return { policy: loadConfig(file, {}).policy.offline, problems: [] };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return { problems: error.message.replaceAll(`${file}: `, '').split('\n') };
  }
}

describe('offline rules of the configuration', () => {
  it.each([
    ['off', OFFLINE_OFF],
    ['false', OFFLINE_OFF],
    ['', OFFLINE_OFF],
    ['on', STANDARD_OFFLINE],
    ['true', STANDARD_OFFLINE],
  ])('%s', (yaml, policy) => {
    expect(read(yaml)).toEqual({ policy, problems: [] });
  });

  it('never defer unless that is written', () => {
    for (const yaml of ['on', '{maxCount: 5}', '{deferred: off}']) {
      expect(read(yaml).policy?.deferred).toMatchObject({ enabled: false, limits: {} });
    }
    expect(read('{deferred: on}')).toMatchObject({ policy: { deferred: STANDARD_DEFERRED }, problems: [] });
  });

  it('are read whole', () => {
    const { policy, problems } = read(`
limits: { EUR: { perSale: "50.00", sum: "500", perCard: "75.00" }, JPY: { perSale: "900", sum: "9000" } }
maxCount: 20
maxPerCard: 3
maxContactAgeHours: 2
expiryHours: 48
cards:
  ICC: [offline-pin, signature]
  NFC_ICC: { device: , none: { EUR: "25.00", JPY: "900" } }
deferred:
  limits: { EUR: { perSale: "10.00", sum: "100.00" } }
  maxCount: 4
  cards: { NFC_ICC: [none] }
afterHandOver: reverse
`);
    expect(problems).toEqual([]);
    expect(policy).toMatchObject({
      enabled: true,
      limits: {
        EUR: { perSaleMinor: 5_000, sumMinor: 50_000, perCardMinor: 7_500 },
        JPY: { perSaleMinor: 900, sumMinor: 9_000 },
      },
      maxCount: 20,
      maxPerCard: 3,
      maxContactAgeMs: 2 * 3_600_000,
      expiryMs: 48 * 3_600_000,
      deferred: {
        enabled: true,
        limits: { EUR: { perSaleMinor: 1_000, sumMinor: 10_000 } },
        maxCount: 4,
        cards: [{ entryMode: 'NFC_ICC', verification: 'none' }],
      },
      afterHandOver: 'reverse',
    });
    expect(policy?.cards).toEqual([
      { entryMode: 'ICC', verification: 'offline-pin' },
      { entryMode: 'ICC', verification: 'signature' },
      { entryMode: 'NFC_ICC', verification: 'device' },
      { entryMode: 'NFC_ICC', verification: 'none', perSaleMinor: { EUR: 2_500, JPY: 900 } },
    ]);
  });

  it('take what is left out from the reference’s proposal', () => {
    const { policy, problems } = read('{deferred: {maxCount: 3}}');
    expect(problems).toEqual([]);
    expect(policy).toMatchObject({
      limits: STANDARD_OFFLINE.limits,
      maxCount: 60,
      maxPerCard: 1,
      expiryMs: 24 * 3_600_000,
      deferred: { limits: STANDARD_DEFERRED.limits, maxCount: 3, cards: DEFERRED_CARDS },
    });
  });

  const { perCard, deferred } = OFFLINE_MAXIMA;
  it.each([
    ['{expiryHours: 73}', 'offline.expiryHours must be whole hours from 1 to 72'],
    ['{maxContactAgeHours: 0}', 'offline.maxContactAgeHours must be whole hours from 1 to 72'],
    [`{maxPerCard: ${perCard + 1}}`, `offline.maxPerCard must be a whole number from 1 to ${perCard}`],
    [
      `{deferred: {maxCount: ${deferred.count + 1}}}`,
      `offline.deferred.maxCount must be a whole number from 1 to ${deferred.count}`,
    ],
    [
      '{deferred: {limits: {EUR: {perSale: "250.01", sum: "2500"}}}}',
      'offline.deferred.limits.EUR.perSale must be an amount in quotes such as "100.00", at most 250 EUR',
    ],
    [
      '{limits: {EUR: {perSale: "1", sum: "2", perCard: "2500.01"}}}',
      'offline.limits.EUR.perCard must be an amount in quotes such as "100.00", at most 2500 EUR',
    ],
    ['{limits: {EUR: {perSale: "3", sum: "2"}}}', 'offline.limits.EUR.perSale must not be above sum'],
    [
      '{limits: {EUR: {perSale: "1", sum: "2"}}, deferred: {limits: {USD: {perSale: "1", sum: "2"}}}}',
      'offline.deferred.limits.USD needs limits of USD in offline.limits too',
    ],
    ['{deferred: maybe}', 'offline.deferred must be off, on, or a mapping with limits, maxCount, cards'],
    ['{defered: on}', 'offline.defered is no known key; did you mean deferred?'],
    ['{deferred: {card: {}}}', 'offline.deferred.card is no known key; did you mean cards?'],
    ['{cards: {MANUAL: [none]}}', 'offline.cards.MANUAL is never taken offline; only ICC and NFC_ICC can be'],
    ['{cards: {NFC: [none]}}', 'offline.cards.NFC is no known key'],
    [
      '{cards: {ICC: [device]}}',
      'offline.cards.ICC[0] must be one of offline-pin, signature, none, not "device"',
    ],
    ['{cards: {ICC: [online-pin]}}', 'offline.cards.ICC[0] must be one of offline-pin, signature, none'],
    [
      '{cards: {ICC: all}}',
      'offline.cards.ICC must be a list out of offline-pin, signature, none, or a mapping of them to limits such as {EUR: "25.00"}',
    ],
    ['{cards: {NFC_ICC: {offline-pin: {}}}}', 'offline.cards.NFC_ICC.offline-pin is no known key'],
    ['{cards: {NFC_ICC: {none: {EUR: 25}}}}', 'offline.cards.NFC_ICC.none.EUR must be an amount in quotes'],
    ['{cards: {NFC_ICC: {none: {Euro: "25"}}}}', 'offline.cards.NFC_ICC.none.Euro must be an ISO 4217 code'],
  ])('%s: %s', (yaml, problem) => {
    expect(read(yaml).problems).toContainEqual(expect.stringContaining(problem));
  });
});

it('accepts the configuration that the page of the offline rules shows', () => {
  const page = readFileSync(new URL('../../docs/offline-rules.md', import.meta.url), 'utf8');
  const [, yaml = ''] = /## Configuration[\s\S]*?```yaml\n([\s\S]*?)```/.exec(page) ?? [];
  const { policy, problems } = readWhole(yaml);
  expect(problems).toEqual([]);
  expect(policy).toMatchObject({ enabled: true, deferred: { enabled: true } });
});
