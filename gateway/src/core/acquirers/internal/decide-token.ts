import { APPROVED } from '@tillbridge/wire/iso8583/exchange/approvals.js';
import { passesLuhn } from '@tillbridge/wire/mask/luhn.js';
import { isExpired } from '@tillbridge/wire/payment/expiry.js';
import { findTestToken, type TokenState } from '@tillbridge/wire/payment/test-tokens.js';
import type { AcquirerMoneyRequest, AcquirerToken } from '../acquirer.js';
import type { ResponseCode } from './response-codes.js';

/** Response code of each state that is refused. */
export const TOKEN_REFUSALS: Readonly<Record<Exclude<TokenState, 'active'>, ResponseCode>> = {
  suspended: 'T1',
  expired: 'T3',
  unknown: 'T4',
  unverified: 'T5',
};
/** The verification code that is wrong, as with cards. */
const WRONG_DTVC = /000$/;

/** The simulated token service's decision on a token; after an approval the issuer decides. Pure. */
export function decideToken(
  { kind, standing }: Pick<AcquirerMoneyRequest, 'kind' | 'standing'>,
  { number, type, cryptogram, dtvc, ...expiry }: AcquirerToken,
  nowMs: number,
): ResponseCode {
  const known = findTestToken(number, type);
  if (!known && !passesLuhn(number)) return TOKEN_REFUSALS.unknown;
  const state = known?.state ?? 'active';
  // A token that is active but for its cryptograms fails where one is sent.
  if (state !== 'active' && state !== 'unverified') return TOKEN_REFUSALS[state];
  const { expiryYear, expiryMonth } = expiry;
  if (expiryYear !== undefined && expiryMonth !== undefined && isExpired({ expiryYear, expiryMonth }, nowMs))
    return TOKEN_REFUSALS.expired;
  if (type === 'EXTERNAL' || kind === 'credit') return APPROVED;
  if (cryptogram === undefined && dtvc === undefined)
    // The first payment proves that the token is the shopper's; those that the merchant repeats have no shopper.
    return standing?.source === 'MIT' ? APPROVED : 'T2';
  return state === 'unverified' || (dtvc !== undefined && WRONG_DTVC.test(dtvc)) ? 'T5' : APPROVED;
}
