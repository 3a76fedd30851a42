import { present } from '@tillbridge/wire/present.js';
import { cartIds } from '../../../core/payment-api/cart.js';
import { registrationIdOf } from '../../../core/payment-api/registration.js';
import { registrationRequest } from '../../../core/payment-api/registration-request.js';
import { paymentRequest } from '../../../core/payment-api/requests.js';
import { originOfPayment } from '../../../core/payment-api/routed-origin.js';
import { outcomeOf } from '../../../core/payment-api/routes.js';
import { REGISTRATION_CODES } from '../../../core/payments/registrations/registration.js';
import { checkoutGuard } from '../../../core/payments/rules/message-changes.js';
import { withShown } from '../../../core/payments/steps/gates.js';
import { echoOf } from '../../../kernel/api/echo.js';
import type { Validated } from '../../../kernel/api/validate.js';
import { codeOf, isContentRefusal } from '../../../kernel/http/request/content.js';
import { decideAgain, unlessConflict } from '../../../kernel/store/decide-again.js';
import type { CheckoutRow, PaymentRow, RegistrationRow } from '../../../kernel/store/rows.js';
import { type CheckoutParameters, offeredIds } from '../checkout-parameters.js';
import { postedBefore } from '../posted.js';
import { decidePost } from '../rules/decide-post.js';
import type { PostedBefore } from '../rules/posted-before.js';
import type { CheckoutRouteDeps } from './checkout-deps.js';
import { refusing } from './known-checkouts.js';

/** Codes of a post that begins nothing: another one is under way; the session holds too many. */
const CODES = { busy: '800.700.100', spent: '700.500.001' } as const;

/** What became of a post: a payment or registration as it now stands, or a code without one. */
export interface Submitted {
  readonly payment?: PaymentRow | undefined;
  readonly registration?: RegistrationRow | undefined;
  readonly code: string;
}

/** What a browser posts to a checkout. */
export interface Submission {
  readonly row: CheckoutRow;
  /** The merchant's parameters. */
  readonly prepared: CheckoutParameters;
  /** All parameters of the payment or registration. */
  readonly all: Validated;
  readonly shopperResultUrl: string | undefined;
}

/** A checkout that a post is noted at. */
type Reserved = Awaited<ReturnType<CheckoutRouteDeps['checkouts']['post']>>;

/** Pays a checkout, as far as what was posted before lets it. @throws RequestRefused, StoreUnavailableError */
export function submitPayment(deps: CheckoutRouteDeps, submission: Submission): Promise<Submitted> {
  return submit(deps, submission, 'payment', ({ postedId }) => pay(deps, submission, postedId));
}

/** Stores payment details by a checkout. @throws RequestRefused, StoreUnavailableError */
export async function submitRegistration(
  deps: CheckoutRouteDeps,
  submission: Submission,
): Promise<Submitted> {
  const { row, all } = submission;
  const { registrations } = deps;
  const made = registrationRequest(deps, all, row.entityId);
  if (isContentRefusal(made))
    return submit(deps, submission, 'registration', async () => ({ code: codeOf(made) }));
  return submit(deps, submission, 'registration', async (reserved) => {
    const { id, postedId } = reserved;
    const guards = checkoutGuard({ checkoutId: id }, postedId, reserved);
    const registration = await registrations.create({ ...made, id: postedId }, undefined, guards);
    if (registration.id !== postedId) await deps.checkouts.pointTo(reserved, registration.id);
    return { registration, code: registrations.codeOf(registration) };
  });
}

async function submit(
  deps: CheckoutRouteDeps,
  { row: known, shopperResultUrl }: Submission,
  posted: 'payment' | 'registration',
  work: (reserved: Reserved) => Promise<Submitted>,
): Promise<Submitted> {
  const { checkouts, service } = deps;
  let isFirst = true;
  const round = async (): Promise<Submitted> => {
    const row = isFirst ? known : await refusing(() => checkouts.find(known.id));
    isFirst = false;
    const standing = async () => {
      const before = await postedBefore(deps, row);
      return { before, verdict: decidePost(row, before, checkouts.maxAttempts) };
    };
    let { before, verdict } = await standing();
    if (verdict === 'end-wait' && row.postedId !== null) {
      await service.continueWaiting(row.postedId, 'deadline');
      ({ before, verdict } = await standing());
    }
    if (verdict === 'spent') return { code: CODES.spent };
    if (verdict === 'answer') return answered(deps, before);
    if (verdict !== 'begin') return { code: CODES.busy };
    return work(await checkouts.post(row, { posted, shopperResultUrl }));
  };
  return unlessConflict(() => decideAgain(deps, round), { code: CODES.busy });
}

/** What is there already. */
function answered({ registrations }: CheckoutRouteDeps, before: PostedBefore | undefined): Submitted {
  const { payment, registration } = before ?? {};
  const code = payment?.resultCode ?? (registration && registrations.codeOf(registration)) ?? CODES.busy;
  return { payment, registration, code };
}

async function pay(
  deps: CheckoutRouteDeps,
  { row, prepared, all }: Submission,
  postedId: string,
): Promise<Submitted> {
  const { id: checkoutId, entityId } = row;
  const reserved = { reservedPaymentId: postedId };
  const { origin, refusal } = await originOfPayment(deps.store, reserved, entityId, all.values);
  const isActive = (await deps.threeDSecureActive?.(origin.entityId)) === true;
  const registrationId = registrationIdOf(all.values);
  // Of all that the merchant has stored a browser may name what the checkout offers.
  const isOffered = registrationId === undefined || offeredIds(prepared).includes(registrationId);
  const notOffered = { kind: 'refused', resultCode: REGISTRATION_CODES.unknown } as const;
  const request = paymentRequest(deps, all, origin, isOffered ? refusal : notOffered, isActive);
  const echo = withShown(request.echo ?? echoOf(all), { checkoutId });
  // The merchant named them, and they were looked at then; who has used them since is refused.
  const cart = present({ cart: await cartIds(deps.store, all.values, entityId) });
  const submitted = await outcomeOf(() => deps.service.authorize({ ...request, ...cart, checkoutId, echo }));
  const payment =
    submitted.paymentId === undefined
      ? undefined
      : await deps.service.find(submitted.paymentId, origin.entityId);
  return { payment, code: payment?.resultCode ?? submitted.code };
}
