import { withSecret } from '@tillbridge/wire/bytes.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { findAuthenticationCourse } from '@tillbridge/wire/payment/authentication-test-cards.js';
import { isOfSimulatedIssuer, verifyCavv } from '@tillbridge/wire/three-d-secure/cavv.js';
import { type AcquirerMoneyRequest, cardOf } from '../acquirer.js';

/**
 * Whether the simulated issuer takes an authorization's proof of authentication. A value of its own, and every value for a card that its
 * access control server authenticates, must have been made for this card, this directory server's transaction, and the amount and
 * currency that were authenticated; and no more than that amount is authorized. Values of other issuers are theirs to check. Pure.
 */
export function isAuthenticationAccepted(
  request: Pick<AcquirerMoneyRequest, 'authentication' | 'amount' | 'instrument'>,
): boolean {
  const { authentication, amount } = request;
  const { verificationId } = authentication ?? {};
  const pan = cardOf(request)?.pan;
  if (!authentication || verificationId === undefined || pan === undefined) return true;
  const isOurs =
    isOfSimulatedIssuer(verificationId) || findAuthenticationCourse(pan)?.behaviour !== undefined;
  if (!isOurs) return true;
  const { amount: authenticated, dsTransactionId: dsTransId = '' } = authentication;
  // An authentication without a payment names no amount: it proves who the cardholder is.
  const isFree = authenticated.currency === '';
  const covers = amount.currency === authenticated.currency && amount.minor <= authenticated.minor;
  if (!isFree && !covers) return false;
  const about = { pan, dsTransId, amount: authenticated };
  return withSecret(developmentKey('cavvKey'), (key) => verifyCavv(key, verificationId, about)) !== undefined;
}
