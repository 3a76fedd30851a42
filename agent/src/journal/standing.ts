import type { StreamPosition } from '@tillbridge/wire/bridge/messages.js';
import {
  type JournalRow,
  type NewRow,
  noSaleRow,
  RESTORED_ROW,
  STANDING_ROW,
  STREAMS_ROW,
} from './journal.js';

/** Whether this journal is the agent's, as far as is known. */
export type StandingKind =
  | 'good'
  /** Restored, and the gateway has not welcomed the new generation yet: it may know of messages that the copy did not have. */
  | 'unconfirmed'
  /** The home had a journal with rows, and it is gone: its queue may be in a copy, and its references are not known any more. */
  | 'lost'
  /** A later generation of the agent exists: this journal was restored elsewhere. */
  | 'fenced'
  /** The gateway keeps a later row of this journal than it has. */
  | 'behind'
  /** The gateway keeps another row than this journal has there. */
  | 'forked';

/** A standing and when it began. */
export interface Standing {
  readonly kind: StandingKind;
  /** What led to it, for a person. */
  readonly detail: string;
}

/** What a standing keeps the agent from: every new sale, an approval without the gateway, or nothing. */
export type Hold = 'none' | 'offline' | 'all';

/** Rows of these kinds record the standing. */
export const STANDING_KINDS = [RESTORED_ROW, STREAMS_ROW, STANDING_ROW] as const;

/** The standing of an agent without any other verdict. */
export const GOOD_STANDING: Standing = { kind: 'good', detail: '' };

/** What each standing means and what a person does about it. */
export const STANDINGS: Readonly<Record<StandingKind, { readonly hold: Hold; readonly text: string }>> = {
  good: { hold: 'none', text: '' },
  unconfirmed: {
    hold: 'all',
    text: 'the journal was restored; new sales begin when the gateway has welcomed it: connect the agent',
  },
  lost: {
    hold: 'all',
    text: 'the journal of this home is gone: bring it back with "tillbridge-agent restore --from"; where there is no copy, begin a new one with "tillbridge-agent restore --as-is"',
  },
  fenced: {
    hold: 'all',
    text: 'this journal was restored elsewhere and is out of use: use the agent there; if nothing works there, run "tillbridge-agent restore --as-is" here',
  },
  behind: {
    hold: 'offline',
    text: 'the gateway knows later rows of this journal: rows were lost, or this is an old copy. Restore the newest copy with "tillbridge-agent restore --from", or accept this one with "tillbridge-agent restore --as-is"',
  },
  forked: {
    hold: 'offline',
    text: 'this journal differs from what the gateway knows of it: it was changed, or two copies are in use. See "tillbridge-agent verify"; end the other copy, then run "tillbridge-agent restore --as-is" on the one to keep',
  },
};

/** The standing that a row records; `before` where the row has none. */
export function standingAfter(before: Standing, row: Pick<JournalRow, 'kind' | 'data'>): Standing {
  if (row.kind === RESTORED_ROW) return { kind: 'unconfirmed', detail: '' };
  if (row.kind === STREAMS_ROW) return before.kind === 'unconfirmed' ? GOOD_STANDING : before;
  if (row.kind !== STANDING_ROW) return before;
  const { standing, detail } = row.data;
  const known = typeof standing === 'string' && Object.hasOwn(STANDINGS, standing);
  return known ? { kind: standing as StandingKind, detail: String(detail ?? '') } : before;
}

/** The row of a standing. */
export function standingRow({ kind, detail }: Standing): NewRow {
  return noSaleRow(STANDING_ROW, { standing: kind, detail });
}

/** The row that raises streams to what the gateway expects next; of these numbers none will be used again. */
export function streamsRow(expected: readonly StreamPosition[]): NewRow {
  const next = expected.map(({ terminalId, nextSequence }) => [terminalId, nextSequence] as const);
  return noSaleRow(STREAMS_ROW, Object.fromEntries(next));
}
