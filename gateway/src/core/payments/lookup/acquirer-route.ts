import { parsedColumn } from '../../../kernel/store/parsed-column.js';
import type { AcquirerRoutingRow, PaymentRow } from '../../../kernel/store/rows.js';
import type { Store } from '../../../kernel/store/store.js';
import { type Acquirer, type AcquirerMerchant, AcquirerUnreachableError } from '../../acquirers/acquirer.js';
import { type AcquirerRoute, type RouteFacts, routeFor } from '../routing/acquirer-routes.js';
import type { PaymentRequest } from '../rules/requests.js';

/** The acquirers that payments may go to. */
export interface Acquirers {
  /** That of payments which no route sends elsewhere. */
  readonly acquirer: Acquirer;
  /** Those that routes name; absent: none. */
  readonly links?: ReadonlyMap<string, Acquirer>;
}

/** What routing works with. */
interface RoutingDeps extends Acquirers {
  readonly store: Store;
  readonly mode?: 'test' | 'live';
}

/** The acquirer of a payment, and who the merchant is there. */
export interface RoutedAcquirer {
  readonly name: string;
  readonly merchant?: AcquirerMerchant;
}

/**
 * The acquirer of a payment: in test mode the simulator unless the payment is of test mode EXTERNAL, else that of the first route which fits. A
 * request that names no test mode is INTERNAL. Messages of agents cannot name one: the setting of their entity counts.
 * @returns undefined where test mode EXTERNAL is requested and no route fits
 * @throws StoreUnavailableError
 */
export async function acquirerFor(
  { store, acquirer, links, mode }: RoutingDeps,
  { origin, testMode }: Pick<PaymentRequest, 'origin' | 'testMode'>,
  facts: RouteFacts,
): Promise<RoutedAcquirer | undefined> {
  const isLive = mode === 'live';
  const named = testMode ?? (origin.kind === 'rest' ? 'INTERNAL' : undefined);
  if (!isLive && named === 'INTERNAL') return { name: acquirer.name };
  const settings = await routingOf(store, origin.entityId);
  if (!isLive && (named ?? settings.testMode ?? 'INTERNAL') === 'INTERNAL') return { name: acquirer.name };
  const route = routeFor(
    settings.routes.filter((each) => links?.has(each.acquirer)),
    facts,
  );
  if (route) return { name: route.acquirer, merchant: route.merchant };
  return isLive ? { name: acquirer.name } : undefined;
}

/**
 * Who the merchant of a payment is at its acquirer, for later requests: by the first route to that acquirer which fits, else the first one.
 * @throws StoreUnavailableError
 */
export async function merchantFor(
  { store, links }: RoutingDeps,
  payment: Pick<PaymentRow, 'entityId' | 'acquirer' | 'currency' | 'brand' | 'method' | 'bin' | 'terminalId'>,
): Promise<AcquirerMerchant | undefined> {
  const { entityId, acquirer, currency, brand, method, bin, terminalId } = payment;
  if (!links?.has(acquirer)) return undefined;
  const settings = await routingOf(store, entityId);
  const routes = settings.routes.filter((each) => each.acquirer === acquirer);
  const facts = {
    currency,
    method,
    isCardPresent: terminalId !== null,
    ...(brand !== null && { brand }),
    ...(bin !== null && { number: bin }),
  };
  return (routeFor(routes, facts) ?? routes[0])?.merchant;
}

/** The acquirer of a name. @throws AcquirerUnreachableError where the configuration has it no longer: what is open stays so */
export function acquirerNamed({ acquirer, links }: Acquirers, name: string): Acquirer {
  const found = name === acquirer.name ? acquirer : links?.get(name);
  if (found) return found;
  throw new AcquirerUnreachableError(`acquirer ${name} is not among those of the configuration`);
}

/** The settings of an entity: what it has not, such as routes, it has from its merchant. */
async function routingOf(
  store: Store,
  entityId: string,
): Promise<{
  readonly testMode?: AcquirerRoutingRow['testMode'];
  readonly routes: readonly AcquirerRoute[];
}> {
  const own = await store.get('acquirerRouting', [entityId]);
  const routes = routesOf(own);
  if (own && routes.length > 0) return { testMode: own.testMode, routes };
  const parentId = (await store.get('entities', [entityId]))?.parentId;
  const parent = parentId ? await store.get('acquirerRouting', [parentId]) : undefined;
  const testMode = own?.testMode ?? parent?.testMode;
  return { ...(testMode && { testMode }), routes: routesOf(parent) };
}

const storedRoutes = parsedColumn<'routes', readonly AcquirerRoute[]>('routes');

/** The routes were checked when they were set. */
function routesOf(settings: AcquirerRoutingRow | undefined): readonly AcquirerRoute[] {
  return settings ? storedRoutes(settings) : [];
}
