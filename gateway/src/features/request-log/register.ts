import { showNumber } from '@tillbridge/platform/metrics/gauge.js';
import type { Feature, Kernel } from '../../core/feature.js';
import { REQUEST_LOG_LIMITS, RequestLog } from './request-log.js';
import type { RequestLogSettings } from './request-log-settings.js';
import { requestLogRoutes } from './routes.js';
import { TRIM_LIMITS, trimRequests } from './trim-requests.js';
import { watchRequests } from './watch-requests.js';

const DAY_MS = 24 * 3_600_000;

/** What of the configuration is of the log of requests. */
interface RequestLogConfig {
  readonly requestLog: RequestLogSettings;
}

/** The requests of merchants as they were sent, for their developers. */
export function register(kernel: Kernel, { requestLog: settings }: RequestLogConfig): Feature {
  const { store } = kernel;
  const log = new RequestLog(store);
  return {
    watch: (server) => watchRequests(server, kernel, log, settings),
    routes: (server) => requestLogRoutes(server, kernel, log),
    metrics: (registry) =>
      showNumber(
        registry,
        'tillbridge_gateway_request_log_dropped',
        'Requests since the start that are not in the log: too many waited, or the database did not take them',
        () => log.dropped,
      ),
    work: (background) => {
      background.endLater(log);
      background.repeat({
        intervalMs: REQUEST_LOG_LIMITS.intervalMs,
        work: () => log.flush(),
        fault: 'requests were not logged',
      });
      background.repeat({
        name: 'deletion of requests beyond the limit',
        single: true,
        intervalMs: TRIM_LIMITS.intervalMs,
        work: () => trimRequests(store, settings.maxRows),
        fault: 'requests beyond the limit were not deleted',
      });
    },
    retention: { requestLog: { index: 'age', keepMs: settings.keepDays * DAY_MS } },
  };
}
