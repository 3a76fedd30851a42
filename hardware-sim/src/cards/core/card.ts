/** The chip side of a card as a terminal's reader sees it, by contacts or by field. */
export interface Card {
  /**
   * Powers the chip and resets it; everything of an earlier transaction is forgotten.
   * @returns the answer to reset, or undefined when the chip stays mute
   * @throws CardCommunicationError when the card is gone
   */
  reset(): Promise<Uint8Array | undefined>;
  /**
   * Sends one command and gives the answer, status bytes included.
   * @throws CardCommunicationError when the card is gone
   */
  transmit(command: Uint8Array): Promise<Uint8Array>;
}

/** The card cannot be reached: pulled out, out of the field, contacts dirty. */
export class CardCommunicationError extends Error {
  override readonly name = 'CardCommunicationError';
}

/** What a magnetic stripe holds, as characters without sentinels (ISO/IEC 7813). */
export interface MagstripeTracks {
  readonly track1: string;
  readonly track2: string;
}

/** A plastic card with whatever faces it has. */
export interface VirtualCard {
  readonly name: string;
  readonly contact?: Card;
  readonly contactless?: Card;
  readonly magstripe?: MagstripeTracks;
}
