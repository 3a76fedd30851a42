import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { systemRandom } from '@tillbridge/platform/system-random.js';
import { countersignHead } from '@tillbridge/wire/bridge/countersigned-head.js';
import { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { HOME_FILES } from '../home/home-files.js';
import { BlobCipher } from '../journal/blob-cipher.js';
import { CountersignedHeads } from '../journal/digest/countersigned-heads.js';
import type { NewRow } from '../journal/journal.js';
import { loadOrCreateKey } from '../journal/key-file.js';
import { SqliteJournal } from '../journal/sqlite-journal.js';
import type { Fact } from '../sale/machine/state/facts.js';
import { factToRow } from '../sale/records/fact-rows.js';
import { enrolledHome, TEST_GATEWAY_KEY, TEST_PINS } from '../uplink/enrolled-home.test.support.js';

/** When the first row of a proven home is written. */
export const SOLD_AT = Date.UTC(2026, 10, 20, 12);

/** A journal file in a home that is enrolled with the test gateway, which countersigns its heads. */
export interface ProvenHome {
  readonly journal: SqliteJournal;
  /** Journals an online sale with a card, row by row; rows of another sale stand between them. */
  sell(reference: string, minor?: number): Promise<void>;
  append(...rows: NewRow[]): Promise<void>;
  /** The gateway countersigns the head as it is now. */
  countersign(): Promise<void>;
}

/** Makes such a home. The caller closes the journal. */
export async function provenHome(home: string, agentId = 'store-1'): Promise<ProvenHome> {
  mkdirSync(home, { mode: 0o700, recursive: true });
  enrolledHome(home, agentId);
  const clock = new VirtualClock(SOLD_AT);
  const journal = await SqliteJournal.open({
    path: join(home, HOME_FILES.journal),
    cipher: new BlobCipher(loadOrCreateKey(join(home, HOME_FILES.blobKey), systemRandom), systemRandom),
    clock,
  });
  const heads = new CountersignedHeads({
    journal,
    agentId,
    generation: 1,
    identityKeys: () => TEST_PINS.identityKeys,
    clock,
    onFault: (error) => {
      throw error;
    },
  });
  const append = async (...rows: NewRow[]) => {
    await journal.append({ atMs: clock.nowMs(), rows });
  };
  const countersign = async () => {
    await clock.advance(10 * 60_000);
    heads.answered(undefined);
    await heads.idle();
    const tree = heads.offer();
    if (!tree) throw new Error('the agent offers no head');
    const { row, hash, root } = tree;
    const place = { generation: 1, row, hash, root, timeMs: clock.nowMs() };
    heads.answered(countersignHead(agentId, place, TEST_GATEWAY_KEY));
    await heads.idle();
  };
  const sell = async (reference: string, minor = 1_234) => {
    for (const [at, fact] of saleOf(minor, `${reference}-1`).entries()) {
      await append(factToRow(fact, reference, '77'));
      await append({ kind: 'note', reference: `between-${reference}-${at}`, terminalId: '78', data: {} });
    }
  };
  return { journal, sell, append, countersign };
}

const CARD = { entryMode: 'ICC', bin: '401200', last4Digits: '1112' } as const;

function saleOf(minor: number, messageId: string): readonly Fact[] {
  const emv = { aid: 'A0000000031010', ac: '1A2B3C4D5E6F7081', acType: 'TC', atc: '0007', tvr: '0000008000' };
  return [
    { kind: 'accepted', sale: { type: 'sale', minor, currency: 'EUR', onlineOnly: false } },
    { kind: 'authorizing', messageId, card: CARD, emv: { ...emv, acType: 'ARQC' } },
    {
      kind: 'answered',
      late: false,
      answer: { disposition: 'approved', amountMinor: minor, currency: 'EUR', approvalCode: '123456' },
    },
    { kind: 'completed', result: 'approved', emv },
    { kind: 'ended', outcome: 'approved', mode: 'online', reason: 'approved' },
  ];
}
