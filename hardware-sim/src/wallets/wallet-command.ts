import { createPublicKey } from 'node:crypto';
import { readSmallFile } from '@tillbridge/platform/read-file.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import type { WalletPayment } from '@tillbridge/wire/crypto/wallets/wallet-payment.js';
import { currencyDigits } from '@tillbridge/wire/payment/currency-codes.js';
import { parseAmount } from '@tillbridge/wire/payment/money.js';
import { WALLET_NAMES, type WalletName } from '@tillbridge/wire/payment/wallet-names.js';
import { present } from '@tillbridge/wire/present.js';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { newTokenId, paymentInside } from './payment-inside.js';
import { TOKEN_FLAWS, type TokenFlaw } from './token-order.js';

/** Largest file of a merchant's public key, in bytes. */
const MAX_KEY_FILE_BYTES = 4_096;

interface WalletOptions {
  readonly wallet: WalletName;
  readonly merchantKey: string;
  readonly merchant: string;
  readonly gatewayMerchant?: string;
  readonly amount: string;
  readonly currency: string;
  readonly card: string;
  readonly expiry: readonly [year: string, month: string];
  readonly plainPan?: true;
  readonly scheme: 'ECv1' | 'ECv2';
  readonly flaw?: TokenFlaw;
}

/** The token cannot be issued; the message has the reason. */
class WalletTokenError extends Error {
  override readonly name = 'WalletTokenError';
}

/** `wallet-token`. */
export function addWalletCommand(program: Command): void {
  program
    .command('wallet-token')
    .description('Issue a wallet’s payment token under the published test roots, and print it.')
    .addOption(new Option('--wallet <name>', 'whose token').choices(WALLET_NAMES).makeOptionMandatory())
    .requiredOption(
      '--merchant-key <file>',
      'public key of the merchant, PEM (“wallets keys” of the gateway)',
    )
    .requiredOption('--merchant <text>', 'the merchant as the wallet knows it')
    .option('--gateway-merchant <entity>', 'the merchant behind a recipient “gateway:…” of walletB')
    .requiredOption('--amount <text>', 'what the shopper agrees to, such as 12.34')
    .requiredOption('--currency <code>', 'its currency', currency)
    .option('--card <number>', 'the number inside', '4200000000000000')
    .option('--expiry <year-month>', 'its last month', expiry, ['2031', '12'])
    .option('--plain-pan', 'the number on the card, no network token; not of walletA')
    .addOption(new Option('--scheme <name>', 'of walletB').choices(['ECv1', 'ECv2']).default('ECv2'))
    .addOption(new Option('--flaw <name>', 'what is wrong with the token').choices(TOKEN_FLAWS))
    .action(issue);
}

async function issue(options: WalletOptions): Promise<void> {
  const { wallet, merchant, gatewayMerchant, scheme, flaw } = options;
  const { issueToken } = await import('./issue-token.js');
  const token = await issueToken({
    wallet,
    merchantKey: publicKeyOf(options.merchantKey),
    merchantIdentifier: merchant,
    version: scheme,
    payment: paymentOf(options),
    tokenId: newTokenId(),
    nowMs: systemClock.nowMs(),
    ...present({ gatewayMerchantId: gatewayMerchant, flaw }),
  });
  process.stdout.write(`${token}\n`);
}

function paymentOf({ wallet, card, expiry, plainPan, amount, currency }: WalletOptions): WalletPayment {
  if (plainPan && wallet === 'walletA') throw new WalletTokenError('walletA gives network tokens alone');
  const [expiryYear, expiryMonth] = expiry;
  return paymentInside(
    { pan: card, expiryYear, expiryMonth, isPlain: plainPan === true },
    parseAmount(amount, currency),
  );
}

/** @throws WalletTokenError */
function publicKeyOf(file: string): Buffer {
  const refuse = (reason: string) => new WalletTokenError(`${file} ${reason}: expected a public key in PEM`);
  const pem = readSmallFile(file, MAX_KEY_FILE_BYTES, refuse);
  try {
    return createPublicKey(pem).export({ format: 'der', type: 'spki' });
  } catch {
    throw refuse('is no key');
  }
}

function currency(text: string): string {
  if (currencyDigits(text) !== undefined) return text;
  throw new InvalidArgumentError('expected a currency of ISO 4217, such as EUR.');
}

function expiry(text: string): readonly [string, string] {
  const [, year, month] = /^(20\d\d)-(0[1-9]|1[0-2])$/.exec(text) ?? [];
  if (year !== undefined && month !== undefined) return [year, month];
  throw new InvalidArgumentError('expected year and month, such as 2031-12.');
}
