import { createSecretKey } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { nameOf } from '../../app/ledger-check/difference.js';
import { InvariantCheck } from '../../app/ledger-check/invariant-check.js';
import type { RiskCheckDeps } from '../../features/risk/risk-check.js';
import { riskGate } from '../../features/risk/risk-gate.js';
import { ThreeDSecureGate } from '../../features/three-d-secure/gate.js';
import { authenticatorOf } from '../../features/three-d-secure/register.js';
import { Alerts } from '../../kernel/alerts/alerts.js';
import { EntityEvents } from '../../kernel/events/entity-events.js';
import type { DeviceRow, Rows, TableName } from '../../kernel/store/rows.js';
import { SqliteStore } from '../../kernel/store/sqlite-store.js';
import {
  type Change,
  type CountedRange,
  type FindOptions,
  type Found,
  type Key,
  type Range,
  type Store,
  StoreUnavailableError,
} from '../../kernel/store/store.js';
import { MemoryStore } from '../../kernel/store/testing/memory-store.js';
import { newAgentRow } from '../../security/agents/agent-row.js';
import { exampleInitialKsn } from '../../security/module/card-example.test.support.js';
import { SoftwareSecurityModule } from '../../security/module/software-security-module.js';
import { openDevelopmentKeyStore, temporaryHome } from '../../security/test-keys.test.support.js';
import { keyedFingerprint } from '../../security/tokens/fingerprint.js';
import { ShopperAddresses } from '../../security/tokens/shopper-addresses.js';
import { KeyEncryptionKeys } from '../../security/vault/key-encryption-keys.js';
import { RowSeal } from '../../security/vault/row-seal.js';
import { StoredDataKeys } from '../../security/vault/stored-data-keys.js';
import type { DataKeys } from '../../security/vault/vault.js';
import { AesGcmVault } from '../../security/vault/vault-aes-gcm.js';
import { WaitSeal } from '../../security/vault/wait-seal.js';
import { StoredWalletTokens } from '../../security/wallets/wallet-tokens.js';
import {
  type Acquirer,
  type AcquirerAnswer,
  type AcquirerRequest,
  type AcquirerStatus,
  type AcquirerTransaction,
  AcquirerUnreachableError,
} from '../acquirers/acquirer.js';
import { BankInProcess } from '../acquirers/internal/bank-in-process.test.support.js';
import { InternalAcquirer } from '../acquirers/internal/internal-acquirer.js';
import { SnapshotEvents } from './events/snapshot-events.js';
import { standingGate } from './gates/standing-gate.js';
import { HarnessClock } from './harness-clock.test.support.js';
import { DEFAULT_CARD_TRY_LIMITS } from './policy/card-tries.js';
import type { BridgeOrigin, FollowUpRequest, PaymentRequest } from './rules/requests.js';
import { GatewayPaymentService } from './service.js';
import { SHIPPED_BIN_TABLE } from './shipped-bin-table.js';
import type { PaymentContext } from './steps/payment-context.js';

export const ENTITY = 'a'.repeat(32);
export const OTHER_ENTITY = 'b'.repeat(32);
export const AGENT = 'store-1';
export const NOW_MS = Date.UTC(2026, 10, 20, 12);
export const VISA = '4200000000000000';
export const MASTERCARD_DECLINED = '5200000000001013';

/** The line to the acquirer, which can break: the acquirer behind it is the real one. */
class AcquirerLine implements Acquirer {
  readonly name: string;
  /** What happens to the next sends: nothing, request lost, answer lost. */
  fault: 'none' | 'request-lost' | 'answer-lost' = 'none';
  /** Nothing at all goes through. */
  cut = false;
  /** Requests wait here until it resolves. */
  gate: Promise<void> = Promise.resolve();
  /** Runs when a request has come. */
  onSend: () => void = () => undefined;
  sent: AcquirerRequest[] = [];
  readonly #acquirer: InternalAcquirer;

  constructor(acquirer: InternalAcquirer) {
    this.name = acquirer.name;
    this.#acquirer = acquirer;
  }

  async send(request: AcquirerRequest): Promise<AcquirerAnswer> {
    this.sent.push(request);
    this.onSend();
    const { fault } = this;
    if (request.kind !== 'reversal') this.fault = 'none';
    await this.gate;
    if (this.cut || (fault === 'request-lost' && request.kind !== 'reversal')) throw unreachable();
    const answer = await this.#acquirer.send(request);
    if (fault === 'answer-lost') throw unreachable();
    return answer;
  }

  async status(acquirerReference: string): Promise<AcquirerStatus> {
    if (this.cut) throw unreachable();
    return this.#acquirer.status(acquirerReference);
  }
}

const unreachable = () => new AcquirerUnreachableError('the line is cut');

/** A service with a store in memory and the real INTERNAL acquirer behind a line that can break. */
export interface PaymentHarness {
  readonly store: Store;
  /** Its folder; gone with the harness. */
  readonly home: string;
  readonly line: AcquirerLine;
  /** Where shoppers approve what is no card payment. */
  readonly bank: BankInProcess;
  /** Addresses of the pages for shoppers. */
  readonly shopper: ShopperAddresses;
  readonly clock: HarnessClock;
  readonly context: PaymentContext;
  readonly faults: string[];
  readonly alerts: Alerts;
  /** What payments are checked with; a test may add a screening. */
  readonly risk: { -readonly [Part in keyof RiskCheckDeps]: RiskCheckDeps[Part] };
  /** Makes the events for merchants. */
  readonly events: EntityEvents;
  /** Seals what rests in the store. */
  readonly dataKeys: DataKeys;
  service: GatewayPaymentService;
  /** The test makes payments, answers and acquirer differ on purpose; all others end with a comparison. */
  mayDiffer: boolean;
  /** The process died and came back: a new service on the same store. */
  restart(): void;
  /** The acquirer's own record, part by part and as it shows it. */
  readonly record: InternalAcquirer;
  transactions(): Promise<readonly AcquirerTransaction[]>;
  dispose(): Promise<void>;
}

/** The engines that the service must work on: SQLite alone knows the constraints of the schema. */
export const ENGINES = (['memory', 'sqlite'] as const).filter(isWanted);

/** A run that must be short names the engines that it wants: `TILLBRIDGE_ENGINES=memory`. */
function isWanted(engine: string): boolean {
  return process.env.TILLBRIDGE_ENGINES?.split(',').includes(engine) ?? true;
}

/** A store of the harness, in its home. */
export type MakeStore = (home: string) => Store | Promise<Store>;

/** Makes a store of the named engine. */
export function storeOf(engine: (typeof ENGINES)[number]): MakeStore {
  return engine === 'memory' ? () => new MemoryStore() : (home) => SqliteStore.open(join(home, 'gateway.db'));
}

/** A store whose disk fails on demand (what was committed stays), and that lets others in before a commit. */
export class FailingStore implements Store {
  failWhen: (changes: readonly Change[]) => boolean = () => false;
  /** Runs before each commit, such as another process that is faster. */
  beforeCommit: (changes: readonly Change[]) => Promise<void> = async () => undefined;
  /** Runs when a commit is stored, before its caller learns of it. */
  afterCommit: (changes: readonly Change[]) => Promise<void> = async () => undefined;
  /** Runs before each read of a row. */
  beforeGet: (table: TableName) => Promise<void> = async () => undefined;
  /** Runs before each search of rows by an index. */
  beforeFind: (table: TableName) => Promise<void> = async () => undefined;
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async commit(changes: readonly Change[]): Promise<void> {
    if (this.failWhen(changes))
      throw new StoreUnavailableError('disk-full', 'the disk of the database is full');
    await this.beforeCommit(changes);
    await this.#store.commit(changes);
    await this.afterCommit(changes);
  }

  async get<T extends TableName>(table: T, key: Key): Promise<Rows[T] | undefined> {
    await this.beforeGet(table);
    return this.#store.get(table, key);
  }

  async find<T extends TableName>(table: T, index: string, values: Key, options?: FindOptions): Found<T> {
    await this.beforeFind(table);
    return this.#store.find(table, index, values, options);
  }

  findRange<T extends TableName>(table: T, index: string, range: Range<T>): Found<T> {
    return this.#store.findRange(table, index, range);
  }

  countRange<T extends TableName>(table: T, index: string, range: CountedRange<T>): Promise<number> {
    return this.#store.countRange(table, index, range);
  }

  findAfter<T extends TableName>(table: T, after: Key | undefined, options?: FindOptions): Found<T> {
    return this.#store.findAfter(table, after, options);
  }

  async check(): Promise<void> {
    if (this.failWhen([])) throw new StoreUnavailableError('disk-full', 'the disk of the database is full');
    return this.#store.check();
  }

  close(): Promise<void> {
    return this.#store.close();
  }
}

/** Opens the harness with two entities and one agent of epoch 1. */
export async function openPaymentHarness(makeStore: MakeStore = storeOf('memory')): Promise<PaymentHarness> {
  const home = temporaryHome();
  const clock = new HarnessClock(NOW_MS);
  const random = systemRandom;
  const keys = openDevelopmentKeyStore(home);
  const security = new SoftwareSecurityModule(keys);
  const hashKey = createSecretKey(Buffer.alloc(32, 1));
  const bank = new BankInProcess();
  const acquirer = await InternalAcquirer.open({
    file: join(home, 'acquirer.db'),
    hashKey,
    security,
    clock,
    random,
    bank,
  });
  const line = new AcquirerLine(acquirer);
  const store = await makeStore(home);
  await store.commit(SEED);
  const keks = new KeyEncryptionKeys(keys, random);
  const dataKeys = await StoredDataKeys.open({ store, keks, random, clock });
  const vault = new AesGcmVault({ dataKeys: dataKeys.ring, store, random, clock });
  const faults: string[] = [];
  const alerts = new Alerts({ store, clock, log: QUIET });
  const fingerprint = keyedFingerprint(dataKeys.fingerprintKey);
  const shopper = new ShopperAddresses(fingerprint, 'https://gateway.example');
  const risk: PaymentHarness['risk'] = {
    store,
    fingerprint,
    clock,
    countryOf: () => undefined,
    countryOfIp: () => undefined,
  };
  const events = new EntityEvents(store, clock);
  const waitSeal = new WaitSeal(dataKeys.ring);
  const shopperPages = (paymentId: string) => shopper.pagesOf(paymentId);
  // Without a directory server no cardholder is authenticated; proofs that requests bring along are checked.
  const onFault = (what: string) => void faults.push(what);
  const { authenticator } = authenticatorOf({ store, clock, mode: 'test', shopper, onFault }, undefined);
  const threeDSecure = new ThreeDSecureGate({ authenticator, store, fingerprint, seal: waitSeal, clock });
  const context: PaymentContext = {
    store,
    acquirer: line,
    transfers: acquirer,
    security,
    deviceKeySets: () => security.deviceKeySets(),
    vault,
    waitSeal,
    registrationSeal: new RowSeal(dataKeys.ring),
    wallets: new StoredWalletTokens({ store, dataKeys: dataKeys.ring, clock, mode: 'test' }),
    fingerprint,
    gates: [standingGate({ store, fingerprint, clock }), threeDSecure, riskGate(risk)],
    cardTries: DEFAULT_CARD_TRY_LIMITS,
    shopperPages,
    clock,
    random,
    alerts,
    events: new SnapshotEvents({
      events,
      random,
      bins: SHIPPED_BIN_TABLE,
      buildNumber: 'test',
    }),
    onFault,
  };
  const harness: PaymentHarness = {
    store,
    events,
    home,
    line,
    bank,
    shopper,
    clock,
    context,
    alerts,
    risk,
    dataKeys: dataKeys.ring,
    faults,
    service: new GatewayPaymentService(context),
    mayDiffer: false,
    restart: () => {
      harness.service = new GatewayPaymentService(context);
    },
    record: acquirer,
    transactions: () => acquirer.transactions(),
    dispose: async () => {
      await harness.service.stop();
      const differences = harness.mayDiffer ? [] : await differencesOf(harness);
      await acquirer.close();
      await store.close();
      rmSync(home, { recursive: true, force: true });
      if (differences.length > 0) throw new Error(`the test left differences: ${differences.join('; ')}`);
    },
  };
  return harness;
}

/** A log without output. */
export const QUIET = { info: () => undefined, warn: () => undefined, error: () => undefined };

async function differencesOf({ store, record, clock }: PaymentHarness): Promise<string[]> {
  const check = new InvariantCheck({ store, records: [record], clock, log: QUIET });
  await check.full();
  return check.known.list().map(({ kind, subject, detail }) => `${kind} ${nameOf(subject)} ${detail}`);
}

/** Number of the example device of MagTek; it is at terminal 1, as the one of that number. */
export const MAGTEK = 9;

const SEED: readonly Change[] = [
  ...[ENTITY, OTHER_ENTITY].map(
    (id): Change => ({
      op: 'insert',
      table: 'entities',
      row: {
        id,
        kind: 'merchant',
        parentId: null,
        name: id,
        compatibility: 'specification',
        createdAtMs: NOW_MS,
        version: 1,
      },
    }),
  ),
  {
    op: 'insert',
    table: 'agents',
    row: {
      ...newAgentRow({ id: AGENT, entityId: ENTITY, publicKey: 'key', terminals: ['1'] }, NOW_MS),
      epoch: 1,
    },
  },
  ...[
    exampleDevice(1),
    exampleDevice(2),
    exampleDevice(MAGTEK, { deviceType: 'MAGTEK_DYNAFLEX', pinKsn: null, terminalId: '1' }),
  ].map((row): Change => ({ op: 'insert', table: 'devices', row })),
];

/** An active device at a terminal of the agent, with the keys of the examples. */
export function exampleDevice(terminal: number, overrides: Partial<DeviceRow> = {}): DeviceRow {
  return {
    serial: `S${terminal}`,
    deviceType: 'GERTEC_PPC930',
    accountKsn: exampleInitialKsn(terminal),
    pinKsn: exampleInitialKsn(terminal, 'pin'),
    entityId: ENTITY,
    agentId: AGENT,
    terminalId: String(terminal),
    state: 'active',
    stateSinceMs: NOW_MS,
    highestCounter: 0,
    forgottenCounter: 0,
    unknownCounter: 0,
    createdAtMs: NOW_MS,
    version: 1,
    ...overrides,
  };
}

/** A message of the agent. */
export function message(messageId: string, sequence = 0, epoch = 1): BridgeOrigin {
  return {
    kind: 'bridge',
    agentId: AGENT,
    messageId,
    terminalId: '1',
    sequence,
    epoch,
    provenAtMs: NOW_MS,
    entityId: ENTITY,
  };
}

/** A REST payment of EUR 12.34 with a good card. */
export function restPayment(overrides: Partial<PaymentRequest> = {}): PaymentRequest {
  return {
    origin: { kind: 'rest', entityId: ENTITY },
    type: 'PA',
    amount: { minor: 1_234, currency: 'EUR' },
    card: { number: VISA, expiryMonth: '12', expiryYear: '2031', cvv: '123', holder: 'Jane Jones' },
    ...overrides,
  };
}

/** A till's sale with a typed card. */
export function tillSale(
  messageId: string,
  reference: string,
  overrides: Partial<PaymentRequest> = {},
): PaymentRequest {
  return restPayment({ origin: message(messageId), type: 'DB', reference, ...overrides });
}

/** A REST payment of EUR 12.34 that its shopper approves at the bank. */
export function bankPayment(overrides: Partial<PaymentRequest> = {}): PaymentRequest {
  const { card: _, ...payment } = restPayment({
    type: 'DB',
    instrument: { kind: 'virtual-account', brand: 'PAYPAL', accountId: 'jane@example.com' },
    shopperResultUrl: 'https://shop.example/done',
  });
  return { ...payment, ...overrides };
}

/** A follow-up over REST. */
export function followUp(
  type: FollowUpRequest['type'],
  paymentId: string | undefined,
  minor?: number,
): FollowUpRequest {
  return {
    origin: { kind: 'rest', entityId: ENTITY },
    type,
    target: { by: 'payment', paymentId: paymentId ?? 'none' },
    ...(minor !== undefined && { amount: { minor, currency: 'EUR' } }),
  };
}

/** A till's reversal of an earlier message, in its terminal's stream. */
export function tillReversal(messageId: string, originalId: string, sequence = 1): FollowUpRequest {
  return {
    origin: message(messageId, sequence),
    type: 'RV',
    target: { by: 'message', messageId: originalId },
    amount: { minor: 1_234, currency: 'EUR' },
  };
}
