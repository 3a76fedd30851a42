/** What a chip keeps in its non-volatile memory between transactions. */
export interface CardState {
  /** Application transaction counter, tag 9F36: the last one used. */
  readonly atc: number;
  /** Tag 9F13: ATC of the last transaction that ended online. */
  readonly lastOnlineAtc: number;
  /** Tag 9F17. */
  readonly pinTryCounter: number;
  readonly applicationBlocked: boolean;
  readonly cardBlocked: boolean;
}

/** The highest ATC; a card that reached it is at its end. */
export const MAX_ATC = 0xffff;
/** Wrong PINs in a row that a fresh card allows. */
export const PIN_TRY_LIMIT = 3;

/** The state of a card as personalised. */
export const NEW_CARD: CardState = {
  atc: 0,
  lastOnlineAtc: 0,
  pinTryCounter: PIN_TRY_LIMIT,
  applicationBlocked: false,
  cardBlocked: false,
};

const COUNTERS = { atc: MAX_ATC, lastOnlineAtc: MAX_ATC, pinTryCounter: PIN_TRY_LIMIT } as const;

/** Checks what a state file holds. @throws TypeError naming the member */
export function parseCardState(json: unknown): CardState {
  const state = json as CardState;
  if (typeof json !== 'object' || json === null) throw new TypeError('expected an object');
  for (const [name, limit] of Object.entries(COUNTERS)) {
    const value = state[name as keyof typeof COUNTERS];
    if (!Number.isInteger(value) || value < 0 || value > limit) {
      throw new TypeError(`${name} must be an integer from 0 to ${limit}`);
    }
  }
  for (const name of ['applicationBlocked', 'cardBlocked'] as const) {
    if (typeof state[name] !== 'boolean') throw new TypeError(`${name} must be true or false`);
  }
  return state;
}
