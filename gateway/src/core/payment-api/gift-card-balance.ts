import { formatAmount } from '@tillbridge/wire/payment/money.js';
import { resultClass } from '@tillbridge/wire/payment/result-codes/result-codes.js';
import { present } from '@tillbridge/wire/present.js';
import type { FastifyInstance } from 'fastify';
import { GIFT_CARD_BALANCE_PARAMETERS } from '../../kernel/api/catalogue/gift-card-balance.js';
import { callerOf } from '../../kernel/http/request/authenticate.js';
import { envelope } from '../../kernel/http/request/envelope.js';
import { formOf } from '../../kernel/http/request/form.js';
import { demandedValues } from '../../kernel/http/request/valid-values.js';
import { newId } from '../../kernel/store/new-id.js';
import {
  type AcquirerGiftCard,
  AcquirerUnreachableError,
  type BalanceAnswer,
} from '../acquirers/acquirer.js';
import type { PaymentRouteDeps } from './payment-deps.js';
import { PAYMENT_RIGHT } from './payment-right.js';

const ASK = { config: { right: PAYMENT_RIGHT, throttle: 'payments' } } as const;
const REQUIRED = ['entityId', 'giftCard.number'] as const;
/** Codes of a question that no issuer answers. */
const CODES = { noLink: '600.200.700', silent: '900.100.100' } as const;

/** An addition of ours: what is left on a gift card, before anything is paid with it. */
export function giftCardBalanceRoute(server: FastifyInstance, deps: PaymentRouteDeps): void {
  server.post('/v1/giftCards/balance', ASK, async (request, reply) => {
    const { values } = demandedValues(formOf(request), GIFT_CARD_BALANCE_PARAMETERS, REQUIRED);
    await callerOf(request).authorize(values.get('entityId') ?? '');
    const isInternal = values.get('testMode') !== 'EXTERNAL';
    const { resultCode, balance } = await answerOf(deps, isInternal, {
      number: values.get('giftCard.number') ?? '',
      ...present({ pin: values.get('giftCard.pin') }),
    });
    const giftCard = balance && { balance: formatAmount(balance), currency: balance.currency };
    const status = resultClass(resultCode) === 'rejected' ? 400 : 200;
    return reply.code(status).send({ ...(giftCard && { giftCard }), ...envelope(deps, resultCode) });
  });
}

async function answerOf(
  { balances, random }: PaymentRouteDeps,
  isInternal: boolean,
  card: Pick<AcquirerGiftCard, 'number' | 'pin'>,
): Promise<Pick<BalanceAnswer, 'resultCode' | 'balance'>> {
  if (!balances || !isInternal) return { resultCode: CODES.noLink };
  try {
    return await balances.balance(newId(random), card);
  } catch (error) {
    if (!(error instanceof AcquirerUnreachableError)) throw error;
    return { resultCode: CODES.silent };
  }
}
