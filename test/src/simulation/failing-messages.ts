import type { BridgeOrigin, Origin, PaymentDesk, PaymentResult } from '@tillbridge/gateway/payments/desk.js';
import type { Store } from '@tillbridge/gateway/store/store.js';

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
  around(desk: PaymentDesk, store: Pick<Store, 'get'>): PaymentDesk {
    const work = async (origin: Origin, handle: () => Promise<PaymentResult>): Promise<PaymentResult> => {
      if (origin.kind === 'bridge' && this.#fails(origin)) {
        const { agentId, messageId } = origin;
        if (!(await store.get('inbox', [agentId, messageId])))
          throw new Error('simulated defect of the gateway');
      }
      return handle();
    };
    return {
      authorize: (request) => work(request.origin, () => desk.authorize(request)),
      followUp: (request) => work(request.origin, () => desk.followUp(request)),
      status: (agentId, messageId) => desk.status(agentId, messageId),
      find: (paymentId, entityId) => desk.find(paymentId, entityId),
      lookUp: (...query) => desk.lookUp(...query),
    };
  }

  #fails({ agentId, terminalId, sequence }: BridgeOrigin): boolean {
    return sequence > 0 && this.#terminals.has(`${agentId}/${terminalId}`);
  }
}
