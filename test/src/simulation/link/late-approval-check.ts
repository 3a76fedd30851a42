import { approves } from '@tillbridge/gateway/core/acquirers/iso8583/rules/exchange-record.js';
import type { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import type { SimProcess } from '../kernel/sim-process.js';
import { LINK } from './link-config.js';

/** A process that lives so long has journaled what it received. */
const JOURNALED_MS = 10_000;

/** Sees approvals that a link receives for what it has reversed, and wants them journaled as such: totals would show them hours later. */
export class LateApprovalCheck {
  readonly #database: MemoryStore;
  readonly #breach: (text: string) => void;

  constructor(database: MemoryStore, breach: (text: string) => void) {
    this.#database = database;
    this.#breach = breach;
  }

  /** A process receives an answer. */
  async received(message: ExchangeMessage, process: SimProcess): Promise<void> {
    if (message.kind === 'reversal' || !message.isResponse || !approves(message)) return;
    const before = await this.#find(message);
    if (before?.state !== 'reversed' && before?.state !== 'reversing') return;
    process.clock.setTimer(JOURNALED_MS, async () => {
      const after = await this.#find(message);
      if (after && after.lateApprovals <= before.lateApprovals)
        this.#breach(`the link has received a late approval of ${before.reference}, and forgets it`);
    });
  }

  async #find({ stan, at }: ExchangeMessage) {
    const [row] = await this.#database.find('linkExchanges', 'message', [LINK.name, stan, at]);
    return row;
  }
}
