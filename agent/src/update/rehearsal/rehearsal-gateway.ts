import { Disposition, type Outcome } from '@tillbridge/wire/bridge/messages.js';
import { Listeners } from '@tillbridge/wire/seams/listeners.js';
import type { LiveEnvelope, Uplink } from '../../uplink/uplink.js';

const APPROVED: Outcome = {
  disposition: Disposition.APPROVED,
  paymentId: '0'.repeat(32),
  resultCode: '000.000.000',
  description: '',
  approvalCode: '000000',
  responseCode: '00',
  iccDataResponse: new Uint8Array(),
  brand: 'REHEARSAL',
};

/** A link that leads nowhere: it approves what it is handed, and no byte leaves the process. */
export class RehearsalGateway implements Uplink {
  readonly state = 'up';
  readonly #answers = new Listeners<[messageId: string, outcome: Outcome]>();

  sendLive({ kind, id }: LiveEnvelope): boolean {
    if (kind !== 'authorizationRequest') return false;
    setImmediate(() => this.#answers.tell(id, { ...APPROVED, paymentId: id.replaceAll('-', '') }));
    return true;
  }

  nudge(): void {}

  onAnswer(listener: (messageId: string, outcome: Outcome) => void): () => void {
    return this.#answers.add(listener);
  }

  onStatus(): () => void {
    return () => undefined;
  }

  onState(): () => void {
    return () => undefined;
  }

  onGatewayTime(): () => void {
    return () => undefined;
  }
}
