import { present } from '@tillbridge/wire/present.js';
import { HttpBank } from '../../core/acquirers/internal/http-bank.js';
import { linkRecords } from '../../core/acquirers/open/link-records.js';
import { openAcquirer } from '../../core/acquirers/open/open-acquirer.js';
import { openAcquirerLinks } from '../../core/acquirers/open/open-acquirer-links.js';
import type { StandInKeeping } from '../../core/acquirers/open/open-links.js';
import { tracedAcquirer } from '../../core/acquirers/traced-acquirer.js';
import { WatchedAcquirer } from '../../core/acquirers/watched-acquirer.js';
import type { Kernel } from '../../core/feature.js';
import { Chargebacks } from '../../core/payments/chargebacks/chargebacks.js';
import { SnapshotEvents } from '../../core/payments/events/snapshot-events.js';
import type { Gate } from '../../core/payments/gates/gate.js';
import { standingGate } from '../../core/payments/gates/standing-gate.js';
import { cardOfReference } from '../../core/payments/lookup/card-of-reference.js';
import { meteredService } from '../../core/payments/metered-service.js';
import { readBinTable } from '../../core/payments/rules/bin-table.js';
import { GatewayPaymentService } from '../../core/payments/service.js';
import { SHIPPED_BIN_TABLE } from '../../core/payments/shipped-bin-table.js';
import type { PaymentContext } from '../../core/payments/steps/payment-context.js';
import { tracedService } from '../../core/payments/traced-service.js';
import { APPROVED_CODES, Registrations } from '../../core/registrations/registrations.js';
import { alertMetrics } from '../../kernel/alerts/alert-metrics.js';
import { Alerts } from '../../kernel/alerts/alerts.js';
import { BUILD_NUMBER } from '../../kernel/configuration/build-number.js';
import { ledgerPlace } from '../../kernel/data-folder/gateway-files.js';
import { readHomeTable } from '../../kernel/data-folder/home-table.js';
import { Egress } from '../../kernel/egress/egress.js';
import { egressRules as rulesOf } from '../../kernel/egress/egress-rules.js';
import { EntityEvents } from '../../kernel/events/entity-events.js';
import { currentKeySets } from '../../security/keys/device-key-sets.js';
import { loadKeyFile } from '../../security/keys/key-file.js';
import { openDataKeys } from '../../security/open-data-keys.js';
import { keyedFingerprint } from '../../security/tokens/fingerprint.js';
import { ShopperAddresses } from '../../security/tokens/shopper-addresses.js';
import { RowSeal } from '../../security/vault/row-seal.js';
import type { Vault } from '../../security/vault/vault.js';
import { AesGcmVault } from '../../security/vault/vault-aes-gcm.js';
import { WaitSeal } from '../../security/vault/wait-seal.js';
import { StoredWalletTokens } from '../../security/wallets/wallet-tokens.js';
import { FEATURES } from './features.js';
import type { Closers, Foundation } from './foundation.js';

/** What takes payments, the features that were registered at it, and what the app alone works with. */
export type OpenKernel = Awaited<ReturnType<typeof openKernel>>;

/** Builds what takes payments, from the acquirer to the service, and registers all features; `closers` gets what ends each. */
export async function openKernel(foundation: Foundation, closers: Closers) {
  const { config, files, logger, securityModule, security, metrics, tracing, store } = foundation;
  const { node, clock, random, mode, onFault, certificate, tokenKey, strangers, transport } = foundation;
  const dataKeys = await openDataKeys(securityModule, { store, random, clock });
  const fingerprint = keyedFingerprint(dataKeys.fingerprintKey);
  const rowSeal = new RowSeal(dataKeys.ring);
  const waitSeal = new WaitSeal(dataKeys.ring);
  const vault = new AesGcmVault({ dataKeys: dataKeys.ring, store, random, clock });
  const { acquirer, links, ...acquirers } = await openAcquirers(
    foundation,
    { standIn: { seal: rowSeal, fingerprint }, vault },
    closers,
  );
  const { record, opened } = acquirers;
  const alerts = new Alerts({ store, clock, log: logger });
  alertMetrics(metrics, store);
  const binTable = readHomeTable(files.binTable, readBinTable) ?? SHIPPED_BIN_TABLE;
  const shopper = new ShopperAddresses(fingerprint);
  const egressRules = rulesOf(config);
  const events = new EntityEvents(store, clock);
  const gates: Gate[] = [standingGate({ store, fingerprint, clock })];
  const context: PaymentContext = {
    ...{ acquirer, links, store, node, security, mode, clock, random, fingerprint, alerts, gates, waitSeal },
    ...{ registrationSeal: rowSeal, cardTries: config.cardTesting, onFault },
    ...present({ transfers: opened.simulator }),
    shopperPages: (paymentId) => shopper.pagesOf(paymentId),
    deviceKeySets: currentKeySets(() => security.deviceKeySets()),
    vault,
    wallets: new StoredWalletTokens({ store, dataKeys: dataKeys.ring, clock, mode }),
    events: new SnapshotEvents({
      ...{ events, random, bins: binTable, buildNumber: BUILD_NUMBER },
      sendsMail: config.mail !== undefined,
    }),
  };
  const payments = new GatewayPaymentService(context);
  closers.push(() => payments.stop());
  const logMessage = (about: object, text: string): void => logger.info(about, text);
  const kernel: Kernel = {
    ...{ files, store, node, tokenKey, clock, random, mode, logger, strangers, transport, onFault },
    ...{ fingerprint, rowSeal, waitSeal, shopper, alerts, events, binTable, egressRules },
    ...present({ certificate, record, balances: opened.balances, simulator: opened.simulator }),
    buildNumber: BUILD_NUMBER,
    egress: new Egress({ ...egressRules, clock }),
    service: tracedService(meteredService(payments, metrics, clock), tracing, logMessage),
    registrations: new Registrations({
      ...context,
      events,
      buildNumber: BUILD_NUMBER,
      approvedCode: APPROVED_CODES[mode],
    }),
    chargebacks: new Chargebacks({ context, alerts, ...present({ feed: opened.chargebacks }) }),
    threeDSecureActive: async (id) => (await store.get('threeDSecureSettings', [id]))?.active === 1,
  };
  const features = FEATURES.map((register) => register(kernel, config));
  gates.push(...features.flatMap(({ gate }) => (gate ? [gate] : [])));
  payments.startResolver(config.resolverIntervalMs);
  return { kernel, features, payments, dataKeys, acquirers };
}

/** Opens the acquirer of the gateway itself, and the links to hosts of others. */
async function openAcquirers(
  foundation: Foundation,
  { standIn, vault }: { readonly standIn: StandInKeeping; readonly vault: Vault },
  closers: Closers,
) {
  const { config, keyFiles, logger: log, security, metrics, tracing, store, node } = foundation;
  const { clock, random, mode, restore } = foundation;
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
  const {
    links,
    close: closeLinks,
    ...ofLinks
  } = await openAcquirerLinks({
    ...{ acquirers: config.acquirers, store, node, clock, security, mode, metrics, tracing, log, standIn },
    cardOf: (reference) => cardOfReference({ store, vault }, reference),
    checkpointOf: (name) => restore.linkCheckpoint(name),
  });
  closers.push(closeLinks);
  const records = [...(record ? [record] : []), ...linkRecords(config.acquirers, store)];
  return { acquirer, links, opened, record, records, ...ofLinks, watched: [acquirer, ...links.values()] };
}
