import type { TlsCertificate } from '@tillbridge/platform/net/tls-certificate.js';
import { ACQUIRER_SILENCE_MS, type WatchedAcquirer } from '../../core/acquirers/watched-acquirer.js';
import type { GatewayPaymentService } from '../../core/payments/service.js';
import type { StandingCause } from '../../kernel/alerts/standing-alerts.js';
import type { NodeLease } from '../../kernel/nodes/node-lease.js';
import type { Background } from '../../kernel/workers/background.js';
import type { SecurityModule } from '../../security/module/security-module.js';
import { CHECK_WORK, type InvariantCheck } from '../ledger-check/invariant-check.js';

/** The parts of a gateway that may fail as a whole. */
interface WatchedDeps {
  readonly acquirers: {
    readonly watched: readonly Pick<WatchedAcquirer, 'name' | 'isSilent'>[];
    /** What hosts leave without an answer for too long. */
    readonly causes: readonly StandingCause[];
  };
  readonly security: Pick<SecurityModule, 'deviceKeySets'>;
  readonly check: Pick<InvariantCheck, 'fault'>;
  readonly payments: Pick<GatewayPaymentService, 'overdueWaits'>;
  readonly background: Pick<Background, 'causes'>;
  readonly node: Pick<NodeLease, 'clockFault'>;
  /** Undefined where another ends TLS. */
  readonly certificate: Pick<TlsCertificate, 'fault'> | undefined;
}

/** What is looked at while the gateway runs: each cause is an alert while it stands. */
export function standingCauses({
  acquirers: { watched, causes },
  security,
  check,
  payments,
  background,
  node,
  certificate,
}: WatchedDeps): readonly StandingCause[] {
  const silent = `no answer for ${ACQUIRER_SILENCE_MS} ms`;
  return [
    ...watched.map(
      (acquirer): StandingCause => ({
        code: 'acquirer-silent',
        subject: acquirer.name,
        detail: () => (acquirer.isSilent ? silent : undefined),
      }),
    ),
    ...causes,
    { code: 'wait-overdue', subject: 'waits', detail: () => payments.overdueWaits },
    { code: 'node-clock-disagrees', subject: 'nodes', detail: () => node.clockFault },
    { code: 'certificate-unusable', subject: 'tls', detail: () => certificate?.fault },
    { code: 'security-module-unavailable', subject: 'keys', detail: () => keyFault(security) },
    { code: 'work-failing', subject: CHECK_WORK, detail: () => check.fault },
    ...background.causes,
  ];
}

/** Why the keys cannot be read now; undefined when they can. */
function keyFault(security: WatchedDeps['security']): string | undefined {
  try {
    security.deviceKeySets();
    return undefined;
  } catch (error) {
    return error instanceof Error ? `${error.name}: ${error.message}` : 'an unknown fault';
  }
}
