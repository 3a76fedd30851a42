import type { PaymentService } from '@tillbridge/gateway/core/payments/payment-service.js';
import type {
  BridgeOrigin,
  Origin,
  PaymentResult,
} from '@tillbridge/gateway/core/payments/rules/requests.js';
import type { Store } from '@tillbridge/gateway/kernel/store/store.js';

/** Stands for a defect of the gateway: while it lasts, stream messages of some terminals fail with an unexpected error. */
export class FailingMessages {
  readonly #terminals = new Set<string>();

  /** The defect begins for a terminal of an agent. */
  begin(agentId: string, terminalId: string): void {
    this.#terminals.add(`${agentId}/${terminalId}`);
  }

  /** The defect is mended. */
  end(): void {
    this.#terminals.clear();
  }

  /** A payment service with the defect; what was answered before is answered again. */
  around(service: PaymentService, store: Pick<Store, 'get'>): PaymentService {
    const work = async (origin: Origin, handle: () => Promise<PaymentResult>): Promise<PaymentResult> => {
      if (origin.kind === 'bridge' && this.#fails(origin)) {
        const { agentId, messageId } = origin;
        if (!(await store.get('inbox', [agentId, messageId])))
          throw new Error('simulated defect of the gateway');
      }
      return handle();
    };
    return {
      authorize: (request) => work(request.origin, () => service.authorize(request)),
      followUp: (request) => work(request.origin, () => service.followUp(request)),
      status: (agentId, messageId) => service.status(agentId, messageId),
      find: (paymentId, entityId) => service.find(paymentId, entityId),
      lookUp: (...query) => service.lookUp(...query),
      continueWaiting: (...call) => service.continueWaiting(...call),
    };
  }

  #fails({ agentId, terminalId, sequence }: BridgeOrigin): boolean {
    return sequence > 0 && this.#terminals.has(`${agentId}/${terminalId}`);
  }
}
