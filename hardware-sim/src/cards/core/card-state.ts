import { Type } from '@tillbridge/platform/schema/type.js';
import { stateReader } from '../../state/state-slot.js';

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

const counter = (maximum: number) =>
  Type.Integer({ minimum: 0, maximum, expected: `a whole number from 0 to ${maximum}` });
const FLAG = Type.Boolean({ expected: 'true or false' });

/** Checks what a state file holds. @throws TypeError naming the member */
export const parseCardState = stateReader<CardState>(
  Type.Object(
    {
      atc: counter(MAX_ATC),
      lastOnlineAtc: counter(MAX_ATC),
      pinTryCounter: counter(PIN_TRY_LIMIT),
      applicationBlocked: FLAG,
      cardBlocked: FLAG,
    },
    { expected: 'the state of a card' },
  ),
);
