import { present } from '@tillbridge/wire/present.js';
import { channelFor, type RoutingRule } from '../../../core/payments/routing/routing-rules.js';
import type { CheckoutRow, RegistrationRow } from '../../../kernel/store/rows.js';
import { type CheckoutForm, checkoutForm } from '../checkout-form.js';
import { offeredIds } from '../checkout-parameters.js';
import { offeredWallets } from '../offered-wallets.js';
import { postedBefore } from '../posted.js';
import { isFinal } from '../rules/posted-before.js';
import type { CheckoutRouteDeps } from './checkout-deps.js';

/** What the form of a checkout may show. @throws VaultError, StoreUnavailableError */
export async function shownForm(deps: CheckoutRouteDeps, row: CheckoutRow): Promise<CheckoutForm> {
  const { store, checkouts, clock, mode, simulatedBankUrl } = deps;
  const nowMs = clock.nowMs();
  const before = await postedBefore(deps, row);
  const routing = await store.get('routing', [row.entityId]);
  const rules = routing && (JSON.parse(routing.rules) as readonly RoutingRule[]);
  const parameters = await checkouts.parametersOf(row);
  const { currency, 'billing.country': country } = parameters;
  const payee = (rules && channelFor(rules, present({ currency, country }))) ?? row.entityId;
  const offered = await Promise.all(offeredIds(parameters).map((id) => store.get('registrations', [id])));
  return checkoutForm({
    row,
    parameters,
    mode,
    nowMs,
    maxAttempts: checkouts.maxAttempts,
    posted: isFinal(before) ? 'done' : before?.state === 'pending' ? 'pending' : undefined,
    rules,
    registrations: offered.filter((found): found is RegistrationRow => found?.state === 'active'),
    threeDSecure: (await deps.threeDSecureActive?.(row.entityId)) === true,
    wallets: await offeredWallets({ store, nowMs, simulatedBankUrl }, payee, parameters),
  });
}
