import { randomUUID } from 'node:crypto';
import type { Clock } from '@tillbridge/protocol/seams/clock.js';
import type { Random } from '@tillbridge/protocol/seams/random.js';
import type { PaymentService } from '../../core/payments/payment-service.js';
import type { Store } from '../../kernel/store/store.js';
import type { Fingerprint } from '../../security/tokens/fingerprint.js';
import type { WaitSeal } from '../../security/vault/wait-seal.js';
import { threeDSecureAddresses } from './addresses.js';
import { Authenticator } from './authenticator.js';
import { DirectoryClient } from './directory-client.js';
import { ThreeDSecureGate } from './gate.js';
import { postMessage } from './post-message.js';
import { ThreeDSecureService, type ThreeDSecureServiceOptions } from './service.js';

/** What 3D Secure is made with. */
interface ThreeDSecureParts extends Pick<ThreeDSecureServiceOptions, 'shopperPages' | 'onFault' | 'mode'> {
  /** Absent: no cardholder is authenticated. */
  readonly directoryServerUrl: string | undefined;
  /** Address of the gateway for browsers and servers; undefined until it listens. */
  readonly origin: () => string | undefined;
  readonly store: Store;
  readonly seal: WaitSeal;
  readonly fingerprint: Fingerprint;
  readonly clock: Clock;
  readonly random: Random;
}

/** 3D Secure of a gateway: the gate of payments, and the service once there is one of payments. */
export interface BuiltThreeDSecure {
  readonly gate: ThreeDSecureGate;
  readonly service: (payments: Pick<PaymentService, 'continueWaiting'>) => ThreeDSecureService;
  /** Is 3D Secure active for the entity? */
  readonly isActive: (entityId: string) => Promise<boolean>;
}

/** Builds 3D Secure; where no directory server is configured, payments of entities with 3D Secure are refused with a code that says so. */
export function buildThreeDSecure(parts: ThreeDSecureParts): BuiltThreeDSecure {
  const { directoryServerUrl: url, origin, store, seal, fingerprint, clock, random } = parts;
  const { onFault, mode, shopperPages } = parts;
  const addresses = () => {
    const base = origin();
    return base === undefined || url === undefined ? undefined : threeDSecureAddresses(base);
  };
  const newTransId = randomUUID;
  const directory = new DirectoryClient({ url: url ?? '', post: postMessage, newTransId, clock, onFault });
  const authenticator = new Authenticator({ store, directory, addresses, newTransId, clock, mode });
  return {
    gate: new ThreeDSecureGate({ authenticator, store, fingerprint, seal, clock }),
    service: (payments) =>
      new ThreeDSecureService({
        authenticator,
        addresses,
        store,
        seal,
        fingerprint,
        clock,
        random,
        mode,
        shopperPages,
        onFault,
        continuePayment: (paymentId, why) => payments.continueWaiting(paymentId, why),
      }),
    isActive: async (entityId) => (await store.get('threeDSecureSettings', [entityId]))?.active === 1,
  };
}
