import { cartReversalLoop } from '../../core/payments/cart/cart-reversal-loop.js';
import { runOutbox } from '../../kernel/outbox/run-outbox.js';
import type { Background } from '../../kernel/workers/background.js';
import { Retention } from '../../kernel/workers/retention.js';
import { sweepVault } from '../../security/vault/upkeep/vault-retention.js';
import { VAULT_UPKEEP_LIMITS, VaultUpkeep } from '../../security/vault/upkeep/vault-upkeep.js';
import type { InvariantCheck } from '../ledger-check/invariant-check.js';
import type { Foundation } from './foundation.js';
import type { OpenKernel } from './open-kernel.js';
import { RETENTION } from './retention.js';

const DAY_MS = 24 * 3_600_000;

/** How often is looked whether totals are to be compared with hosts, in milliseconds. */
const TOTALS_INTERVAL_MS = 30_000;

/** Begins all work that no request waits for, but for the bridge's. Rows that are work are claimed, so that nodes share them. */
export async function startWork(
  background: Background,
  foundation: Foundation,
  open: OpenKernel,
  check: Pick<InvariantCheck, 'start' | 'stop'>,
): Promise<void> {
  const { store, clock, random, node, config } = foundation;
  const { kernel, features, acquirers } = open;
  const { fingerprint, alerts, service, egress } = kernel;
  background.repeat({
    name: 'comparison of totals with hosts',
    single: true,
    intervalMs: TOTALS_INTERVAL_MS,
    work: acquirers.compareTotals,
    fault: 'totals were not compared with a host',
  });
  for (const { work } of features) await work?.(background);
  background.run(
    cartReversalLoop({
      ...{ store, clock, random, node, fingerprint, alerts },
      followUp: (request) => service.followUp(request),
      onFault: background.faultOf('a gift card was not given back what it paid'),
    }),
  );
  background.endLater(check);
  check.start();
  startUpkeep(background, foundation, open);
  runOutbox(background, config, { store, clock, random, node, egress });
}

/** Deletes what is old, and looks after the keys of the vault. */
function startUpkeep(
  background: Background,
  { store, clock, config }: Foundation,
  { features, dataKeys }: OpenKernel,
): void {
  const keepMs = config.vault.keepDays * DAY_MS;
  const rules = [RETENTION, ...features.flatMap(({ retention: ofFeature }) => ofFeature ?? [])];
  const retention = new Retention(store, clock, rules, [() => sweepVault({ store, clock, keepMs })]);
  background.repeat({
    name: 'deletion of old rows',
    single: true,
    intervalMs: () => retention.nextInMs,
    work: () => retention.sweep(),
    fault: 'old rows were not deleted',
  });
  const rotateAfterMs = config.vault.rotateDays * DAY_MS;
  const upkeep = new VaultUpkeep({ keys: dataKeys, store, clock, rotateAfterMs });
  background.repeat({
    name: 'upkeep of the vault’s keys',
    intervalMs: VAULT_UPKEEP_LIMITS.intervalMs,
    work: () => upkeep.round(),
    fault: 'the keys of the vault were not looked after',
  });
}
