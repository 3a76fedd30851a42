import type { VaultStatus } from '@tillbridge/gateway/app/commands/vault.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GatewayClient } from '../clients/gateway-client.js';
import { until } from '../clients/http.js';
import { namedTestMode } from '../stack/test-mode.js';
import { runGateway } from './operator.js';
import { CASE_TIMEOUT_MS, SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

const CARD = {
  amount: '7.00',
  currency: 'EUR',
  paymentType: 'DB',
  'card.number': '4200000000000000',
  'card.expiryMonth': '12',
  'card.expiryYear': '2034',
};
const APPROVED = /^000\.100\.1/;

let system: TestStack;
beforeAll(async () => {
  system = await startTestStack('vault', undefined, undefined, { only: 'gateway' });
}, SETTLE_MS);
afterAll(() => system?.end(), SETTLE_MS);

const gateway = (): GatewayClient =>
  new GatewayClient(system.stack.dev.gateway.url, system.stack.dev.merchant, namedTestMode());
const status = async (): Promise<VaultStatus> =>
  JSON.parse(await runGateway(system.home, 'vault', 'status')) as VaultStatus;

/** Sends another request to the issuer with the card of a payment, which is in the vault alone. */
async function repeat(id: string): Promise<void> {
  const { body } = await gateway().followUp(id, { paymentType: 'RB', amount: '1.00', currency: 'EUR' });
  expect(body.result.code).toMatch(APPROVED);
}

async function pay(): Promise<string> {
  const { body } = await gateway().pay(CARD);
  expect(body.result.code).toMatch(APPROVED);
  return body.id ?? '';
}

it(
  'cards stay readable while both keys of the vault are rotated and the gateway is killed between the steps',
  async () => {
    const payments = [await pay(), await pay()];
    const { dataKeys } = await status();
    const [old] = dataKeys;
    expect(dataKeys).toMatchObject([{ active: true, vaultRows: 2 }]);
    // While the gateway runs; then it is killed, wherever its worker is.
    await runGateway(system.home, 'vault', 'rotate');
    await system.stack.part('gateway')?.kill();
    await runGateway(system.home, 'vault', 'rotate', '--kek');
    await system.stack.restart('gateway');
    for (const id of payments) await repeat(id);
    await runGateway(system.home, 'vault', 'rotate');
    payments.push(await pay());
    for (const id of payments) await repeat(id);
    await until('all rows under the active key', SETTLE_MS, async () => {
      const { dataKeys } = await status();
      return dataKeys.every(({ active, vaultRows }) => active || vaultRows === 0) ? true : undefined;
    });
    const after = await status();
    expect(after.keyEncryptionKey?.number).toBe(2);
    expect(after.dataKeys.find(({ active }) => active)).toMatchObject({ vaultRows: 3, keyEncryptionKey: 2 });
    expect(after.dataKeys.find(({ active }) => active)?.id).not.toBe(old?.id);
    for (const id of payments) await repeat(id);
  },
  CASE_TIMEOUT_MS,
);
