import type { KeyObject } from 'node:crypto';
import type { TlsCertificate } from '@tillbridge/protocol/platform/net/tls-certificate.js';
import type { GatewayConfig } from '../../app/configuration/config.js';
import { WORK } from '../../app/wiring/standing-causes.js';
import type { Alerts } from '../../kernel/alerts/alerts.js';
import type { Background } from '../../kernel/workers/background.js';
import type { ClaimNode } from '../../kernel/workers/claim-loop.js';
import type { FailingWork } from '../../kernel/workers/failing-work.js';
import type { Fingerprint } from '../../security/tokens/fingerprint.js';
import { runSettlement, type SettlementParts, startNightlySettlement } from './service.js';

/** What settlement is started with. */
export interface RunSettlementParts {
  readonly settlement: SettlementParts;
  readonly node: ClaimNode;
  readonly failing: Pick<FailingWork, 'watched'>;
  readonly tokenKey: KeyObject;
  readonly fingerprint: Fingerprint;
  readonly alerts: Pick<Alerts, 'raise'>;
  readonly certificate: Pick<TlsCertificate, 'pair'> | undefined;
  readonly config: Pick<GatewayConfig, 'reconciliationFtp'>;
}

/** Settles each night and, where it is configured, opens the FTP location of the files. */
export async function startSettlement(
  { settlement, node, failing, tokenKey, fingerprint, certificate, config, alerts }: RunSettlementParts,
  background: Pick<Background, 'endLater' | 'faultOf'>,
): Promise<void> {
  if (config.reconciliationFtp && certificate) {
    const { openFtpLocation } = await import('./ftp/ftp-location.js');
    const { SIGN_IN_LIMITS } = await import('./ftp/sign-in.js');
    const ftp = await openFtpLocation({
      ...settlement,
      tokenKey,
      fingerprint,
      settings: config.reconciliationFtp,
      onLocked: (subject) => {
        const detail = `${SIGN_IN_LIMITS.account} wrong passwords`;
        void alerts
          .raise({ code: 'ftp-account-locked', subject, entityId: subject, detail })
          .catch(background.faultOf('alert not stored'));
      },
      tls: () => certificate.pair,
      onFault: background.faultOf('an FTP account was not looked up'),
    });
    background.endLater({ stop: () => ftp.close() });
  }
  const nights = await startNightlySettlement(settlement, {
    run: failing.watched(WORK.settlement, () => runSettlement(settlement)),
    node,
    onFault: background.faultOf('nothing was settled'),
  });
  background.endLater(nights);
}
