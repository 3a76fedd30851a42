import type { TlsCertificate } from '@tillbridge/protocol/platform/net/tls-certificate.js';
import { ACQUIRER_SILENCE_MS, type WatchedAcquirer } from '../../core/acquirers/watched-acquirer.js';
import type { GatewayPaymentService } from '../../core/payments/service.js';
import type { StandingCause } from '../../kernel/alerts/standing-alerts.js';
import type { NodeLease } from '../../kernel/nodes/node-lease.js';
import type { FailingWork } from '../../kernel/workers/failing-work.js';
import type { SecurityModule } from '../../security/module/security-module.js';
import type { InvariantCheck } from '../ledger-check/invariant-check.js';

/** Names of the work in the background, as alerts show them. */
export const WORK = {
  check: 'consistency check',
  retention: 'deletion of old rows',
  retries: 'retry of parked messages',
  vault: 'upkeep of the vault’s keys',
  webhooks: 'delivery of events',
  chargebacks: 'booking of chargebacks',
  settlement: 'settlement',
  totals: 'comparison of totals with hosts',
  alerts: 'telling of alerts',
  restore: 'record of what was revoked',
} as const;

/** Name of the import of an acquirer's files. */
export function fileWork(acquirer: string): string {
  return `import of files of ${acquirer}`;
}

/** The parts of a gateway that may fail as a whole. */
interface WatchedParts {
  readonly acquirers: readonly Pick<WatchedAcquirer, 'name' | 'isSilent'>[];
  /** What hosts of acquirers leave without an answer for too long. */
  readonly linkCauses: readonly StandingCause[];
  readonly security: Pick<SecurityModule, 'deviceKeySets'>;
  readonly check: Pick<InvariantCheck, 'fault'>;
  readonly payments: Pick<GatewayPaymentService, 'overdueWaits'>;
  /** Names of the acquirers whose files are imported. */
  readonly fileAcquirers: readonly string[];
  readonly failing: Pick<FailingWork, 'fault'>;
  readonly node: Pick<NodeLease, 'clockFault'>;
  /** Undefined where another ends TLS. */
  readonly certificate: Pick<TlsCertificate, 'fault'> | undefined;
}

/** What is looked at while the gateway runs: each cause is an alert while it stands. */
export function standingCauses({
  acquirers,
  linkCauses,
  security,
  check,
  payments,
  fileAcquirers,
  failing,
  node,
  certificate,
}: WatchedParts): readonly StandingCause[] {
  const silent = `no answer for ${ACQUIRER_SILENCE_MS} ms`;
  return [
    ...acquirers.map(
      (acquirer): StandingCause => ({
        code: 'acquirer-silent',
        subject: acquirer.name,
        detail: () => (acquirer.isSilent ? silent : undefined),
      }),
    ),
    ...linkCauses,
    { code: 'wait-overdue', subject: 'waits', detail: () => payments.overdueWaits },
    { code: 'node-clock-disagrees', subject: 'nodes', detail: () => node.clockFault },
    { code: 'certificate-unusable', subject: 'tls', detail: () => certificate?.fault },
    { code: 'security-module-unavailable', subject: 'keys', detail: () => keyFault(security) },
    { code: 'work-failing', subject: WORK.check, detail: () => check.fault },
    ...[
      WORK.retention,
      WORK.retries,
      WORK.vault,
      WORK.webhooks,
      WORK.alerts,
      WORK.restore,
      WORK.chargebacks,
      WORK.settlement,
      WORK.totals,
      ...fileAcquirers.map(fileWork),
    ].map(
      (subject): StandingCause => ({ code: 'work-failing', subject, detail: () => failing.fault(subject) }),
    ),
  ];
}

/** Why the keys cannot be read now; undefined when they can. */
function keyFault(security: WatchedParts['security']): string | undefined {
  try {
    security.deviceKeySets();
    return undefined;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : 'an unknown fault';
  }
}
