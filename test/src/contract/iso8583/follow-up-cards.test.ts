import { VISA } from '@tillbridge/gateway/core/payments/payment-harness.test.support.js';
import { sweepVault } from '@tillbridge/gateway/security/vault/upkeep/vault-retention.js';
import { DIALECT_NAMES } from '@tillbridge/wire/iso8583/dialects/dialect-names.js';
import { afterEach, describe, expect, it } from 'vitest';
import { LinkedGateway } from './linked-gateway.js';
import { payingAt } from './paying.js';

const APPROVED = '000.100.112';
/** Fields 2 and 14 of the harness's card. */
const CARD = { pan: VISA, expiry: '3112' };
const DAY_MS = 24 * 3_600_000;

let gateway: LinkedGateway;
afterEach(() => gateway.close());

const { pay, follow } = payingAt(() => gateway);
const sentAs = (kind: string, isAdvice = true) =>
  gateway.sent.filter((message) => message.kind === kind && message.isAdvice === isAdvice);
/** Everything that the link has journaled. */
const journaled = async () => JSON.stringify(await gateway.exchanges());

describe.each(DIALECT_NAMES)('follow-ups in the dialect %s', (dialect) => {
  it('name the card of the sale, which no journal keeps', async () => {
    gateway = await LinkedGateway.open(dialect);
    const { id } = await pay({ type: 'PA' });
    expect((await follow('CP', id, 500)).code).toBe(APPROVED);
    expect((await follow('RF', id, 200)).code).toBe(APPROVED);
    expect((await follow('RV', id)).code).toBe(APPROVED);
    const approvalCode = expect.stringMatching(/^\w{6}$/);
    expect(sentAs('financial')).toMatchObject([
      { ...CARD, approvalCode, original: {} },
      { ...CARD, approvalCode, original: {} },
    ]);
    expect(sentAs('reversal')).toMatchObject([{ ...CARD, approvalCode, rrn: expect.any(String) }]);
    expect(await journaled()).not.toContain(VISA);
    expect(gateway.withoutCard).toEqual([]);
    expect(await gateway.differences()).toEqual([]);
  });
});

it('names the card of a capture at once, which is reversed', async () => {
  gateway = await LinkedGateway.open();
  const { id } = await pay({ type: 'PA.CP' });
  expect((await follow('RV', id)).code).toBe(APPROVED);
  expect(sentAs('reversal')).toMatchObject([CARD, CARD]);
});

it('reads the card again for a reversal that is repeated after a restart', async () => {
  gateway = await LinkedGateway.open();
  gateway.strike({ name: 'lost', times: 3 });
  await pay();
  await gateway.until(async () => sentAs('reversal').length > 0);
  await gateway.restartGateway();
  await gateway.until(async () => sentAs('reversal').some(({ isRepeat }) => isRepeat));
  for (const message of sentAs('reversal')) expect(message).toMatchObject(CARD);
  expect(await journaled()).not.toContain(VISA);
  expect(await gateway.differences()).toEqual([]);
});

it('names approval code and reference alone where the vault has the card no more, and reports it', async () => {
  gateway = await LinkedGateway.open();
  const { id } = await pay();
  const { store, clock } = gateway.harness;
  await gateway.restartGateway(10 * DAY_MS);
  expect(await sweepVault({ store, clock, keepMs: DAY_MS })).toBe(1);
  expect((await follow('RF', id, 200)).code).toBe(APPROVED);
  gateway.strike({ name: 'silent' });
  await follow('RF', id, 300);
  await gateway.until(async () => sentAs('reversal').length > 0);
  for (const message of [...sentAs('financial'), ...sentAs('reversal')]) {
    expect(message.pan).toBeUndefined();
    expect(message.rrn).toEqual(expect.any(String));
  }
  expect(sentAs('financial')).toMatchObject([
    { approvalCode: expect.any(String) },
    { approvalCode: expect.any(String) },
  ]);
  expect(gateway.withoutCard.length).toBeGreaterThanOrEqual(3);
});

it('names no card where the acquirer wants references alone', async () => {
  gateway = await LinkedGateway.open('1987-binary', 'test', { followUps: 'reference' });
  const { id } = await pay();
  expect((await follow('RV', id)).code).toBe(APPROVED);
  expect(sentAs('reversal').map(({ pan, expiry }) => [pan, expiry])).toEqual([[undefined, undefined]]);
  expect(gateway.withoutCard).toEqual([]);
});
