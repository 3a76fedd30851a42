import { certificateCheck } from '@tillbridge/platform/preflight/certificate-check.js';
import { clockFinding } from '@tillbridge/platform/preflight/clock-check.js';
import { diskCheck } from '@tillbridge/platform/preflight/disk-check.js';
import { portCheck } from '@tillbridge/platform/preflight/port-check.js';
import { type PreflightCheck, warning } from '@tillbridge/platform/preflight/preflight.js';
import { systemClock } from '@tillbridge/platform/system-clock.js';
import { databaseClockAheadMs } from '../../kernel/data-folder/open-store.js';
import type { GatewayConfig } from '../configuration/config.js';

/** What a gateway needs before it takes its home: room on the disk. */
export function homeChecks({ home }: Pick<GatewayConfig, 'home'>): readonly PreflightCheck[] {
  return [diskCheck(home, 'GATEWAY_HOME')];
}

/** What it needs before it opens its database: ports, certificates, and a clock that agrees with the database server. */
export function serveChecks(config: GatewayConfig): readonly PreflightCheck[] {
  const { host, port, transport, acquirers } = config;
  const { tls } = transport;
  const now = systemClock.nowMs;
  // For "localhost" the gateway listens on this address.
  const address = host === 'localhost' ? '127.0.0.1' : host;
  return [
    portCheck(address, port, 'GATEWAY_PORT'),
    ...(tls?.redirectPort === undefined
      ? []
      : [portCheck(address, tls.redirectPort, 'GATEWAY_TLS_REDIRECT_PORT')]),
    ...(tls ? [certificateCheck('tls.certificateFile', tls.certificateFile, now)] : []),
    ...acquirers.flatMap(({ name, tls: ofAcquirer }) =>
      ofAcquirer?.certificateFile === undefined
        ? []
        : [certificateCheck(`acquirer ${name}: tls.certificateFile`, ofAcquirer.certificateFile, now)],
    ),
    async () => {
      const aheadMs = await databaseClockAheadMs(config);
      const found = aheadMs === undefined ? undefined : clockFinding(aheadMs, 'the database');
      // A file that was written while the clock was wrong proves nothing.
      return found && config.databaseUrl === undefined ? warning(found.text) : found;
    },
  ];
}
