import type { StrangerLog } from '@tillbridge/platform/log/stranger-log.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { Logger } from 'pino';
import type { Alerts } from '../../alerts/alerts.js';
import type { Owner } from '../../nodes/node-lease.js';
import type { AuthenticationDeps } from './authenticate.js';
import type { EnvelopeDeps } from './envelope.js';

/** What every route works with; the routes of a feature add what is theirs. */
export interface HttpDeps extends AuthenticationDeps, EnvelopeDeps {
  readonly clock: Clock;
  /** This node among those on the database; absent: there is no other one. */
  readonly node?: Owner;
  /** `live`: nothing of the test mode is there, and requests for it are refused. */
  readonly mode: 'test' | 'live';
  /** Raised for what an operator has to look at. */
  readonly alerts: Pick<Alerts, 'raise'>;
  /** Masks what it writes. */
  readonly logger: Logger;
  /** Logs what strangers do. */
  readonly strangers: Pick<StrangerLog, 'take'>;
}
