import { detailsOf } from '../registrations/registration.js';
import type { PreparedCard } from '../rules/prepared-card.js';
import type { PaymentRequest } from '../rules/requests.js';
import { type RegisteredDeps, registrationRow } from './registered.js';

/**
 * The registration that the approval of a payment makes (docs/card-on-file.md, createRegistration), or the one that has its details already; undefined for
 * what cannot be stored.
 * @param vaultId the row of its card in the vault, whose id the registration has
 * @throws StoreUnavailableError
 */
export async function newRegistration(
  deps: RegisteredDeps,
  { origin, testMode, echo = {} }: PaymentRequest,
  { instrument, trace }: Pick<PreparedCard, 'instrument' | 'trace'>,
  paymentId: string,
  vaultId: string | undefined,
): Promise<Awaited<ReturnType<typeof registrationRow>> | undefined> {
  const details = detailsOf(instrument, trace.holder ?? undefined);
  if (!details) return undefined;
  const { customer, billing, customParameters } = echo;
  return registrationRow(deps, {
    entityId: origin.entityId,
    details,
    brand: trace.brand,
    echo: shownOf({ customer, billing, customParameters, ...testModeOf(testMode) }),
    customerId: customerIdOf(customer),
    paymentId,
    ...(vaultId !== undefined && { id: vaultId }),
  });
}

/** The groups of an echo that were sent. */
export function shownOf(groups: Readonly<Record<string, unknown>>): object {
  return Object.fromEntries(Object.entries(groups).filter(([, group]) => group !== undefined));
}

/** What a registration shows of the test mode that it was made in: INTERNAL needs no word. */
export function testModeOf(testMode: string | undefined): { readonly testMode?: 'EXTERNAL' } {
  return testMode === 'EXTERNAL' ? { testMode } : {};
}

/** The merchant's number of the customer. */
export function customerIdOf(customer: unknown): string | undefined {
  const { merchantCustomerId } = (customer ?? {}) as { readonly merchantCustomerId?: unknown };
  return typeof merchantCustomerId === 'string' ? merchantCustomerId : undefined;
}
