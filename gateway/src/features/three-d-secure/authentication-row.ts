import { withSecret } from '@tillbridge/wire/bytes.js';
import type { Money } from '@tillbridge/wire/payment/money.js';
import { present } from '@tillbridge/wire/present.js';
import type { Echo } from '../../kernel/api/echo.js';
import type { AuthenticationRow } from '../../kernel/store/rows.js';
import type { Store } from '../../kernel/store/store.js';
import type { WaitSeal } from '../../security/vault/wait-seal.js';
import { shownOutcome } from './rules/answers.js';
import type { Session } from './rules/session.js';

/** What `answer` of a row holds: the group `threeDSecure` of answers, and by which ids a result is known. */
export interface RowAnswer {
  readonly threeDSecure: Echo;
  readonly acsTransId?: string;
  readonly dsTransId?: string;
  /** Where the method call goes, while it is not made. */
  readonly methodUrl?: string;
  /** Of an authentication on its own: keyed fingerprint of the card, and the amount that its cardholder saw. */
  readonly about?: { readonly card: string; readonly amount: Money };
  /** Of an authentication on its own: what its answers repeat. */
  readonly echo?: Echo;
}

/** Result code while a payment waits for the shopper. */
const PENDING_CODE = '000.200.000';

/** The row of a session that goes on later. */
export function newAuthenticationRow(
  id: string,
  entityId: string,
  session: Session,
  nowMs: number,
): AuthenticationRow {
  return {
    id,
    transId: session.plan.transId,
    entityId,
    kind: 'payment',
    state: 'open',
    compInd: null,
    resultCode: PENDING_CODE,
    answer: answerOf(session),
    shopperResultUrl: null,
    proof: null,
    sealed: null,
    keyId: null,
    createdAtMs: nowMs,
    version: 1,
  };
}

/** `answer` of a session. */
export function answerOf(
  { plan, step }: Session,
  { echo, about }: Pick<RowAnswer, 'echo' | 'about'> = {},
): string {
  const outcome = step.name === 'done' ? step.outcome : undefined;
  const ids = step.name === 'challenge' || step.name === 'decoupled' ? step : outcome;
  const answer: RowAnswer = {
    threeDSecure: shownOutcome(plan, outcome),
    ...present({ acsTransId: ids?.acsTransId, dsTransId: ids?.dsTransId, about, echo }),
    ...(step.name === 'method' && present({ methodUrl: plan.methodUrl })),
  };
  return JSON.stringify(answer);
}

/** The answer part of a row. */
export function rowAnswer({ answer }: AuthenticationRow): RowAnswer {
  return JSON.parse(answer) as RowAnswer;
}

/** The row of a transaction; undefined for a foreign or unknown one. */
export async function byTransaction(
  store: Pick<Store, 'find'>,
  transId: string,
): Promise<AuthenticationRow | undefined> {
  const [row] = await store.find('authentications', 'transaction', [transId.toLowerCase()]);
  return row;
}

/** JSON, sealed for its row. */
export function sealJson(
  seal: WaitSeal,
  id: string,
  value: unknown,
): Pick<AuthenticationRow, 'sealed' | 'keyId'> {
  return withSecret(Buffer.from(JSON.stringify(value), 'utf8'), (clear) => seal.seal(id, clear));
}

/** What was sealed; undefined where nothing is. @throws VaultError */
export async function openJson(seal: WaitSeal, { id, sealed, keyId }: AuthenticationRow): Promise<unknown> {
  if (sealed === null || keyId === null) return undefined;
  return withSecret(await seal.open(id, { sealed, keyId }), (clear) => JSON.parse(clear.toString('utf8')));
}
