import type { TableRecord } from '@tillbridge/wire/terminals/abecs/tables.js';

/** The agent's configuration of a Gertec terminal. */
export interface AbecsConfig {
  /** Acquirer reference of the AID records, `01`-`99`; GOX is sent with it when the card's records allow. */
  readonly acquirer: string;
  /** Slot of the DUKPT:TDES PIN key, 0-99. */
  readonly pinKeyIndex: number;
  /** Slot of the DUKPT:TDES data key, 0-99. */
  readonly dataKeyIndex: number;
  /** Records of the EMV tables: AIDs, public keys, revoked certificates. */
  readonly tables: readonly TableRecord[];
  /** Cards may be tapped. */
  readonly contactless: boolean;
  /** A chip card whose chip cannot be read may be swiped. */
  readonly magstripeFallback: boolean;
  /** Shown while nothing runs: two lines of 16 characters. */
  readonly idleLines: readonly [string, string];
  /** Shown while a PIN is entered for a swiped card: the second line. */
  readonly pinPrompt: string;
}
