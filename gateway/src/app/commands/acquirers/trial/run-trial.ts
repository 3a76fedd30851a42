import { configuredDialect } from '@tillbridge/platform/config/dialect-section.js';
import { HomeInUseError } from '@tillbridge/platform/home-lock.js';
import type { Money } from '@tillbridge/wire/payment/money.js';
import type { AcquirerCard, AcquirerMerchant } from '../../../../core/acquirers/acquirer.js';
import type { AcquirerConfig } from '../../../../core/acquirers/configuration/acquirer-section.js';
import { tappedHost } from '../../../../core/acquirers/iso8583/trial/tapped-host.js';
import { runTrial } from '../../../../core/acquirers/iso8583/trial/trial.js';
import { hostConnectors, openLink } from '../../../../core/acquirers/open/open-links.js';
import { acquirerRouting } from '../../../../core/entities/acquirer-routing.js';
import { requireEntity } from '../../../../core/entities/entities.js';
import { cardOfReference } from '../../../../core/payments/lookup/card-of-reference.js';
import { withAudit } from '../../../../kernel/audit/audit.js';
import { operatorName } from '../../../../kernel/audit/operator-name.js';
import { OperatorError } from '../../../../kernel/errors/operator-error.js';
import { newId } from '../../../../kernel/store/new-id.js';
import type { Store } from '../../../../kernel/store/store.js';
import { openDataKeys } from '../../../../security/open-data-keys.js';
import { keyedFingerprint } from '../../../../security/tokens/fingerprint.js';
import { RowSeal } from '../../../../security/vault/row-seal.js';
import { AesGcmVault } from '../../../../security/vault/vault-aes-gcm.js';
import type { GatewayConfig } from '../../../configuration/config.js';
import { type Closers, closeInOrder, type Foundation, openFoundation } from '../../../wiring/foundation.js';
import type { TrialReport } from './trial-report.js';

/** What is tried, and by whose merchant. */
export interface WantedTrial {
  readonly acquirer: AcquirerConfig;
  readonly entity: string;
  readonly amount: Money;
  readonly card: AcquirerCard;
}

/** How a trial ended. */
export interface TrialEnd {
  /** Acquirer reference of the sale. */
  readonly reference: string;
  readonly hasPassed: boolean;
}

/**
 * Tries a link as the gateway of the home would use it: in its place, on its journal, numbers and keys. The command is on record.
 * @throws OperatorError the gateway of the home runs; the entity has no route to the acquirer; and as {@link openFoundation}
 */
export async function tryLink(
  config: GatewayConfig,
  wanted: WantedTrial,
  report: TrialReport,
): Promise<TrialEnd> {
  const closers: Closers = [];
  try {
    const foundation = await openHere(config, closers);
    const { store, clock, random } = foundation;
    const merchant = await merchantOf(store, wanted);
    const { acquirer, amount } = wanted;
    const detail = { entity: wanted.entity, minor: amount.minor, currency: amount.currency };
    const entry = { actor: operatorName(), action: 'acquirer try', subject: acquirer.name, detail };
    return await withAudit({ store, clock, random }, entry, () =>
      tryOn(foundation, { ...wanted, merchant }, report),
    );
  } finally {
    await closeInOrder(closers);
  }
}

async function openHere(config: GatewayConfig, closers: Closers): Promise<Foundation> {
  try {
    return await openFoundation(
      { ...config, log: { ...config.log, level: 'error', target: 'stderr' } },
      closers,
    );
  } catch (error) {
    if (error instanceof HomeInUseError)
      throw new OperatorError(
        `the gateway of ${config.home} runs and uses this link: stop it, try, and start it again`,
      );
    throw error;
  }
}

/** The merchant of the first route to the acquirer for the currency. @throws OperatorError there is none */
async function merchantOf(
  store: Store,
  { acquirer, entity, amount }: WantedTrial,
): Promise<AcquirerMerchant> {
  const { parentId } = await requireEntity(store, entity);
  const own = await acquirerRouting(store, entity);
  const isOfMerchant = own.routes.length === 0 && parentId !== null;
  const { routes } = isOfMerchant ? await acquirerRouting(store, parentId) : own;
  const route = routes.find(
    ({ acquirer: name, currencies }) =>
      name === acquirer.name && (currencies === undefined || currencies.includes(amount.currency)),
  );
  if (route) return route.merchant;
  throw new OperatorError(
    `${entity} has no route to ${acquirer.name} for ${amount.currency}: set one with “acquirer routing”`,
  );
}

async function tryOn(
  { store, node, clock, random, security, securityModule, mode, restore }: Foundation,
  { acquirer, amount, card, merchant }: WantedTrial & { readonly merchant: AcquirerMerchant },
  report: TrialReport,
): Promise<TrialEnd> {
  const dataKeys = await openDataKeys(securityModule, { store, random, clock });
  const seal = new RowSeal(dataKeys.ring);
  const vault = new AesGcmVault({ dataKeys: dataKeys.ring, store, random, clock });
  const { line } = configuredDialect(acquirer.dialect, acquirer.dialectChanges);
  const link = await openLink(
    { ...acquirer, connections: 1 },
    {
      ...{ store, node, clock, security, mode },
      standIn: { seal, fingerprint: keyedFingerprint(dataKeys.fingerprintKey) },
      cardOf: (reference) => cardOfReference({ store, vault }, reference),
      checkpointOf: (name) => restore.linkCheckpoint(name),
      observerOf: () => report.link,
    },
    hostConnectors(acquirer).map((connect) => tappedHost(connect, line, report)),
  );
  const reference = newId(random);
  const { acquirerId } = acquirer;
  try {
    const hasPassed = await runTrial(link.trial, { reference, amount, card, merchant, acquirerId }, report);
    return { reference, hasPassed };
  } finally {
    report.begins('sign-off');
    await link.close();
  }
}
