import type { Money } from '@tillbridge/wire/payment/money.js';
import { isSuccess } from '@tillbridge/wire/payment/result-codes/result-classes.js';
import { addPresent, present } from '@tillbridge/wire/present.js';
import type { ParameterValues } from '../../kernel/api/catalogue/sections.js';
import { contentDetail, contentErrors } from '../../kernel/api/content.js';
import { type Echo, echoOf } from '../../kernel/api/echo.js';
import type { Validated } from '../../kernel/api/validate.js';
import { ACCOUNT_DATA_REFUSED } from '../payments/rules/account-data-error.js';
import type {
  FollowUpRequest,
  FollowUpType,
  ForcedVerdict,
  PaymentRequest,
  PaymentType,
  RestOrigin,
} from '../payments/rules/requests.js';
import { withShown } from '../payments/steps/gates.js';
import { foreignProof } from '../payments/three-d-secure/foreign-proof.js';
import { neededOf } from '../payments/three-d-secure/sent.js';
import { accountEcho, accountInstrumentOf } from './account-instrument.js';
import { acquirerDetailsOf } from './acquirer-details.js';
import { billingOf, cardOf, isUnreadable, posOf } from './card-present.js';
import { directDebitOf } from './mandate.js';
import { amountOf } from './parameters.js';
import type { PaymentRouteDeps } from './payment-deps.js';
import { registrationIdOf, registrationOf } from './registration.js';
import { riskDataOf } from './risk-data.js';
import { standingOf } from './standing-instruction.js';
import { forcedResult, forcedRiskScore, requestsTest, silentMs } from './test-triggers.js';
import { isFromShopper, threeDSecureOf } from './three-d-secure.js';
import { cardBrandOf, walletOf } from './wallet.js';

/** Accounts and the like: validated, not yet supported. */
const UNSUPPORTED: ForcedVerdict = { kind: 'refused', resultCode: '600.200.200' };
/** Whatever makes a result happen belongs to the test mode. */
const TEST_IN_LIVE: ForcedVerdict = { kind: 'refused', resultCode: '600.200.701' };
/** Stands where the amount is no amount: such a payment is refused, and its answer shows none. */
const NO_AMOUNT: Money = { minor: 0, currency: '' };
/** Terminal data of a follow-up that is no hex or lacks its key serial number. */
const UNREADABLE: ForcedVerdict = { kind: 'refused', resultCode: ACCOUNT_DATA_REFUSED.resultCode };
/** Parameters whose content errors leave no amount to show. */
const AMOUNT_NAMES: readonly string[] = ['amount', 'currency'];

/**
 * The request to the service for a payment on its own.
 * @param refusal what stands against the payment whatever its values mean; a fault in them is answered first
 * @param threeDSecureIsActive 3D Secure is configured and active for the entity that the payment is of
 */
export function paymentRequest(
  deps: PaymentRouteDeps,
  validated: Validated,
  origin: RestOrigin,
  refusal?: ForcedVerdict,
  threeDSecureIsActive = false,
): PaymentRequest {
  const { values } = validated;
  const { amount = NO_AMOUNT, verdict: known } = meaningOf(deps, validated);
  const card = registrationIdOf(values) === undefined ? cardOf(values) : undefined;
  const pos = posOf(values);
  const wallet = walletOf(values);
  const refused = known?.kind === 'refused' ? known : refusal;
  const debit = () => directDebitOf(values, deps.random, deps.clock.nowMs());
  const registration = registrationOf(values, debit);
  const instrument = card || pos || wallet || registration ? undefined : accountInstrumentOf(values, debit);
  const verdict = refused ?? known ?? unpayable({ card, pos, wallet, registration, instrument });
  const shared = common(deps, validated);
  const echo = registration ? withoutDetails(shared.echo) : shared.echo;
  const request: PaymentRequest = {
    origin,
    type: values.get('paymentType') as PaymentType,
    amount,
    risk: present({ forcedScore: deps.record ? forcedRiskScore(values) : undefined }),
    riskData: riskDataOf(values),
    echo: withShown(
      withShown(echo, accountEcho(instrument)),
      registration && { registrationId: registration.id },
    ),
  };
  const { brand, numberOfCaptures, reference, testMode, silentMs } = shared;
  addPresent(request, {
    createRegistration: values.get('createRegistration') === 'true' ? true : undefined,
    standing: standingOf(values),
    card,
    wallet,
    pos,
    registration,
    instrument,
    billing: billingOf(values),
    promotionCode: values.get('promotionCode'),
    details: acquirerDetailsOf(values),
    shopperResultUrl: values.get('shopperResultUrl'),
    verdict,
    brand,
    numberOfCaptures,
    reference,
    testMode,
    silentMs,
  });
  addPresent(request, authenticationOf(validated, amount, threeDSecureIsActive));
  return request;
}

/** What is repeated of a request with stored details: none that were sent in addition, which are not used. */
function withoutDetails({ card: _, bankAccount: __, ...echo }: Echo): Echo {
  return echo;
}

/** What stands against a payment whose means of payment the service does not take (yet). */
function unpayable({
  card,
  pos,
  wallet,
  registration,
  instrument,
}: {
  readonly [Means in 'card' | 'pos' | 'wallet' | 'registration' | 'instrument']:
    | PaymentRequest[Means]
    | undefined;
}): ForcedVerdict | undefined {
  if (card || pos || wallet || registration) return undefined;
  return instrument ? undefined : UNSUPPORTED;
}

/** What the cardholder is authenticated by, or the proof that another server has done it. */
function authenticationOf(
  { values, groups }: Validated,
  amount: Money,
  isActive: boolean,
): Pick<PaymentRequest, 'threeDSecure' | 'authentication'> {
  const wallet = walletOf(values);
  // Whether a token proves who its holder is, is known once it is open.
  const mayNeed = () =>
    wallet && 'token' in wallet ? isFromShopper(values) : threeDSecureOf(values) !== undefined;
  if (isActive && mayNeed()) return { threeDSecure: neededOf(values) };
  // Terminals have no 3D Secure; what comes with a deciphered token is the proof of its wallet, unless the token is the number on the card.
  const isOfWallet = wallet && values.get('card.numberType') !== 'PAN';
  if (!groups.has('threeDSecure') || isOfWallet || posOf(values) || amount === NO_AMOUNT) return {};
  return present({ authentication: foreignProof(neededOf(values), amount) });
}

/** The request to the service for a request on an earlier payment. */
export function followUpRequest(
  deps: PaymentRouteDeps,
  validated: Validated,
  origin: RestOrigin,
  { paymentId, type }: { readonly paymentId: string; readonly type: FollowUpType },
): FollowUpRequest {
  return {
    origin,
    type,
    target: { by: 'payment', paymentId },
    ...(isUnreadable(validated.values) && { verdict: UNREADABLE }),
    ...meaningOf(deps, validated),
    ...common(deps, validated),
    final: validated.values.get('sequence') === 'FINAL',
  };
}

/** What the values mean: the amount, and a result that is known before any authorization. */
export function meaningOf(
  deps: PaymentRouteDeps,
  { values, rows }: Validated,
): { readonly amount?: Money; readonly verdict?: ForcedVerdict } {
  const errors = contentErrors({ values, rows }, deps.clock.nowMs());
  const [error] = errors;
  const readable = !errors.some(({ name }) => AMOUNT_NAMES.includes(name));
  const amount = readable ? amountOf(values) : undefined;
  const verdict = error
    ? ({ kind: 'refused', resultCode: error.code, detail: contentDetail(error) } as const)
    : testVerdict(deps, values);
  return present({ amount, verdict });
}

/** What a test requests from the simulator; nothing where no simulator stands behind the gateway, and a refusal in live mode. */
export function testVerdict(deps: PaymentRouteDeps, values: ParameterValues): ForcedVerdict | undefined {
  if (deps.mode === 'live') return requestsTest(values) ? TEST_IN_LIVE : undefined;
  const resultCode = deps.record ? forcedResult(values) : undefined;
  if (resultCode === undefined) return undefined;
  return { kind: isSuccess(resultCode) ? 'approved' : 'refused', resultCode };
}

/** What payments on their own, follow-ups and runs of schedules have in common. */
export function common(
  deps: PaymentRouteDeps,
  validated: Validated,
): Pick<PaymentRequest, 'brand' | 'numberOfCaptures' | 'reference' | 'testMode' | 'silentMs'> & {
  readonly echo: Echo;
} {
  const { values } = validated;
  const captures = values.get('numberOfCaptures');
  const shared = { echo: storedEcho(validated) };
  addPresent<ReturnType<typeof common>>(shared, {
    brand: cardBrandOf(values),
    numberOfCaptures: captures === undefined ? undefined : Number(captures),
    reference: values.get('merchantTransactionId'),
    testMode: values.get('testMode') as 'INTERNAL' | 'EXTERNAL' | undefined,
    silentMs: deps.record ? silentMs(values) : undefined,
  });
  return shared;
}

/** What a payment keeps of its request: what its answers repeat, and where its merchant is notified (`notificationUrl`, docs/webhooks.md). */
function storedEcho(validated: Validated): Echo {
  const echo = echoOf(validated);
  const notificationUrl = validated.values.get('notificationUrl');
  if (notificationUrl !== undefined) echo.notificationUrl = notificationUrl;
  return echo;
}
