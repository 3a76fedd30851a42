import type { KeyObject } from 'node:crypto';
import type { TlsCertificate } from '@tillbridge/protocol/platform/net/tls-certificate.js';
import type { Alerts } from '../alerts/alerts.js';
import type { GatewayConfig } from '../config/config.js';
import {
  runSettlement,
  type SettlementParts,
  startNightlySettlement,
} from '../settlement/settlement-service.js';
import type { FailingWork } from '../workers/failing-work.js';
import { WORK } from './standing-causes.js';

/** What settlement is started with. */
export interface RunSettlementParts {
  readonly settlement: SettlementParts;
  readonly failing: Pick<FailingWork, 'watched'>;
  readonly tokenKey: KeyObject;
  readonly alerts: Pick<Alerts, 'raise'>;
  readonly certificate: Pick<TlsCertificate, 'pair'> | undefined;
  readonly config: Pick<GatewayConfig, 'reconciliationFtp'>;
  readonly onFault: (what: string, error: unknown) => void;
}

/** Settles each night and, where it is configured, opens the FTP location of the files; `closers` gets what ends both. */
export async function startSettlement(
  parts: RunSettlementParts,
  closers: (() => Promise<void>)[],
): Promise<void> {
  const { settlement, failing, tokenKey, certificate, config, alerts, onFault } = parts;
  if (config.reconciliationFtp && certificate) {
    const { openFtpLocation } = await import('../ftp/ftp-location.js');
    const { SIGN_IN_LIMITS } = await import('../ftp/sign-in.js');
    const ftp = await openFtpLocation({
      ...settlement,
      tokenKey,
      settings: config.reconciliationFtp,
      onLocked: (subject) => {
        const detail = `${SIGN_IN_LIMITS.account} wrong passwords`;
        void alerts
          .raise({ code: 'ftp-account-locked', subject, entityId: subject, detail })
          .catch((error: unknown) => onFault('alert not stored', error));
      },
      tls: () => certificate.pair,
      onFault: (error) => onFault('an FTP account was not looked up', error),
    });
    closers.push(() => ftp.close());
  }
  const nights = await startNightlySettlement(settlement, {
    run: failing.watched(WORK.settlement, () => runSettlement(settlement)),
    onFault: (error) => onFault('nothing was settled', error),
  });
  closers.push(() => nights.stop());
}
