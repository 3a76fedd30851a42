import { randomUUID as newTransId } from 'node:crypto';
import type { Feature, Kernel } from '../../core/feature.js';
import { threeDSecureAddresses } from './addresses.js';
import { Authenticator } from './authenticator.js';
import { DirectoryClient } from './directory-client.js';
import { ThreeDSecureGate } from './gate.js';
import { postMessage } from './post-message.js';
import { threeDSecureBrowserRoutes } from './routes/browser-routes.js';
import { threeDSecureRoutes } from './routes/routes.js';
import { ThreeDSecureService } from './service.js';

const DAY_MS = 24 * 3_600_000;

/** 3D Secure: cardholders are authenticated before the authorization, or without a payment. */
export function register(
  kernel: Kernel,
  { directoryServerUrl }: { readonly directoryServerUrl?: string },
): Feature {
  const { store, waitSeal: seal, fingerprint, clock, random, mode, shopper, service, onFault } = kernel;
  const { authenticator, addresses } = authenticatorOf(kernel, directoryServerUrl);
  const threeDSecure = new ThreeDSecureService({
    ...{ authenticator, addresses, store, seal, fingerprint, clock, random, mode, onFault },
    shopperPages: (paymentId) => shopper.pagesOf(paymentId),
    continuePayment: (paymentId, why) => service.continueWaiting(paymentId, why),
  });
  return {
    gate: new ThreeDSecureGate({ authenticator, store, fingerprint, seal, clock }),
    routes: (server) => {
      threeDSecureRoutes(server, { ...kernel, threeDSecure });
      threeDSecureBrowserRoutes(server, kernel, threeDSecure);
    },
    retention: { authentications: { index: 'age', keepMs: 90 * DAY_MS } },
  };
}

/** Calls the directory server; where none is configured, payments of entities with 3D Secure are refused with a code for that. */
export function authenticatorOf(
  {
    store,
    clock,
    mode,
    shopper,
    onFault,
  }: Pick<Kernel, 'store' | 'clock' | 'mode' | 'onFault'> & {
    readonly shopper: Pick<Kernel['shopper'], 'origin'>;
  },
  url: string | undefined,
) {
  const addresses = () =>
    shopper.origin === undefined || url === undefined ? undefined : threeDSecureAddresses(shopper.origin);
  const directory = new DirectoryClient({ url: url ?? '', post: postMessage, newTransId, clock, onFault });
  const authenticator = new Authenticator({ store, directory, addresses, newTransId, clock, mode });
  return { authenticator, addresses };
}
