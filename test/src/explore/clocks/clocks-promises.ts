import type { ClocksState, TimeProcess, WaitingRecord } from './clocks-state.js';

const MINUTE_MS = 60_000;

/** A sale is approved without the gateway: no clock that is known to be behind may have decided, and the last contact is near (P6). */
export function checkedSale(
  state: ClocksState,
  { gateway, highestMs }: TimeProcess,
  wallMs: number,
  maxContactAgeMin: number,
): ClocksState {
  const seen = { ...state, storeErrorMin: Math.max(state.storeErrorMin, Math.abs(state.storeAheadMin)) };
  const gatewayMs = gateway ? gateway.timeMs + (state.min - gateway.min) * MINUTE_MS : 0;
  const behindMin = (Math.max(highestMs, gatewayMs) - wallMs) / MINUTE_MS;
  if (behindMin >= 1)
    return broken(seen, `a sale is approved by a clock that is shown to be ${behindMin} minutes behind`);
  const ageMin = state.contactMin === undefined ? Number.POSITIVE_INFINITY : state.min - state.contactMin;
  // Since a start without the gateway there is the wall clock alone: one that was set back since the last row is not found out.
  const unseenMin = gateway ? 0 : Math.max(0, -state.storeAheadMin);
  if (ageMin > maxContactAgeMin + errorMin(seen) + unseenMin)
    return broken(seen, `a sale is approved ${ageMin} minutes after the last contact`);
  return seen;
}

/** A record counts as too old: it has waited for its time (P6). */
export function checkedExpiry(state: ClocksState, { min }: WaitingRecord, expiryMin: number): ClocksState {
  const ageMin = state.min - min;
  return ageMin < expiryMin - errorMin(state)
    ? broken(state, `a record counts as too old after ${ageMin} minutes`)
    : state;
}

function broken(state: ClocksState, detail: string): ClocksState {
  return { ...state, breach: `P6: ${detail}` };
}

/** How wrong an age may be: where both clocks are wrong, none shows it, and the smaller of the two errors remains. */
function errorMin({ storeErrorMin, gatewayErrorMin }: ClocksState): number {
  return Math.min(storeErrorMin, gatewayErrorMin);
}
