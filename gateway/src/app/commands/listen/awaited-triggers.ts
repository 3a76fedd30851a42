import { checkoutResource } from '../../../core/payments/view/return-resource.js';
import { withQuery } from '../../../kernel/api/return-url.js';
import { type ApiAnswer, callApi, type DeveloperAccess, GatewayRefusedError } from './api-client.js';
import { CARD, DEBIT, idOf, pay, type Trigger } from './trigger-payments.js';

/** The bank gives the money back for lack of it (docs/test-mode.md). */
const RETURN_REASON = 'AM04';

/** What else takes minutes to weeks, at once. A row is all that another one takes. */
export const AWAITED_TRIGGERS = {
  'sepa-return': (access, { payment }) => returned(access, payment),
  chargeback: async (access, { payment }) => {
    const id = payment ?? (await pay(access, { paymentType: 'DB' }));
    return [id, idOf(await callApi(access, 'POST', `/v1/payments/${id}/chargeback`))];
  },
  settlement: async (access, { payment }) => {
    const id = payment ?? (await pay(access, { paymentType: 'DB' }));
    const operator = { ...access, token: access.simulatorToken ?? access.token };
    await callApi(operator, 'POST', '/v1/simulator/settlements');
    return [id];
  },
  'schedule-run': async (access, { payment, schedule }) =>
    runOf(access, payment === undefined ? needed('schedule', schedule) : await scheduleOf(access, payment)),
  'review-release': async (access, { payment }) => {
    const id = needed('payment', payment);
    await callApi(access, 'POST', `/v1/reviews/${id}/release`, { note: 'released by trigger' });
    return [id];
  },
  'checkout-result': async (access, { payment, shopperResultUrl }) =>
    payment === undefined
      ? callShop(access, needed('payment or --shopper-result-url', shopperResultUrl))
      : callShopOf(access, payment),
} as const satisfies Readonly<Record<string, Trigger>>;

/** A direct debit that its bank returns: the named one, else a new one. @throws GatewayRefusedError for a payment of another kind */
async function returned(access: DeveloperAccess, named: string | undefined): Promise<readonly string[]> {
  const id = named ?? (await pay(access, { paymentType: 'DB' }, DEBIT));
  const { paymentBrand } = await callApi(access, 'GET', `/v1/payments/${id}`);
  if (paymentBrand !== DEBIT.paymentBrand)
    throw new GatewayRefusedError(`payment ${id} is no direct debit: use the trigger chargeback`);
  const path = `/v1/payments/${id}/chargeback`;
  return [id, idOf(await callApi(access, 'POST', path, { reason: RETURN_REASON }))];
}

/** The schedule of the registration that a payment made. @throws GatewayRefusedError where there is none */
async function scheduleOf(access: DeveloperAccess, payment: string): Promise<string> {
  const { registrationId } = await callApi(access, 'GET', `/v1/payments/${payment}`);
  if (typeof registrationId !== 'string')
    throw new GatewayRefusedError(`payment ${payment} made no registration: name a schedule by --schedule`);
  const { id } = await callApi(access, 'GET', `/v1/schedules/${registrationId}`);
  return String(id);
}

/** The payment of a schedule's next run, made now. @throws GatewayRefusedError where it has none */
async function runOf(access: DeveloperAccess, schedule: string): Promise<readonly string[]> {
  const path = `/v1/schedules/${schedule}`;
  const latestOf = ({ lastExecutions }: ApiAnswer) =>
    (lastExecutions as readonly { readonly paymentId: string }[])[0]?.paymentId;
  const before = latestOf(await callApi(access, 'GET', path));
  // The gateway answers when the run is made.
  const made = latestOf(await callApi(access, 'POST', `${path}/run`));
  if (made === undefined || made === before)
    throw new GatewayRefusedError(`schedule ${schedule} made no run: it is over`);
  return [made];
}

/**
 * Pays a checkout as a shopper does, then calls the shop with the result, as the gateway does after 29 minutes.
 * @throws GatewayRefusedError where the shop refuses; TypeError where it cannot be reached
 */
async function callShop(access: DeveloperAccess, shopperResultUrl: string): Promise<readonly string[]> {
  const { amount, currency, ...card } = CARD;
  const purchase = { amount, currency, paymentType: 'DB', shopperResultUrl };
  const checkout = idOf(await callApi(access, 'POST', '/v1/checkouts', purchase));
  const response = await fetch(`${access.url}/v1/checkouts/${checkout}/payment`, {
    method: 'POST',
    headers: { accept: 'application/json' },
    body: new URLSearchParams(card),
  });
  const paid = idOf((await response.json()) as ApiAnswer);
  const called = await fetch(withQuery(shopperResultUrl, { ...checkoutResource(checkout, 'payment') }), {
    redirect: 'manual',
  });
  await called.body?.cancel();
  if (called.status >= 400) throw new GatewayRefusedError(`${shopperResultUrl} answered ${called.status}`);
  return [paid];
}

/** Lets the gateway call the shop of a checkout that was paid. @throws GatewayRefusedError where the shop refuses, or may not be called */
async function callShopOf(access: DeveloperAccess, payment: string): Promise<readonly string[]> {
  const { call } = await callApi(access, 'POST', `/v1/payments/${payment}/resultCall`);
  const { status, fault } = call as { readonly status?: number; readonly fault?: string };
  if (fault === 'unusable-host')
    throw new GatewayRefusedError(
      'the host of the shop cannot be used: correct it, or allow its private network by GATEWAY_EGRESS_ALLOW',
    );
  if (status === undefined || status >= 400)
    throw new GatewayRefusedError(`the shop answered ${status ?? fault}`);
  return [payment];
}

/** @throws GatewayRefusedError for what is not named */
function needed(option: string, value: string | undefined): string {
  if (value !== undefined) return value;
  throw new GatewayRefusedError(`name it by --${option}`);
}
