import { approves } from '@tillbridge/gateway/core/acquirers/iso8583/rules/exchange-record.js';
import type { MemoryStore } from '@tillbridge/gateway/kernel/store/testing/memory-store.js';
import { messageKey } from '@tillbridge/hardware-sim/hosts/acquirer/ledger/host-ledger.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { LINK } from './link-config.js';
import type { LinkHost } from './link-host.js';

/** What the check reads: the host's ledger, and what links have journaled. */
interface ReversalCheckDeps {
  readonly host: Pick<LinkHost, 'store'>;
  readonly database: Pick<MemoryStore, 'find'>;
  readonly breach: (text: string) => void;
}

/**
 * Sees reversals that leave a link: where it has an approval it names the amount that its host has approved, which may be a part. Without one it can
 * only name what was requested.
 */
export class ReversalCheck {
  readonly #deps: ReversalCheckDeps;

  constructor(deps: ReversalCheckDeps) {
    this.#deps = deps;
  }

  /** A message leaves on a line. */
  async sent({ kind, isResponse, original, amount, remaining, stan }: ExchangeMessage): Promise<void> {
    if (kind !== 'reversal' || isResponse || !original) return;
    const { database, host, breach } = this.#deps;
    const [row] = await database.find('linkExchanges', 'message', [LINK.name, original.stan, original.at]);
    if (!row || row.request === null) return;
    const request = JSON.parse(row.request) as ExchangeMessage;
    const name = messageKey(request);
    const taken = (await host.store.transactions()).find(({ message }) => message === name);
    const answer = row.answer === null ? undefined : (JSON.parse(row.answer) as ExchangeMessage);
    const isKnown = answer !== undefined && approves(answer);
    const mayName = new Set([taken?.amountMinor, isKnown ? undefined : request.amount?.minor]);
    if (!amount || !mayName.has(amount.minor))
      breach(
        `reversal ${stan} of ${name} names ${amount?.minor}; requested ${request.amount?.minor}, approved ${taken?.amountMinor}`,
      );
    if (remaining && amount && remaining.minor > amount.minor)
      breach(`reversal ${stan} of ${name} leaves ${remaining.minor} of ${amount.minor}`);
  }
}
