import { detectBrand } from '@tillbridge/wire/payment/brands.js';
import type { Money } from '@tillbridge/wire/payment/money.js';
import { present } from '@tillbridge/wire/present.js';
import { isProof, isUnauthenticated, proofFault } from '@tillbridge/wire/three-d-secure/stated-proof.js';
import type { AcquirerAuthentication } from '../../core/acquirers/authentication.js';
import { merchantOf } from '../../core/payments/cards/registered.js';
import type { GatedPayment, GateRefusal, GateVerdict } from '../../core/payments/gates/gate.js';
import type { PaymentRequest } from '../../core/payments/rules/requests.js';
import type { AuthenticationRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import type { Fingerprint } from '../../security/tokens/fingerprint.js';
import { rowAnswer } from './authentication-row.js';
import { covers } from './rules/answers.js';

/** Bytes of an authentication value that say whose it is and of which kind; those behind them prove it. */
const HEAD_BYTES = 4;
const PROOF_BYTES = 16;

/** What proofs and their owners are found with. */
interface ProofDeps {
  readonly store: Pick<Store, 'get' | 'find'>;
  readonly fingerprint: Fingerprint;
}

const CODES = {
  amount: '100.390.101',
  disagrees: '100.390.117',
  /** The value was made for another card. */
  otherCard: '800.100.158',
} as const;

/**
 * What an authentication value is found by; the value itself is not stored in clear. Texts of the same bytes are one value: base64 leaves two bits of
 * its last character open.
 */
export function proofPrint(fingerprint: Fingerprint, verificationId: string): string {
  return fingerprint('authentication value', Buffer.from(verificationId, 'base64').toString('base64'));
}

/**
 * The verdict on a payment that brings the statement of an authentication along (docs/three-d-secure.md). A proof is for one authorization of at most its amount: the
 * payment goes on with its use. What is no proof is not passed on as one. An authentication that this gateway made for the merchant is compared with its
 * record.
 * @throws StoreUnavailableError
 */
export async function broughtProof(
  deps: ProofDeps,
  { request, instrument }: GatedPayment,
): Promise<GateVerdict> {
  const { authentication, brand, origin, amount } = request;
  if (!authentication) return ofWallet(deps, request, instrument);
  const pan = instrument.kind === 'card' ? instrument.pan : undefined;
  const detected = pan === undefined ? undefined : detectBrand(pan)?.key;
  const brands = [brand, detected].filter((each) => each !== undefined);
  const fault = proofFault(authentication, brands);
  if (fault) return refusal(fault.resultCode, fault.parameter, fault.must);
  const { verificationId } = authentication;
  if (!isProof(authentication) || verificationId === undefined)
    return withoutClaim(request, authentication, brands);
  const print = proofPrint(deps.fingerprint, verificationId);
  const [merchantId, made] = await Promise.all([
    merchantOf(deps.store, origin.entityId),
    deps.store.find('authentications', 'proof', [print], { limit: 1 }),
  ]);
  const proven = await provenBy(deps, { authentication, row: made[0], merchantId, pan });
  if ('verdict' in proven) return proven;
  if (!covers(proven.amount, amount))
    return refusal(CODES.amount, 'amount', 'cover the payment, in its currency: less was authenticated');
  const isAuthorization = request.type !== 'CD';
  return {
    verdict: 'pass',
    request: {
      ...request,
      authentication: proven,
      ...(isAuthorization && { proof: { merchantId, proof: print } }),
    },
  };
}

/** The verdict on a payment without a statement: the cryptogram of a wallet is for one authorization as well, and so no proof pays again as one. */
async function ofWallet(
  { store, fingerprint }: ProofDeps,
  request: PaymentRequest,
  instrument: GatedPayment['instrument'],
): Promise<GateVerdict> {
  const cryptogram = instrument.kind === 'card' ? instrument.proof?.cryptogram : undefined;
  if (cryptogram === undefined || request.type === 'CD') return { verdict: 'pass' };
  const merchantId = await merchantOf(store, request.origin.entityId);
  const proof = { merchantId, proof: proofPrint(fingerprint, cryptogram) };
  return { verdict: 'pass', request: { ...request, proof } };
}

/** The proof as its issuer gets it, or why it is none for this payment. */
async function provenBy(
  { store, fingerprint }: ProofDeps,
  {
    authentication,
    row,
    merchantId,
    pan,
  }: {
    readonly authentication: AcquirerAuthentication;
    readonly row: AuthenticationRow | undefined;
    readonly merchantId: string;
    readonly pan: string | undefined;
  },
): Promise<AcquirerAuthentication | GateRefusal> {
  if (!row) return authentication;
  if ((await merchantOf(store, row.entityId)) !== merchantId) return guessed(fingerprint, authentication);
  const { threeDSecure, about } = rowAnswer(row);
  for (const [parameter, claimed, is] of [
    ['eci', authentication.eci, threeDSecure.eci],
    ['authenticationStatus', authentication.status, threeDSecure.authenticationStatus],
    ['dsTransactionId', authentication.dsTransactionId?.toLowerCase(), threeDSecure.dsTransactionId],
  ] as const)
    if (claimed !== undefined && typeof is === 'string' && claimed !== is.toLowerCase() && claimed !== is)
      return refusal(CODES.disagrees, parameter, 'be that of the authentication');
  if (!about) return authentication;
  if (pan !== undefined && about.card !== fingerprint('card', pan))
    return refusal(CODES.otherCard, 'verificationId', 'be that of an authentication of this card');
  const dsTransactionId = threeDSecure.dsTransactionId as string | undefined;
  return { ...present({ dsTransactionId }), ...authentication, amount: about.amount };
}

/**
 * The value of an authentication that another merchant made here is replaced by an invented one of the same issuer: it proves as much as a
 * guessed value does, and the answer is that to a guess.
 */
function guessed(fingerprint: Fingerprint, proof: AcquirerAuthentication): AcquirerAuthentication {
  const { verificationId = '' } = proof;
  const guess = Buffer.from(fingerprint('guessed value', verificationId), 'hex').subarray(0, PROOF_BYTES);
  const head = Buffer.from(verificationId, 'base64').subarray(0, HEAD_BYTES);
  return { ...proof, verificationId: Buffer.concat([head, guess]).toString('base64') };
}

/** The payment as one whose cardholder was not authenticated: the issuer receives no authentication without proof. */
function withoutClaim(
  request: PaymentRequest,
  { eci, status, verificationId: _, ...rest }: AcquirerAuthentication,
  brands: readonly string[],
): GateVerdict {
  const kept = {
    ...rest,
    ...(eci !== undefined && isUnauthenticated(eci, brands) && present({ eci, status })),
  };
  const { authentication: __, ...bare } = request;
  const isEmpty = Object.keys(kept).length === 1;
  return { verdict: 'pass', request: isEmpty ? bare : { ...bare, authentication: kept } };
}

function refusal(resultCode: string, parameter: string, must: string): GateRefusal {
  const detail = `threeDSecure.${parameter}: must ${must}`;
  return { verdict: 'refuse', resultCode, detail, decisions: [{ rule: 'proof', code: resultCode, detail }] };
}

/** What of an authentication on its own is compared with the payment that it proves. */
export function aboutOf(
  fingerprint: Fingerprint,
  pan: string,
  amount: Money,
): { card: string; amount: Money } {
  return { card: fingerprint('card', pan), amount };
}
