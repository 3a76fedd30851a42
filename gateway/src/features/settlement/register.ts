import { rmSync } from 'node:fs';
import type { AcquirerConfig } from '../../core/acquirers/configuration/acquirer-section.js';
import type { Feature, Kernel } from '../../core/feature.js';
import type { Background } from '../../kernel/workers/background.js';
import type { FtpSettings } from './ftp/ftp-location.js';
import { quarantinedFiles } from './host-files/inbox-source.js';
import { reconciliationRoutes } from './routes/reconciliation.js';
import { reportRoutes } from './routes/reports.js';
import { simulatorRoutes } from './routes/simulator.js';
import { runSettlement, type SettlementDeps, startNightlySettlement } from './service.js';

/** What of the configuration is of settlement. */
interface SettlementConfig {
  readonly acquirers: readonly AcquirerConfig[];
  /** Absent: there is no FTP location of the reconciliation files. */
  readonly reconciliationFtp?: FtpSettings;
}

/** What merchants are paid: settlement each night, its reports and files, and the files of acquirers. */
export function register(kernel: Kernel, config: SettlementConfig): Feature {
  const { store, clock, random, alerts, record, files, chargebacks, node } = kernel;
  const settlement: SettlementDeps = {
    ...{ store, clock, random, alerts },
    folder: files.reconciliation,
    bookChargebacks: () => chargebacks.round(),
    ...(record && { record }),
  };
  return {
    routes: (server) => {
      const deps = { ...kernel, settlement };
      reportRoutes(server, deps);
      reconciliationRoutes(server, deps);
      simulatorRoutes(server, deps);
    },
    inbox: [quarantinedFiles(kernel)],
    work: async (background) => {
      await importFiles(background, kernel, config);
      await openFtp(background, kernel, settlement, config);
      const nights = await startNightlySettlement(settlement, {
        run: background.watched('settlement', () => runSettlement(settlement)),
        node,
        onFault: background.faultOf('nothing was settled'),
      });
      background.endLater(nights);
    },
  };
}

/** Imports files of acquirers; nothing of it is loaded where none puts any. @throws OperatorError a mapping is wrong */
async function importFiles(background: Background, kernel: Kernel, config: SettlementConfig): Promise<void> {
  const acquirers = config.acquirers.filter(({ files }) => files !== undefined);
  if (acquirers.length === 0) return;
  const { hostFileSource } = await import('./host-files/open-host-files.js');
  const { HostFiles } = await import('./host-files/host-files.js');
  const folder = kernel.files.acquirerFiles;
  // What an earlier process had begun to import is fetched again.
  rmSync(folder, { recursive: true, force: true });
  const hostFiles = new HostFiles({ ...kernel, folder });
  for (const acquirer of acquirers) {
    const source = hostFileSource(acquirer);
    if (!source) continue;
    background.repeat({
      name: `import of files of ${acquirer.name}`,
      single: true,
      intervalMs: (acquirer.files?.everySeconds ?? 0) * 1_000,
      work: () => hostFiles.look(source),
      fault: `files of ${acquirer.name} were not imported`,
    });
  }
}

/** Opens the FTP location of the reconciliation files, where it is configured. */
async function openFtp(
  background: Background,
  { tokenKey, fingerprint, certificate, alerts }: Kernel,
  settlement: SettlementDeps,
  { reconciliationFtp: settings }: SettlementConfig,
): Promise<void> {
  if (!settings || !certificate) return;
  const { openFtpLocation } = await import('./ftp/ftp-location.js');
  const { SIGN_IN_LIMITS } = await import('./ftp/sign-in.js');
  const ftp = await openFtpLocation({
    ...settlement,
    ...{ tokenKey, fingerprint, settings },
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
