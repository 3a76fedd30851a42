import type { Seams } from '@tillbridge/wire/seams/seams.js';
import type { Egress } from '../egress/egress.js';
import type { Store } from '../store/store.js';
import type { Background } from '../workers/background.js';
import type { ClaimNode } from '../workers/claim-loop.js';
import { ALERT_QUEUE_LIMITS, type AlertTargets, queueAlerts } from './queue-alerts.js';
import { sendLoops } from './send-loop.js';
import { type MailConfig, SmtpMailer } from './smtp-mailer.js';

/** Name of the work, as its alert shows it. */
const ALERT_WORK = 'telling of alerts';

/** What mails and alerts are sent with. */
interface OutboxDeps extends Seams {
  readonly store: Pick<Store, 'findRange' | 'commit'>;
  readonly node: ClaimNode;
  readonly egress: Pick<Egress, 'send'>;
}

/** Sends what is in the outbox, and puts raised alerts into it for their targets. */
export function runOutbox(
  background: Pick<Background, 'run' | 'repeat' | 'declare' | 'faultOf'>,
  { mail, alerts }: { readonly mail?: MailConfig; readonly alerts: AlertTargets },
  deps: OutboxDeps,
): void {
  const loops = sendLoops({
    ...deps,
    ...(mail && { mailer: new SmtpMailer(mail) }),
    onFault: background.faultOf('a message was not sent'),
  });
  background.run(loops);
  if (alerts.mailTo.length === 0 && alerts.webhookUrl === undefined) background.declare(ALERT_WORK);
  else
    background.repeat({
      name: ALERT_WORK,
      intervalMs: ALERT_QUEUE_LIMITS.intervalMs,
      work: () => queueAlerts(deps, alerts),
      fault: 'alerts were not queued',
    });
}
