import { randomBytes } from 'node:crypto';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { isCurrency } from '@tillbridge/wire/payment/currency-codes.js';
import { parseAmount } from '@tillbridge/wire/payment/money.js';
import { WALLET_NAMES, type WalletName } from '@tillbridge/wire/payment/wallet-names.js';
import { localizedAmount } from '@tillbridge/wire/shopper/localized-amount.js';
import { filled, pageTexts, type ShopperReader } from '@tillbridge/wire/shopper/page-texts.js';
import { acceptedLocale } from '@tillbridge/wire/shopper/shopper-language.js';
import { SHEET_PATH, type SheetOrder } from '@tillbridge/wire/simulated-bank/wallet-sheet.js';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ControlError } from '../errors/control-error.js';
import { newTokenId, paymentInside, type WalletCard } from './payment-inside.js';
import { answerPage, sheetPage } from './sheet-page.js';

const ORDER = {
  type: 'object',
  required: ['wallet', 'amount', 'currency', 'merchantIdentifier', 'merchantKey', 'label', 'origin'],
  additionalProperties: false,
  properties: {
    wallet: { type: 'string', enum: WALLET_NAMES },
    amount: { type: 'string', pattern: '^\\d{1,10}(\\.\\d{1,3})?$' },
    currency: { type: 'string', pattern: '^[A-Z]{3}$' },
    merchantIdentifier: { type: 'string', pattern: '^[\\x21-\\x7e]{1,255}$' },
    merchantKey: { type: 'string', pattern: '^[A-Za-z0-9+/]{100,200}={0,2}$' },
    gatewayMerchantId: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    label: { type: 'string', minLength: 1, maxLength: 128 },
    origin: { type: 'string', pattern: '^https?://[A-Za-z0-9.:\\[\\]-]{1,255}$' },
  },
} as const;

type Sheet = { Querystring: SheetOrder & { readonly label: string; readonly origin: string } };
type Decision = Sheet & { Body: { readonly decision?: string; readonly card?: string } | undefined };

/** The cards that everybody has in a simulated wallet. */
const CARDS: Readonly<Record<string, WalletCard & { readonly text: string }>> = {
  visa: { text: 'Visa •••• 0000', ...card('4200000000000000') },
  mastercard: { text: 'Mastercard •••• 5454', ...card('5454545454545454') },
  plain: { text: 'Visa •••• 0067', ...card('4200000000000067', true) },
};

function card(pan: string, isPlain = false): WalletCard {
  return { pan, expiryYear: '2031', expiryMonth: '12', isPlain };
}

/** The cards that a wallet has: walletA gives network tokens alone. */
function cardsOf(wallet: WalletName) {
  return Object.entries(CARDS).filter(([, { isPlain }]) => !isPlain || wallet !== 'walletA');
}

/** The sheet of a simulated wallet, in a frame of the shop's page: it issues the token that the wallet of that name would. */
export function sheetRoutes(app: FastifyInstance): void {
  const schema = { querystring: ORDER };
  app.get<Sheet>(SHEET_PATH, { schema }, (request, reply) => {
    const { wallet, label, origin, amount, currency } = request.query;
    const reader = readerOf(request);
    const { plainCard } = pageTexts(reader.locale.language);
    const cards = cardsOf(wallet).map(
      ([name, { text, isPlain }]) => [name, isPlain ? filled(plainCard, { name: text }) : text] as const,
    );
    const price = localizedAmount(reader.locale.tag, amount, currency);
    const { html, headers } = sheetPage({ label, amount: price, cards }, origin, reader);
    return reply.headers(headers).send(html);
  });
  app.post<Decision>(SHEET_PATH, { schema }, async (request, reply) => {
    const { query, body } = request;
    const answer =
      body?.decision === 'pay'
        ? ({ type: 'authorized', token: await tokenFor(query, String(body.card)) } as const)
        : ({ type: 'cancelled' } as const);
    const { html, headers } = answerPage(answer, query.origin, readerOf(request));
    return reply.headers(headers).send(html);
  });
}

/** @throws ControlError where nothing can be issued for the order */
async function tokenFor(order: SheetOrder, name: string): Promise<string> {
  const { wallet, amount, currency, merchantKey, merchantIdentifier, gatewayMerchantId } = order;
  const [, chosen] = cardsOf(wallet).find(([each]) => each === name) ?? [];
  if (!chosen || !isCurrency(currency)) throw new ControlError('bad-request', 'no such card or currency');
  const { text: _, ...inside } = chosen;
  const { issueToken } = await import('./issue-token.js');
  return issueToken({
    wallet,
    merchantKey: Buffer.from(merchantKey, 'base64'),
    merchantIdentifier,
    ...(gatewayMerchantId !== undefined && { gatewayMerchantId }),
    payment: paymentInside(inside, parseAmount(amount, currency)),
    tokenId: newTokenId(),
    nowMs: systemClock.nowMs(),
  });
}

function readerOf({ headers }: FastifyRequest): ShopperReader {
  return {
    locale: acceptedLocale(headers['accept-language']),
    nonce: randomBytes(16).toString('base64'),
  };
}
