import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import type { Egress } from '../../kernel/egress/egress.js';
import { sendLoops } from '../../kernel/outbox/send-loop.js';
import { SmtpMailer } from '../../kernel/outbox/smtp-mailer.js';
import { TELL_LIMITS, tellAlerts } from '../../kernel/outbox/tell-alerts.js';
import type { Store } from '../../kernel/store/store.js';
import type { ClaimNode } from '../../kernel/workers/claim-loop.js';
import type { GatewayConfig } from '../configuration/config.js';
import type { Background } from './background.js';
import { WORK } from './standing-causes.js';

/** What mails and alerts are sent with. */
export interface OutboxParts {
  readonly store: Pick<Store, 'findRange' | 'commit'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly node: ClaimNode;
  readonly egress: Pick<Egress, 'send'>;
  readonly background: Pick<Background, 'repeat' | 'endLater' | 'faultOf'>;
}

/** Sends what is in the outbox, and puts alerts into it where somebody is to be told. */
export function runOutbox(
  { mail, alerts }: Pick<GatewayConfig, 'mail' | 'alerts'>,
  { background, ...parts }: OutboxParts,
): void {
  const loops = sendLoops({
    ...parts,
    ...(mail && { mailer: new SmtpMailer(mail) }),
    onFault: background.faultOf('a message was not sent'),
  });
  background.endLater(loops);
  loops.wake();
  if (alerts.mailTo.length === 0 && alerts.webhookUrl === undefined) return;
  background.repeat({
    name: WORK.alerts,
    intervalMs: TELL_LIMITS.intervalMs,
    work: () => tellAlerts(parts, alerts),
    fault: 'alerts were not told',
  });
}
