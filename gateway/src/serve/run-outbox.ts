import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import type { GatewayConfig } from '../config/config.js';
import type { Egress } from '../egress/egress.js';
import { sendLoop } from '../outbox/send-loop.js';
import { SmtpMailer } from '../outbox/smtp-mailer.js';
import { TELL_LIMITS, tellAlerts } from '../outbox/tell-alerts.js';
import type { Store } from '../store/store.js';
import type { ClaimNode } from '../workers/claim-loop.js';
import type { Background } from './background.js';
import { WORK } from './standing-causes.js';

/** What mails and alerts are sent with. */
export interface OutboxParts {
  readonly store: Pick<Store, 'findRange' | 'commit'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly node: ClaimNode;
  readonly egress: Egress;
  readonly background: Pick<Background, 'repeat' | 'endLater' | 'faultOf'>;
}

/** Sends what is in the outbox, and puts alerts into it where somebody is to be told. */
export function runOutbox(
  { mail, alerts }: Pick<GatewayConfig, 'mail' | 'alerts'>,
  { background, ...parts }: OutboxParts,
): void {
  const isTold = alerts.mailTo.length > 0 || alerts.webhookUrl !== undefined;
  if (!mail && !isTold) return;
  const loop = sendLoop({
    ...parts,
    ...(mail && { mailer: new SmtpMailer(mail) }),
    onFault: background.faultOf('a message was not sent'),
  });
  background.endLater(loop);
  loop.wake();
  if (!isTold) return;
  background.repeat({
    name: WORK.alerts,
    intervalMs: TELL_LIMITS.intervalMs,
    work: () => tellAlerts(parts, alerts),
    fault: 'alerts were not told',
  });
}
