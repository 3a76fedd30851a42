import type { BridgeSocket, BridgeSocketListener } from '@tillbridge/gateway/core/bridge/bridge-socket.js';
import type { PaymentService } from '@tillbridge/gateway/core/payments/payment-service.js';
import type { OfflineDecision } from '@tillbridge/gateway/core/payments/rules/requests.js';
import type { TableName } from '@tillbridge/gateway/kernel/store/rows.js';
import type { Store } from '@tillbridge/gateway/kernel/store/store.js';
import type { SecurityModule } from '@tillbridge/gateway/security/module/security-module.js';
import { decodeEnvelope, encodeEnvelope } from '@tillbridge/wire/bridge/codec.js';
import { redirected } from './redirected.js';

type AuthorizeCall = Parameters<PaymentService['authorize']>[0];
type VerifyCall = Parameters<SecurityModule['verifyArqcAndMakeArpc']>[0];

/** Statements of a request are changed before the gateway looks at it. */
function changing(
  service: PaymentService,
  change: (request: AuthorizeCall) => AuthorizeCall,
): PaymentService {
  return redirected(service, { authorize: (request: AuthorizeCall) => service.authorize(change(request)) });
}

/** An offline record is changed before the gateway looks at it. */
function changingOffline(
  service: PaymentService,
  change: (offline: OfflineDecision) => OfflineDecision,
): PaymentService {
  return changing(service, (request) =>
    request.offline ? { ...request, offline: change(request.offline) } : request,
  );
}

/** Neither evidence nor limits nor age are looked at, as of a request that is decided online. */
export function believesRecords(service: PaymentService): PaymentService {
  return changing(service, ({ offline: _decided, ...request }) => request);
}

export function believesAge(service: PaymentService): PaymentService {
  return changingOffline(service, (offline) => ({ ...offline, ageAccepted: true }));
}

export function ignoresAge(service: PaymentService): PaymentService {
  return changingOffline(service, ({ ageMs: _age, ...offline }) => offline);
}

/** A TC is taken for the card's whatever its bytes are. */
export function believesTc(security: SecurityModule): SecurityModule {
  return redirected(security, {
    verifyArqcAndMakeArpc: async (call: VerifyCall) => {
      const verified = await security.verifyArqcAndMakeArpc(call);
      return call.expect === 'TC' ? { ...verified, valid: true } : verified;
    },
  });
}

/** An ARQC is taken for the card's whatever its bytes are. */
export function believesArqc(security: SecurityModule): SecurityModule {
  return redirected(security, {
    verifyArqcAndMakeArpc: async (call: VerifyCall) => {
      const verified = await security.verifyArqcAndMakeArpc(call);
      return call.expect === 'TC' ? verified : { ...verified, valid: true };
    },
  });
}

/** A record is of the terminal that its envelope names, whatever its content states. */
export function takesOuterTerminal(socket: BridgeSocket): BridgeSocket {
  const received = (bytes: Uint8Array): Uint8Array => {
    const envelope = decodeEnvelope(bytes);
    if (envelope.kind !== 'offlineRecord' || !envelope.body.pos) return bytes;
    const pos = { ...envelope.body.pos, terminalId: envelope.terminalId };
    return encodeEnvelope({ ...envelope, body: { ...envelope.body, pos } });
  };
  return redirected(socket, {
    listen: (listener: BridgeSocketListener) =>
      socket.listen(
        redirected(listener, { onMessage: (bytes: Uint8Array) => listener.onMessage(received(bytes)) }),
      ),
  });
}

/** A look at a reference sees no payment whose outcome is not known yet. */
export function withoutPending(store: Store): Store {
  return redirected(store, {
    find: (table: TableName, index: never, ...query: [never, never]) =>
      table === 'intents' && index === 'reference' ? Promise.resolve([]) : store.find(table, index, ...query),
  });
}
