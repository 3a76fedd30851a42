import { join } from 'node:path';
import type { LedgerRequest } from '@tillbridge/gateway/core/acquirers/internal/ledger.js';
import { LedgerDatabase } from '@tillbridge/gateway/core/acquirers/internal/ledger-database.js';
import type { LedgerStore } from '@tillbridge/gateway/core/acquirers/internal/ledger-store.js';
import { LedgerWriter } from '@tillbridge/gateway/core/acquirers/internal/ledger-writer.js';
import { MemoryLedgerStore } from '@tillbridge/gateway/core/acquirers/internal/testing/memory-ledger-store.js';
import { isApproval } from '@tillbridge/wire/iso8583/exchange/approvals.js';
import { columnsByName, type Workload, workload } from './workload.js';

/** A ledger and the writer in front of it, as the acquirer has them. */
interface Acquirer {
  readonly ledger: LedgerStore;
  readonly writer: LedgerWriter;
}

const GROUPS = 24;
const REOPEN_AFTER = 15;

/** The ledger of the INTERNAL acquirer: authorizations, captures, refunds, reversals of what came and of what never comes. */
export const ledgerWorkload: Workload = workload<Acquirer, LedgerRequest>({
  steps: steps(),
  open: async (folder) => acquirer(await LedgerDatabase.open(join(folder, 'acquirer.db'))),
  inMemory: () => acquirer(new MemoryLedgerStore()),
  carryOut: ({ writer }, request) => writer.record(request),
  show,
  examine,
  close: async ({ ledger, writer }) => {
    await writer.close();
    await ledger.close();
  },
});

function acquirer(ledger: LedgerStore): Acquirer {
  return { ledger, writer: new LedgerWriter(ledger) };
}

function steps(): readonly (readonly LedgerRequest[] | 'reopen')[] {
  const made: (readonly LedgerRequest[] | 'reopen')[] = [];
  for (let group = 1; group <= GROUPS; group += 1) {
    const [sale, hold, late] = [`sale-${group}`, `hold-${group}`, lateReference(group)];
    made.push(
      [request(sale), request(hold, { captureNow: false }), request(`void-${group}`, reversing(late))],
      [request(`capture-${group}`, { kind: 'capture', originalReference: hold })],
    );
    if (group % 2 === 0) made.push([request(`refund-${group}`, { kind: 'refund', originalReference: sale })]);
    else made.push([request(`reversal-${group}`, reversing(sale))]);
    if (group === REOPEN_AFTER) made.push('reopen');
  }
  return made;
}

function lateReference(group: number): string {
  return `late-${group}`;
}

function reversing(originalReference: string): Partial<LedgerRequest> {
  return { kind: 'reversal', originalReference };
}

function request(acquirerReference: string, more: Partial<LedgerRequest> = {}): LedgerRequest {
  return {
    kind: 'authorization',
    acquirerReference,
    amount: { minor: 1_000, currency: 'EUR' },
    messageId: null,
    originalReference: null,
    captureNow: true,
    terminalId: '1',
    instrument: null,
    last4Digits: '0000',
    panHash: 'hash',
    giftCard: null,
    parametersHash: acquirerReference,
    atMs: 7,
    issuer: { responseCode: '00', approvalCode: '123456' },
    ...more,
  };
}

/**
 * The ledger with the place of each transaction, and which references a reversal cancels if unseen for ever. The rows of a file have their
 * position in them, those in memory have not: it is shown for both.
 */
async function show({ ledger }: Acquirer): Promise<string> {
  const late = Array.from({ length: GROUPS }, (_none, at) => lateReference(at + 1));
  const { tombstones: refused } = await ledger.load(late);
  const placed = await ledger.after(0, Number.MAX_SAFE_INTEGER);
  const rows = placed.map(({ position, row }) => columnsByName({ ...row, position }));
  return JSON.stringify({ refused: refused.toSorted(), rows });
}

async function examine({ writer }: Acquirer): Promise<void> {
  const { responseCode } = await writer.record(request('one-more'));
  if (!isApproval(responseCode)) throw new Error(`the ledger answers ${responseCode} to one more sale`);
}
