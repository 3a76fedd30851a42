import { join } from 'node:path';
import type { LedgerRequest } from '@tillbridge/gateway/acquirers/internal/ledger.js';
import type { LedgerBook } from '@tillbridge/gateway/acquirers/internal/ledger-book.js';
import { LedgerDatabase } from '@tillbridge/gateway/acquirers/internal/ledger-database.js';
import { LedgerWriter } from '@tillbridge/gateway/acquirers/internal/ledger-writer.js';
import { isApproval } from '@tillbridge/gateway/acquirers/internal/response-codes.js';
import { MemoryLedgerBook } from '@tillbridge/gateway/acquirers/internal/testing/memory-ledger-book.js';
import { columnsByName, type Workload, workload } from './workload.js';

/** A book and the writer in front of it, as the acquirer has them. */
interface Acquirer {
  readonly book: LedgerBook;
  readonly writer: LedgerWriter;
}

const GROUPS = 24;
const REOPEN_AFTER = 15;

/** The book of the INTERNAL acquirer: authorizations, captures, refunds, reversals of what came and of what never comes. */
export const ledgerWorkload: Workload = workload<Acquirer, LedgerRequest>({
  steps: steps(),
  open: async (folder) => acquirer(await LedgerDatabase.open(join(folder, 'acquirer.db'))),
  inMemory: () => acquirer(new MemoryLedgerBook()),
  carryOut: ({ writer }, request) => writer.record(request),
  show,
  examine,
  close: async ({ book, writer }) => {
    await writer.close();
    await book.close();
  },
});

function acquirer(book: LedgerBook): Acquirer {
  return { book, writer: new LedgerWriter(book) };
}

function steps(): readonly (readonly LedgerRequest[] | 'reopen')[] {
  const made: (readonly LedgerRequest[] | 'reopen')[] = [];
  for (let group = 1; group <= GROUPS; group += 1) {
    const [sale, hold, late] = [`sale-${group}`, `hold-${group}`, lateReference(group)];
    made.push(
      [request(sale), request(hold, { captureNow: false }), request(`void-${group}`, undoing(late))],
      [request(`capture-${group}`, { kind: 'capture', originalReference: hold })],
    );
    if (group % 2 === 0) made.push([request(`refund-${group}`, { kind: 'refund', originalReference: sale })]);
    else made.push([request(`undo-${group}`, undoing(sale))]);
    if (group === REOPEN_AFTER) made.push('reopen');
  }
  return made;
}

function lateReference(group: number): string {
  return `late-${group}`;
}

function undoing(originalReference: string): Partial<LedgerRequest> {
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
    last4Digits: '0000',
    panHash: 'hash',
    parametersHash: acquirerReference,
    atMs: 7,
    issuer: { responseCode: '00', approvalCode: '123456' },
    ...more,
  };
}

/** The book, and which references a reversal keeps out for ever. */
async function show({ book }: Acquirer): Promise<string> {
  const refused = await book.transaction(async () => {
    const views = [];
    for (let group = 1; group <= GROUPS; group += 1) views.push(await book.view(lateReference(group), null));
    return views.map(({ tombstoned }) => tombstoned);
  });
  const rows = (await book.all()).map(columnsByName);
  return JSON.stringify({ refused, rows });
}

async function examine({ writer }: Acquirer): Promise<void> {
  const { responseCode } = await writer.record(request('one-more'));
  if (!isApproval(responseCode)) throw new Error(`the book answers ${responseCode} to one more sale`);
}
