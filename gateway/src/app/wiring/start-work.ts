import { rmSync } from 'node:fs';
import { COMMAND_LIMITS } from '../../core/bridge/commands/agent-command.js';
import type { BridgeEndpoint } from '../../core/bridge/endpoint.js';
import { RETRY_LIMITS, type RetryParts, retryParked } from '../../core/bridge/retry-parked.js';
import { type CartReversalParts, cartReversalLoop } from '../../core/payments/cart/cart-reversal-loop.js';
import type { ReverseDeps } from '../../core/payments/cart/reverse-payment.js';
import { CHARGEBACK_LIMITS, type Chargebacks } from '../../core/payments/chargebacks/chargebacks.js';
import { carryOutReviews, type ReviewWork } from '../../features/risk/service.js';
import { type RunSettlementParts, startSettlement } from '../../features/settlement/worker.js';
import { DISPATCHER_LIMITS, Dispatcher, type DispatcherParts } from '../../features/webhooks/worker.js';
import { type OutboxParts, runOutbox } from '../../kernel/outbox/run-outbox.js';
import type { CheckoutRow, ScheduleRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import type { Background } from '../../kernel/workers/background.js';
import type { ClaimLoop } from '../../kernel/workers/claim-loop.js';
import { Retention } from '../../kernel/workers/retention.js';
import type { StoredDataKeys } from '../../security/vault/stored-data-keys.js';
import { sweepVault } from '../../security/vault/upkeep/vault-retention.js';
import { VAULT_UPKEEP_LIMITS, VaultUpkeep } from '../../security/vault/upkeep/vault-upkeep.js';
import type { GatewayConfig } from '../configuration/config.js';
import type { InvariantCheck } from '../ledger-check/invariant-check.js';
import { fileWork, WORK } from './standing-causes.js';

const DAY_MS = 24 * 3_600_000;

/** How often the bridge looks for what other processes have changed, in milliseconds: revoked agents, policies of stores. */
const CHANGES_INTERVAL_MS = 1_000;

/** How often is looked whether totals are to be compared with hosts, in milliseconds. */
const TOTALS_INTERVAL_MS = 30_000;

/** How often decisions on reviews are looked for, in milliseconds. */
const REVIEW_INTERVAL_MS = 1_000;

/** What the workers of a gateway work with. */
interface WorkerParts
  extends Omit<OutboxParts, 'background'>,
    Omit<CartReversalParts, 'followUp' | 'onFault' | 'store' | 'node'> {
  readonly config: GatewayConfig;
  readonly store: Store;
  readonly tokenKey: RunSettlementParts['tokenKey'];
  readonly certificate: RunSettlementParts['certificate'];
  readonly failing: RunSettlementParts['failing'];
  readonly settlement: RunSettlementParts['settlement'];
  readonly dataKeys: StoredDataKeys;
  readonly chargebacks: Pick<Chargebacks, 'round' | 'book'>;
  /** Where files of acquirers are while they are imported. */
  readonly filesFolder: string;
  /** Compares totals with the hosts of acquirers, where that is due. */
  readonly compareTotals: () => Promise<void>;
  readonly check: Pick<InvariantCheck, 'start' | 'stop'>;
  readonly webhooks: Omit<DispatcherParts, 'onFault'>;
  readonly runner: ClaimLoop<ScheduleRow>;
  readonly reviews: ReviewWork;
  readonly reverseWith: ReverseDeps;
  readonly resultCalls: ClaimLoop<CheckoutRow>;
}

/** Begins all work that no request waits for, but for the bridge's. Rows that are work are claimed, so that nodes share them. */
export async function startWorkers(background: Background, parts: WorkerParts): Promise<void> {
  const { config, store, clock, random, node, egress, check } = parts;
  background.repeat({
    name: WORK.chargebacks,
    single: true,
    intervalMs: CHARGEBACK_LIMITS.intervalMs,
    work: () => parts.chargebacks.round(),
    fault: 'chargebacks were not booked',
  });
  background.repeat({
    name: WORK.totals,
    single: true,
    intervalMs: TOTALS_INTERVAL_MS,
    work: parts.compareTotals,
    fault: 'totals were not compared with a host',
  });
  await startHostFiles(background, parts);
  await startSettlement(parts, background);
  const reversals = cartReversalLoop({
    ...parts,
    ...parts.reverseWith,
    store,
    onFault: background.faultOf('a gift card was not given back what it paid'),
  });
  background.endLater(reversals);
  reversals.wake();
  background.endLater(check);
  check.start();
  startUpkeep(background, parts);
  const dispatcher = new Dispatcher({
    ...parts.webhooks,
    node,
    onFault: background.faultOf('an event was not delivered'),
  });
  background.endLater(dispatcher);
  background.repeat({
    name: WORK.webhooks,
    intervalMs: DISPATCHER_LIMITS.intervalMs,
    work: () => dispatcher.round(),
    fault: 'events were not delivered',
  });
  runOutbox(config, { store, clock, random, node, egress, background });
  background.endLater(parts.runner);
  parts.runner.wake();
  background.endLater(parts.resultCalls);
  parts.resultCalls.wake();
  background.repeat({
    intervalMs: REVIEW_INTERVAL_MS,
    work: () => carryOutReviews(parts.reviews),
    fault: 'reviews were not looked for',
  });
}

/** Imports files of acquirers; nothing of it is loaded where none puts any. @throws OperatorError a mapping is wrong */
async function startHostFiles(background: Background, parts: WorkerParts): Promise<void> {
  const { config, filesFolder: folder, store, clock, random, chargebacks } = parts;
  const acquirers = config.acquirers.filter(({ files }) => files !== undefined);
  if (acquirers.length === 0) return;
  const { hostFileSource } = await import('../../features/settlement/host-files/open-host-files.js');
  const { HostFiles } = await import('../../features/settlement/host-files/host-files.js');
  // What an earlier process had begun to import is fetched again.
  rmSync(folder, { recursive: true, force: true });
  const hostFiles = new HostFiles({ store, clock, random, chargebacks, folder });
  for (const acquirer of acquirers) {
    const source = hostFileSource(acquirer);
    if (!source) continue;
    background.repeat({
      name: fileWork(acquirer.name),
      single: true,
      intervalMs: (acquirer.files?.everySeconds ?? 0) * 1_000,
      work: () => hostFiles.look(source),
      fault: `files of ${acquirer.name} were not imported`,
    });
  }
}

/** Deletes what is old, and looks after the keys of the vault. */
function startUpkeep(background: Background, { config, store, clock, dataKeys }: WorkerParts): void {
  const keepMs = config.vault.keepDays * DAY_MS;
  const retention = new Retention(store, clock, [() => sweepVault({ store, clock, keepMs })]);
  background.repeat({
    name: WORK.retention,
    single: true,
    intervalMs: () => retention.nextInMs,
    work: () => retention.sweep(),
    fault: 'old rows were not deleted',
  });
  const rotateAfterMs = config.vault.rotateDays * DAY_MS;
  const upkeep = new VaultUpkeep({ keys: dataKeys, store, clock, rotateAfterMs });
  background.repeat({
    name: WORK.vault,
    intervalMs: VAULT_UPKEEP_LIMITS.intervalMs,
    work: () => upkeep.round(),
    fault: 'the keys of the vault were not looked after',
  });
}

/** What the work on sessions of agents works with. */
interface BridgeWorkParts extends Omit<RetryParts, 'acknowledge'> {
  readonly bridge: Pick<BridgeEndpoint, 'acknowledge' | 'endRevoked' | 'tellPolicies' | 'sendCommands'>;
}

/** Begins the work on sessions of agents: each node looks after its own. */
export function startBridgeWork(background: Background, { bridge, ...parts }: BridgeWorkParts): void {
  background.repeat({
    name: WORK.retries,
    intervalMs: RETRY_LIMITS.intervalMs,
    work: () =>
      retryParked({
        ...parts,
        acknowledge: (agentId, messageId, outcome) => bridge.acknowledge(agentId, messageId, outcome),
      }),
    fault: 'parked messages were not retried',
  });
  background.repeat({
    intervalMs: CHANGES_INTERVAL_MS,
    work: () => bridge.endRevoked(),
    fault: 'revoked agents were not looked for',
  });
  background.repeat({
    intervalMs: CHANGES_INTERVAL_MS,
    work: () => bridge.tellPolicies(),
    fault: 'policies of stores were not looked for',
  });
  background.repeat({
    intervalMs: COMMAND_LIMITS.pollMs,
    work: () => bridge.sendCommands(),
    fault: 'commands to agents were not looked for',
  });
}
