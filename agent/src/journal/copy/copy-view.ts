import type { SaleHold } from '../journal-watch.js';
import { STANDINGS } from '../standing.js';
import { COPY_LIMITS } from './copy-target.js';
import type { CopyMode, CopyState, JournalCopier } from './journal-copier.js';

/** The copy as a person sees it. */
export interface CopyView {
  readonly mode: CopyMode;
  readonly state: CopyState['kind'];
  /** Rows that only the journal has. */
  readonly rowsBehind: number;
  /** For how long it has not been in sync. */
  readonly ageSeconds: number;
  readonly detail?: string;
  /** A best-effort copy that is far behind: who relies on it should look. */
  readonly alarm: boolean;
}

/** What a copier shows, and what it keeps new sales from. */
export function copyView(
  { state, mode, rowsBehind }: Pick<JournalCopier, 'state' | 'mode' | 'rowsBehind'>,
  nowMs: number,
): { readonly view: CopyView; readonly hold?: SaleHold } {
  const ageMs = state.kind === 'in-sync' ? 0 : Math.max(0, nowMs - state.sinceMs);
  const detail = detailOf(state);
  const isLate = state.kind !== 'in-sync' && (state.kind !== 'behind' || ageMs > COPY_LIMITS.waitMs);
  const view: CopyView = {
    mode,
    state: state.kind,
    rowsBehind,
    ageSeconds: Math.floor(ageMs / 1_000),
    ...(detail && { detail }),
    alarm: isLate && (mode === 'required' || state.kind === 'taken' || rowsBehind > COPY_LIMITS.alarmRows),
  };
  if (state.kind === 'taken') return { view, hold: STANDINGS.fenced };
  if (mode !== 'required' || !isLate) return { view };
  const text = `the copy of the journal is required and is not in sync (${rowsBehind} rows behind${detail ? `, ${detail}` : ''}); make it reachable, the agent goes on by itself`;
  return { view, hold: { hold: 'all', text } };
}

function detailOf(state: CopyState): string | undefined {
  if (state.kind === 'failed') return state.detail;
  return state.kind === 'taken' ? `generation ${state.generation} writes it` : undefined;
}
