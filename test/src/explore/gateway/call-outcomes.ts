import type {
  AcquirerAnswer,
  AcquirerRequest,
  AcquirerStatus,
} from '@tillbridge/gateway/core/acquirers/acquirer.js';
import { type AcquirerLedger, atAcquirer, isUndecided, statusAt } from './acquirer.js';
import type { OpenCall, Reply } from './replayed-process.js';
import { committed, type StoredRows } from './stored-rows.js';

/** What gateways stand on: the database, and the acquirer with the requests that reach it late or never. */
export interface Outside {
  readonly rows: StoredRows;
  readonly ledger: AcquirerLedger;
  readonly late: readonly AcquirerRequest[];
  /** What the shopper proved to the issuer; absent: nothing yet. */
  readonly challenge?: boolean;
}

/** Reference of the challenge that an issuer knows the end of. */
export const CHALLENGE = 'challenge';

/** What may become of a call. */
export interface CallOutcome {
  readonly name: string;
  readonly isFault?: true;
  readonly outside: Outside;
  /** What the process gets; absent: nothing yet. */
  readonly reply?: Reply;
  /** The acquirer's answer is on its way. */
  readonly answer?: AcquirerAnswer;
  /** The call changed what is stored: its process may end before it learns of that. */
  readonly isStored?: true;
}

type Send = Extract<OpenCall, { kind: 'send' }>;
type Commit = Extract<OpenCall, { kind: 'commit' }>;

/**
 * All that may become of a call.
 * @param answer the acquirer's answer to it, where that is on its way
 */
export function outcomesOf(
  open: OpenCall,
  outside: Outside,
  answer: AcquirerAnswer | undefined,
): CallOutcome[] {
  switch (open.kind) {
    case 'commit':
      return [commitOutcome(open, outside)];
    case 'send':
      return answer ? answerOutcomes(open, outside, answer) : sendOutcomes(open, outside);
    case 'question':
    case 'reverse-again':
      throw new Error('these gateways have no link to a host');
    case 'status': {
      const status =
        open.reference === CHALLENGE ? challengeStatus(outside) : statusAt(outside.ledger, open.reference);
      const name = `status (${open.call})`;
      const reported: CallOutcome = {
        name: `the acquirer tells the ${name}: ${status.state}`,
        outside,
        reply: { kind: 'status', status },
      };
      // What an issuer has reported of a challenge is stored by the gateway.
      if (open.reference === CHALLENGE) return [reported];
      return [
        reported,
        { name: `the acquirer tells no ${name}`, isFault: true, outside, reply: { kind: 'unreachable' } },
      ];
    }
  }
}

function challengeStatus({ challenge }: Outside): AcquirerStatus {
  if (challenge === undefined) return { state: 'unknown' };
  const answer = {
    approved: challenge,
    resultCode: challenge ? '000.000.000' : '100.380.401',
    responseCode: '',
  };
  return { state: 'answered', answer };
}

/** What may become of a request that was late: it comes now, or never. */
export function lateOutcomes(outside: Outside): CallOutcome[] {
  return outside.late.flatMap((request, at) => {
    const left = { ...outside, late: outside.late.toSpliced(at, 1) };
    return [
      { name: `the late ${request.kind} (${at}) never reaches the acquirer`, outside: left },
      ...decisions(left, request).map(({ how, ...decision }) => ({
        name: `the late ${request.kind} (${at}) reaches the acquirer${how}`,
        outside: decision.outside,
      })),
    ];
  });
}

const COMMITS = new WeakMap<StoredRows, WeakMap<Commit['changes'], ReturnType<typeof committed>>>();

/** Judged once for the same changes on the same rows. */
function judged(rows: StoredRows, changes: Commit['changes']): ReturnType<typeof committed> {
  const ofRows = COMMITS.get(rows) ?? new WeakMap<Commit['changes'], ReturnType<typeof committed>>();
  COMMITS.set(rows, ofRows);
  const known = ofRows.get(changes) ?? committed(rows, changes);
  ofRows.set(changes, known);
  return known;
}

function commitOutcome({ call, changes }: Commit, outside: Outside): CallOutcome {
  const tables = changes.flatMap((change) =>
    (change.op === 'insert' || change.op === 'update' || change.op === 'delete') && 'table' in change
      ? [change.table]
      : [],
  );
  const name = `the gateway commits ${[...new Set(tables)].join(', ') || 'nothing'} (${call})`;
  const outcome = judged(outside.rows, changes);
  if (!('conflict' in outcome))
    return {
      name,
      outside: { ...outside, rows: outcome.rows },
      reply: { kind: 'committed' },
      isStored: true,
    };
  const { conflict } = outcome;
  return {
    name: `${name}, and loses a race (${conflict.table})`,
    outside,
    reply: { kind: 'conflict', conflict },
  };
}

function sendOutcomes({ call, request }: Send, outside: Outside): CallOutcome[] {
  const name = `${request.kind} (${call})`;
  return [
    ...decisions(outside, request).map(({ how, ...decision }) => ({
      name: `the acquirer takes the ${name}${how}`,
      outside: decision.outside,
      answer: decision.answer,
    })),
    {
      name: `no answer comes to the ${name}, which is late or lost`,
      isFault: true,
      outside: { ...outside, late: [...outside.late, request] },
      reply: { kind: 'unreachable' },
    },
  ];
}

function answerOutcomes({ call, request }: Send, outside: Outside, answer: AcquirerAnswer): CallOutcome[] {
  const name = `the acquirer's answer to the ${request.kind} (${call})`;
  return [
    { name: `${name} comes`, outside, reply: { kind: 'answer', answer } },
    { name: `${name} is lost`, isFault: true, outside, reply: { kind: 'unreachable' } },
  ];
}

/** What the acquirer may make of a request. */
function decisions(outside: Outside, request: AcquirerRequest) {
  const verdicts = isUndecided(outside.ledger, request) ? [true, false] : [true];
  return verdicts.map((approves) => {
    const { ledger, answer } = atAcquirer(outside.ledger, request, approves);
    const how = verdicts.length === 1 ? '' : approves ? ': approved' : ': declined';
    return { how, answer, outside: { ...outside, ledger } };
  });
}
