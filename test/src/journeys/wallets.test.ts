import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { WalletKeyView } from '@tillbridge/gateway/features/wallets/service.js';
import { WALLET_NAMES } from '@tillbridge/wire/payment/wallet-names.js';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GatewayClient } from '../clients/gateway-client.js';
import { PROGRAMS } from '../stack/layout.js';
import { namedTestMode } from '../stack/test-mode.js';
import { runGateway } from './operator.js';
import { CASE_TIMEOUT_MS, SETTLE_MS, startTestStack, type TestStack } from './test-stack.js';

const run = promisify(execFile);

let system: TestStack;
let keyFolder: string;
beforeAll(async () => {
  system = await startTestStack('wallets', undefined, undefined, { only: 'gateway' });
  keyFolder = mkdtempSync(join(tmpdir(), 'tillbridge-wallet-keys-'));
}, SETTLE_MS);
afterAll(async () => {
  rmSync(keyFolder, { recursive: true, force: true });
  await system?.end();
}, SETTLE_MS);

const AMOUNT = { amount: '12.34', currency: 'EUR' };
const SHOP = 'merchant:shop';

const wallets = async (...args: readonly string[]): Promise<WalletKeyView> =>
  JSON.parse(await runGateway(system.home, 'wallets', ...args)) as WalletKeyView;

/** A token of the simulator for a public key. */
async function tokenFor(wallet: string, publicKey: string): Promise<string> {
  const file = join(keyFolder, `${wallet}.pem`);
  writeFileSync(file, publicKey);
  const about = ['--merchant', SHOP, '--amount', AMOUNT.amount, '--currency', AMOUNT.currency];
  const args = ['wallet-token', '--wallet', wallet, '--merchant-key', file, ...about];
  const { stdout } = await run(process.execPath, [PROGRAMS.simulator, ...args]);
  return stdout.trim();
}

it(
  'a merchant gets a key for each wallet, is paid with its tokens, and replaces the key while the gateway runs',
  async () => {
    const { merchant } = system.stack.dev;
    const gateway = new GatewayClient(system.stack.dev.gateway.url, merchant, namedTestMode());
    const pay = (wallet: string, token: string) =>
      gateway.pay({ ...AMOUNT, paymentType: 'DB', [`${wallet}.paymentToken`]: token });
    for (const wallet of WALLET_NAMES) {
      const whose = ['--entity', merchant.entityId, '--wallet', wallet];
      const first = await wallets('create', ...whose, '--merchant-identifier', SHOP);
      const token = await tokenFor(wallet, first.publicKey);
      const paid = await pay(wallet, token);
      expect(paid.body.result.code).toMatch(/^000\.100\.1/);
      expect((await pay(wallet, token)).body.result.code).toBe('800.110.100');
      const second = await wallets('rotate', ...whose, '--keep-old-hours', '1');
      for (const { publicKey } of [first, second])
        expect((await pay(wallet, await tokenFor(wallet, publicKey))).status).toBe(200);
      await wallets('remove', first.id);
      const late = await pay(wallet, await tokenFor(wallet, first.publicKey));
      expect(late.body.resultDetails?.ExtendedDescription).toBe(`${wallet}.paymentToken: merchant`);
    }
    // The private keys rest under the data key; a new one takes them over.
    await runGateway(system.home, 'vault', 'rotate');
    await runGateway(system.home, 'vault', 'reseal');
    const [kept] = JSON.parse(
      await runGateway(system.home, 'wallets', 'list', '--entity', merchant.entityId),
    ) as WalletKeyView[];
    const { wallet = '', publicKey = '' } = kept ?? {};
    expect((await pay(wallet, await tokenFor(wallet, publicKey))).status).toBe(200);
  },
  CASE_TIMEOUT_MS,
);
