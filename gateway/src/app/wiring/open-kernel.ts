import { present } from '@tillbridge/protocol/present.js';
import { HttpBank } from '../../core/acquirers/internal/http-bank.js';
import { linkRecords } from '../../core/acquirers/open/link-records.js';
import { openAcquirer } from '../../core/acquirers/open/open-acquirer.js';
import { openAcquirerLinks } from '../../core/acquirers/open/open-acquirer-links.js';
import type { StandInKeeping } from '../../core/acquirers/open/open-links.js';
import { tracedAcquirer } from '../../core/acquirers/traced-acquirer.js';
import { WatchedAcquirer } from '../../core/acquirers/watched-acquirer.js';
import { SnapshotEvents } from '../../core/payments/events/snapshot-events.js';
import { standingGate } from '../../core/payments/gates/standing-gate.js';
import { meteredService } from '../../core/payments/metered-service.js';
import { type BinTable, findBin } from '../../core/payments/rules/bin-table.js';
import { GatewayPaymentService } from '../../core/payments/service.js';
import type { PaymentContext } from '../../core/payments/steps/payment-context.js';
import { tracedService } from '../../core/payments/traced-service.js';
import type { RiskCheckParts } from '../../features/risk/risk-check.js';
import { riskGate } from '../../features/risk/risk-gate.js';
import { HttpScreening } from '../../features/risk/screening.js';
import { buildThreeDSecure } from '../../features/three-d-secure/build.js';
import { alertMetrics } from '../../kernel/alerts/alert-metrics.js';
import { Alerts } from '../../kernel/alerts/alerts.js';
import { BUILD_NUMBER } from '../../kernel/configuration/build-number.js';
import { ledgerPlace } from '../../kernel/data-folder/gateway-files.js';
import { Egress } from '../../kernel/egress/egress.js';
import { egressRules } from '../../kernel/egress/egress-rules.js';
import { EntityEvents } from '../../kernel/events/entity-events.js';
import { currentKeySets } from '../../security/keys/device-key-sets.js';
import { loadKeyFile } from '../../security/keys/key-file.js';
import { openDataKeys } from '../../security/open-data-keys.js';
import { keyedFingerprint } from '../../security/tokens/fingerprint.js';
import { ShopperAddresses } from '../../security/tokens/shopper-addresses.js';
import { RowSeal } from '../../security/vault/row-seal.js';
import { AesGcmVault } from '../../security/vault/vault-aes-gcm.js';
import { WaitSeal } from '../../security/vault/wait-seal.js';
import { StoredWalletTokens } from '../../security/wallets/wallet-tokens.js';
import { readHomeTables } from '../configuration/home-tables.js';
import type { Closers, Foundation } from './foundation.js';

/** What takes payments, and what it works with. */
export type PaymentParts = Awaited<ReturnType<typeof buildPayments>>;

/** Builds what takes payments, from the acquirer to the service; `closers` gets what ends each. */
export async function buildPayments(foundation: Foundation, closers: Closers) {
  const { config, files, logger, securityModule, metrics, tracing, store } = foundation;
  const { clock, random, mode, onFault } = foundation;
  const dataKeys = await openDataKeys(securityModule, { store, random, clock });
  const fingerprint = keyedFingerprint(dataKeys.fingerprintKey);
  const rowSeal = new RowSeal(dataKeys.ring);
  const { acquirer, links, compareTotals, linkCauses, opened, record, records, watched } =
    await openAcquirers(foundation, { seal: rowSeal, fingerprint }, closers);
  const alerts = new Alerts({ store, clock, log: logger });
  alertMetrics(metrics, store);
  const tables = readHomeTables(files);
  const bins = tables.binTable;
  const shopper = new ShopperAddresses(fingerprint);
  const waitSeal = new WaitSeal(dataKeys.ring);
  const shopperPages = (paymentId: string) => shopper.pagesOf(paymentId);
  const threeDSecure = buildThreeDSecure({
    directoryServerUrl: config.directoryServerUrl,
    origin: () => shopper.origin,
    shopperPages,
    store,
    seal: waitSeal,
    fingerprint,
    clock,
    random,
    mode,
    onFault,
  });
  const egress = new Egress({ ...egressRules(config), clock });
  const risk = riskParts(foundation, { egress, bins, fingerprint, countryOfIp: tables.ipCountries });
  const events = new EntityEvents(store, clock);
  const paymentContext = contextOf(foundation, {
    ...{ acquirer, links, dataKeys, rowSeal, waitSeal, shopperPages, fingerprint, alerts, events, bins },
    // A person reviews what is left to decide once the shopper has done their part.
    gates: [standingGate({ store, fingerprint, clock }), threeDSecure.gate, riskGate(risk)],
    ...present({ transfers: opened.simulator }),
  });
  const payments = new GatewayPaymentService(paymentContext);
  closers.push(() => payments.stop());
  payments.startResolver(config.resolverIntervalMs);
  const logMessage = (about: object, text: string): void => logger.info(about, text);
  const service = tracedService(meteredService(payments, metrics, clock), tracing, logMessage);
  return {
    opened,
    record,
    records,
    compareTotals,
    watched,
    linkCauses,
    dataKeys,
    alerts,
    fingerprint,
    tables,
    shopper,
    rowSeal,
    threeDSecure,
    egress,
    risk,
    events,
    paymentContext,
    payments,
    service,
  };
}

/** What the steps of payments work with. */
function contextOf(
  { config, security, store, node, clock, random, mode, onFault }: Foundation,
  {
    dataKeys,
    rowSeal,
    events,
    bins,
    ...parts
  }: Pick<
    PaymentContext,
    'acquirer' | 'links' | 'waitSeal' | 'shopperPages' | 'fingerprint' | 'alerts' | 'gates' | 'transfers'
  > & {
    readonly dataKeys: Awaited<ReturnType<typeof openDataKeys>>;
    readonly rowSeal: RowSeal;
    readonly events: EntityEvents;
    readonly bins: BinTable;
  },
): PaymentContext {
  return {
    ...{ ...parts, store, node, security, mode, clock, random, onFault },
    deviceKeySets: currentKeySets(() => security.deviceKeySets()),
    vault: new AesGcmVault({ dataKeys: dataKeys.ring, store, random, clock }),
    registrationSeal: rowSeal,
    wallets: new StoredWalletTokens({ store, dataKeys: dataKeys.ring, clock, mode }),
    cardTries: config.cardTesting,
    events: new SnapshotEvents({
      events,
      random,
      bins,
      buildNumber: BUILD_NUMBER,
      sendsMail: config.mail !== undefined,
    }),
  };
}

/** Opens the acquirer of the gateway itself, and the links to hosts of others. */
async function openAcquirers(foundation: Foundation, standIn: StandInKeeping, closers: Closers) {
  const { config, files, keyFiles, logger: log, security, metrics, tracing, store, node } = foundation;
  const { clock, random, mode } = foundation;
  const { record, close, ...opened } = await openAcquirer(mode, () => ({
    ...ledgerPlace(config),
    hashKey: loadKeyFile(keyFiles.internalAcquirerKey),
    security,
    clock,
    random,
    ...(config.simulatedBankUrl !== undefined && { bank: new HttpBank(config.simulatedBankUrl) }),
  }));
  closers.push(close);
  const acquirer = new WatchedAcquirer(tracedAcquirer(opened.acquirer, tracing), clock);
  const { acquirers } = config;
  const {
    links,
    compareTotals,
    causes: linkCauses,
    close: closeLinks,
  } = await openAcquirerLinks({
    ...{ acquirers, store, node, clock, security, mode, metrics, tracing, log, standIn },
    checkpoints: files.linkCheckpoints,
  });
  closers.push(closeLinks);
  const records = [...(record ? [record] : []), ...linkRecords(acquirers, store)];
  const watched = [acquirer, ...links.values()];
  return { acquirer, links, compareTotals, linkCauses, opened, record, records, watched };
}

function riskParts(
  { config, store, clock, onFault }: Foundation,
  {
    egress,
    bins,
    ...parts
  }: Pick<RiskCheckParts, 'fingerprint' | 'countryOfIp'> & {
    readonly egress: Egress;
    readonly bins: BinTable;
  },
): RiskCheckParts {
  const { screening } = config;
  return {
    ...parts,
    store,
    clock,
    countryOf: (bin) => findBin(bins, bin)?.country,
    ...(screening && {
      screening: {
        service: new HttpScreening({ ...screening, egress, onFault }),
        whenSilent: screening.whenSilent,
      },
    }),
  };
}
