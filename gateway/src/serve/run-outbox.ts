import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import type { GatewayConfig } from '../config/config.js';
import type { Egress } from '../egress/egress.js';
import { sendLoop } from '../outbox/send-loop.js';
import { SmtpMailer } from '../outbox/smtp-mailer.js';
import { TELL_LIMITS, tellAlerts } from '../outbox/tell-alerts.js';
import type { Store } from '../store/store.js';
import type { FailingWork } from '../workers/failing-work.js';
import { repeat } from '../workers/repeat.js';
import { WORK } from './standing-causes.js';

/** What mails and alerts are sent with. */
export interface OutboxParts {
  readonly store: Pick<Store, 'findRange' | 'commit'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly egress: Egress;
  readonly onFault: (what: string, error: unknown) => void;
  readonly failing: FailingWork;
}

/** Sends what is in the outbox, and puts alerts into it where somebody is to be told; returns what ends it. */
export function runOutbox(
  { mail, alerts }: Pick<GatewayConfig, 'mail' | 'alerts'>,
  { onFault, failing, ...parts }: OutboxParts,
): () => Promise<void> {
  const isTold = alerts.mailTo.length > 0 || alerts.webhookUrl !== undefined;
  if (!mail && !isTold) return async () => undefined;
  const loop = sendLoop({
    ...parts,
    ...(mail && { mailer: new SmtpMailer(mail) }),
    onFault: (error) => onFault('a message was not sent', error),
  });
  loop.wake();
  const stop = repeat({
    clock: parts.clock,
    intervalMs: TELL_LIMITS.intervalMs,
    work: failing.watched(WORK.alerts, async () => {
      if (isTold) await tellAlerts(parts, alerts);
    }),
    onFault: (error) => onFault('alerts were not told', error),
  });
  return async () => {
    await stop();
    await loop.stop();
  };
}
