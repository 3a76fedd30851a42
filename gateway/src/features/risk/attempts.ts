import { type Change, CommitConflict, type Store } from '../../kernel/store/store.js';
import type { Fingerprint } from '../../security/tokens/fingerprint.js';
import { RISK_RULE_LIMITS, type RiskRule, type VelocityKey } from './rules/risk-rules.js';

/** What attempts are counted with. */
interface AttemptDeps {
  readonly store: Pick<Store, 'find' | 'commit'>;
  readonly fingerprint: Fingerprint;
}

/** An attempt to pay. */
interface Attempt {
  readonly merchantId: string;
  /** Sorts by time. */
  readonly paymentId: string;
  readonly values: Readonly<Partial<Record<VelocityKey, string>>>;
  readonly nowMs: number;
}

type VelocityRule = Extract<RiskRule, { readonly kind: 'velocity' }>;

/** Characters of an id that are its time (store/new-id.ts). */
const TIME_DIGITS = 12;

/**
 * Counts an attempt, then how many there were by each rule, this one among them. It is written first: of payments at the same time each sees
 * the others. The same payment again counts once.
 * @throws StoreUnavailableError
 */
export async function countAttempt(
  deps: AttemptDeps,
  rules: readonly RiskRule[],
  attempt: Attempt,
): Promise<Readonly<Record<string, number>>> {
  const counting = rules.filter((rule) => rule.kind === 'velocity' && attempt.values[rule.by] !== undefined);
  await record(deps, attempt, counting as VelocityRule[]);
  const counts = await Promise.all((counting as VelocityRule[]).map((rule) => countOf(deps, attempt, rule)));
  return Object.fromEntries(counting.map(({ name }, at) => [name, counts[at] ?? 0]));
}

async function record(
  { store, fingerprint }: AttemptDeps,
  attempt: Attempt,
  rules: readonly VelocityRule[],
): Promise<void> {
  const { paymentId, nowMs: createdAtMs } = attempt;
  const subjects = new Set(rules.map(({ by }) => subjectOf(fingerprint, attempt, by)));
  const changes = [...subjects].map((subject): Change => {
    const row = { subject, paymentId, createdAtMs, version: 1 };
    return { op: 'insert', table: 'riskAttempts', row };
  });
  if (changes.length === 0) return;
  await store.commit(changes).catch((error: unknown) => {
    // It was counted before: the payment is looked at again.
    if (!(error instanceof CommitConflict)) throw error;
  });
}

async function countOf(
  { store, fingerprint }: AttemptDeps,
  attempt: Attempt,
  { by, minutes, count }: VelocityRule,
): Promise<number> {
  const subject = subjectOf(fingerprint, attempt, by);
  const since = (attempt.nowMs - minutes * 60_000).toString(16).padStart(TIME_DIGITS, '0');
  const limit = Math.min(count + 1, RISK_RULE_LIMITS.count + 1);
  const rows = await store.find('riskAttempts', 'subject', [subject], { limit, after: [subject, since] });
  return rows.length;
}

function subjectOf(fingerprint: Fingerprint, { merchantId, values }: Attempt, by: VelocityKey): string {
  return fingerprint('risk', JSON.stringify([merchantId, by, values[by]?.toLowerCase()]));
}
