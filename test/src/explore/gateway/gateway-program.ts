import { createHash, createSecretKey } from 'node:crypto';
import type { Acquirer } from '@tillbridge/gateway/core/acquirers/acquirer.js';
import type { StreamItem } from '@tillbridge/gateway/core/bridge/backlog-machine.js';
import { DEFAULT_BRIDGE_LIMITS } from '@tillbridge/gateway/core/bridge/limits/bridge-limits.js';
import { type LiveEnvelope, MessageHandler } from '@tillbridge/gateway/core/bridge/message-handler.js';
import type { OpenSession } from '@tillbridge/gateway/core/bridge/session-machine.js';
import type { Gate } from '@tillbridge/gateway/core/payments/gates/gate.js';
import type { PaymentService } from '@tillbridge/gateway/core/payments/payment-service.js';
import type { PaymentRequest } from '@tillbridge/gateway/core/payments/rules/requests.js';
import { GatewayPaymentService } from '@tillbridge/gateway/core/payments/service.js';
import type { PaymentContext } from '@tillbridge/gateway/core/payments/steps/payment-context.js';
import { NodeLease, type Owner } from '@tillbridge/gateway/kernel/nodes/node-lease.js';
import type { Change, Store } from '@tillbridge/gateway/kernel/store/store.js';
import { newAgentRow } from '@tillbridge/gateway/security/agents/agent-row.js';
import { exampleInitialKsn } from '@tillbridge/gateway/security/module/card-example.test.support.js';
import { SoftwareSecurityModule } from '@tillbridge/gateway/security/module/software-security-module.js';
import { keyedFingerprint } from '@tillbridge/gateway/security/tokens/fingerprint.js';
import { MessageSeal } from '@tillbridge/gateway/security/vault/message-seal.js';
import { RowSeal } from '@tillbridge/gateway/security/vault/row-seal.js';
import { testKeyRing } from '@tillbridge/gateway/security/vault/testing/test-key-ring.js';
import { AesGcmVault } from '@tillbridge/gateway/security/vault/vault-aes-gcm.js';
import { WaitSeal } from '@tillbridge/gateway/security/vault/wait-seal.js';
import type { Random } from '@tillbridge/wire/seams/random.js';
import { sharedSecrets } from '../../simulation/parts/secrets.js';
import { NOW_MS, type Program, type ProgramPorts } from './replayed-process.js';

export const ENTITY = 'a'.repeat(32);
export const AGENT = 'store-1';

/** What a gateway is given to do. */
export type GatewayWork =
  | { readonly kind: 'live'; readonly envelope: LiveEnvelope; readonly session: OpenSession }
  | {
      readonly kind: 'stream';
      readonly envelope: StreamItem;
      readonly session: OpenSession;
      /** It has blocked its stream for as long as it may. */
      readonly isOverdue?: true;
    }
  /** A round of the resolver. */
  | { readonly kind: 'resolve' };

/** Where a deliberate bug may stand: between the gateway's code and what it stands on. */
export interface GatewaySeams {
  readonly store?: (store: Store) => Store;
  readonly acquirer?: (acquirer: Acquirer) => Acquirer;
  readonly paymentService?: (service: PaymentService) => PaymentService;
  readonly owner?: (owner: Owner) => Owner;
  readonly gate?: (gate: Gate) => Gate;
}

const FINGERPRINT = keyedFingerprint(createSecretKey(Buffer.alloc(32, 3)));
const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };
const SECURITY = new SoftwareSecurityModule(sharedSecrets().keys);
/** Of payments over REST. */
const CARD = {
  number: '4200000000000000',
  expiryMonth: '12',
  expiryYear: '2031',
  cvv: '123',
  holder: 'Jane Jones',
};

/** A part that no explored request needs. */
function unused<T extends object>(what: string): T {
  return new Proxy({} as T, {
    get: () => {
      throw new Error(`${what} is not explored`);
    },
  });
}

/** Bytes that follow from a name and from how many were taken: the same in every replay. */
export class NamedRandom implements Random {
  readonly #name: string;
  #taken = 0;

  constructor(name: string) {
    this.#name = name;
  }

  bytes(length: number): Uint8Array {
    this.#taken += 1;
    return createHash('sha512').update(`${this.#name} ${this.#taken}`).digest().subarray(0, length);
  }
}

/** What a payment service of the product works with, on the given ports. */
export function paymentContext(
  { store, acquirer, clock }: Omit<ProgramPorts, 'link'>,
  random: Random,
  node?: Owner,
): PaymentContext {
  const dataKeys = testKeyRing(createSecretKey(Buffer.alloc(32, 2)), random);
  return {
    store,
    acquirer,
    ...(node && { node }),
    security: SECURITY,
    deviceKeySets: () => SECURITY.deviceKeySets(),
    vault: new AesGcmVault({ dataKeys, store, random, clock }),
    waitSeal: new WaitSeal(dataKeys),
    registrationSeal: new RowSeal(dataKeys),
    wallets: unused('a wallet'),
    fingerprint: FINGERPRINT,
    clock,
    random,
    alerts: { raise: async () => undefined },
    events: { of: async () => () => [] },
    onFault: () => undefined,
  };
}

/** One gateway that agents and merchants reach: message handler and payment service of the product. */
export function gatewayProgram(name: string, seams: GatewaySeams = {}): Program<GatewayWork> {
  return ({ store: given, acquirer: line, clock }) => {
    const store = seams.store?.(given) ?? given;
    const acquirer = seams.acquirer?.(line) ?? line;
    const random = new NamedRandom(name);
    const own = new GatewayPaymentService(paymentContext({ store, acquirer, clock }, random));
    const service = seams.paymentService?.(own) ?? own;
    const handler = new MessageHandler({
      service,
      store,
      clock,
      log: SILENT,
      seal: new MessageSeal(testKeyRing(createSecretKey(Buffer.alloc(32, 2)), random)),
      limits: {
        ...DEFAULT_BRIDGE_LIMITS,
        get streamBlockMs() {
          return isOverdue ? 0 : DEFAULT_BRIDGE_LIMITS.streamBlockMs;
        },
      },
    });
    let isOverdue = false;
    return (work) => {
      switch (work.kind) {
        case 'live':
          return handler.live(work.envelope, work.session);
        case 'stream':
          isOverdue = work.isOverdue === true;
          return handler.stream(work.envelope, work.session, false);
        case 'resolve':
          return own.resolveOpen();
      }
    };
  };
}

/** What one of several nodes is given to do. */
export type NodeWork =
  | { readonly kind: 'boot'; readonly count: number }
  | { readonly kind: 'resolve' }
  | { readonly kind: 'pay'; readonly paymentId: string };

/** One of several nodes on a database: the lease and the payment service of the product. */
export function nodeProgram(name: string, seams: GatewaySeams = {}): Program<NodeWork> {
  return ({ store: given, acquirer, clock }) => {
    const store = seams.store?.(given) ?? given;
    const random = new NamedRandom(name);
    const onFault = () => undefined;
    let service: Promise<GatewayPaymentService> | undefined;
    const boot = async (): Promise<GatewayPaymentService> => {
      const lease = await NodeLease.begin({ store, clock, random, isSingleNode: false, onFault });
      const owner = seams.owner?.(lease) ?? lease;
      return new GatewayPaymentService(paymentContext({ store, acquirer, clock }, random, owner));
    };
    return async (work) => {
      service ??= boot();
      const booted = await service;
      switch (work.kind) {
        case 'boot':
          return 'booted';
        case 'resolve':
          return booted.resolveOpen();
        case 'pay':
          return booted.authorize(restPayment(work.paymentId));
      }
    };
  };
}

/** A payment over REST whose id was given out before, as with an idempotency key. */
export function restPayment(paymentId: string): PaymentRequest {
  return {
    origin: { kind: 'rest', entityId: ENTITY, paymentId },
    type: 'DB',
    amount: { minor: 1_234, currency: 'EUR' },
    card: CARD,
  };
}

/** What the database holds on the first day. */
export const FIRST_DAY: readonly Change[] = [
  {
    op: 'insert',
    table: 'entities',
    row: {
      id: ENTITY,
      kind: 'merchant',
      parentId: null,
      name: 'Store',
      compatibility: 'specification',
      createdAtMs: NOW_MS,
      version: 1,
    },
  },
  {
    op: 'insert',
    table: 'agents',
    row: newAgentRow({ id: AGENT, entityId: ENTITY, publicKey: 'key', terminals: ['1', '2'] }, NOW_MS),
  },
  device(1),
  device(2),
];

/** The device of a terminal. */
function device(terminal: 1 | 2): Change {
  return {
    op: 'insert',
    table: 'devices',
    row: {
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
    },
  };
}
