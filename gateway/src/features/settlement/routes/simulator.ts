import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { AcquirerRecord, TransactionRecord } from '../../../core/acquirers/acquirer.js';
import { callerOf } from '../../../kernel/http/request/authenticate.js';
import type { HttpDeps } from '../../../kernel/http/request/deps.js';
import { done } from '../../../kernel/http/request/envelope.js';
import { sharedRuns } from '../../../kernel/workers/shared-runs.js';
import type { SettlementDeps } from '../service.js';
import { runSettlement, type SettlementRun } from '../service.js';
import { settlementView } from '../settlement-view.js';
import { ownTransactions } from './own-transactions.js';

/** What the routes of the simulator work with. */
interface SimulatorRouteDeps extends HttpDeps {
  /** The acquirer simulator's own record; absent in live mode. */
  readonly record?: TransactionRecord & Pick<AcquirerRecord, 'entry'>;
  readonly settlement: SettlementDeps;
}

/**
 * Additions of ours, test mode only: the INTERNAL acquirer's own record, for those who check us against it; a settlement without waiting for
 * the night. A token sees and settles its own merchant, and all with the right `operator`.
 */
export function simulatorRoutes(server: FastifyInstance, deps: SimulatorRouteDeps): void {
  const { record } = deps;
  if (!record) return;
  const config = { right: 'simulator', throttle: 'reads' } as const;
  const runs = new Map<string | undefined, () => Promise<SettlementRun>>();
  server.get('/v1/simulator/transactions', { config }, async (request) => {
    const owners = await ownersOf(request);
    const all = await record.transactions();
    return owners ? ownTransactions(deps.store, record, all, new Set(owners)) : all;
  });
  server.post(
    '/v1/simulator/settlements',
    { config: { ...config, throttle: 'followUps' } },
    async (request) => {
      const owners = await ownersOf(request);
      // Many at once ask for the same.
      const settle = runs.get(owners?.[0]) ?? sharedRuns(() => runSettlement(deps.settlement, owners));
      runs.set(owners?.[0], settle);
      const { settlements } = await settle();
      return done(deps, { aggregations: settlements.map(settlementView), pages: 1 });
    },
  );
}

/** The entities of the caller; undefined: all. */
async function ownersOf(request: FastifyRequest): Promise<readonly string[] | undefined> {
  const caller = callerOf(request);
  return caller.has('operator') ? undefined : caller.readableEntities(undefined);
}
