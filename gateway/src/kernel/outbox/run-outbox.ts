import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import type { GatewayConfig } from '../../app/configuration/config.js';
import { WORK } from '../../app/wiring/standing-causes.js';
import type { Egress } from '../egress/egress.js';
import type { Store } from '../store/store.js';
import type { Background } from '../workers/background.js';
import type { ClaimNode } from '../workers/claim-loop.js';
import { sendLoops } from './send-loop.js';
import { SmtpMailer } from './smtp-mailer.js';
import { TELL_LIMITS, tellAlerts } from './tell-alerts.js';

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
