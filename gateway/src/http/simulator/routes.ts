import type { FastifyInstance } from 'fastify';
import { runSettlement } from '../../settlement/settlement-service.js';
import { settlementView } from '../../settlement/settlement-view.js';
import { sharedRuns } from '../../workers/shared-runs.js';
import type { HttpDeps } from '../request/deps.js';
import { done } from '../request/envelope.js';

/** Additions of ours, test mode only: the INTERNAL acquirer's own record, for those who check us against it; a settlement without waiting for the night. */
export function simulatorRoutes(server: FastifyInstance, deps: HttpDeps): void {
  const { record } = deps;
  if (!record) return;
  const config = { right: 'simulator', throttle: 'reads' } as const;
  server.get('/v1/simulator/transactions', { config }, () => record.transactions());
  // Many at once ask for the same.
  const settle = sharedRuns(() => runSettlement(deps.settlement));
  server.post('/v1/simulator/settlements', { config: { ...config, throttle: 'followUps' } }, async () => {
    const { settlements } = await settle();
    return done(deps, { aggregations: settlements.map(settlementView), pages: 1 });
  });
}
