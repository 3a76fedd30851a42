import type { DescribedNode } from '@tillbridge/wire/emv/describe.js';

/** Way of a frame: `in` came from the host. */
export type WireDirection = 'in' | 'out';

/** The content of a frame. */
export interface WireMessage {
  /** `control`: a confirmation, a cancel; `damaged`: bytes that are no frame, or one whose check value is wrong. */
  readonly kind: 'message' | 'control' | 'damaged';
  /** In readable form, card data masked. */
  readonly text: string;
  /** Its data objects or parameters, card data masked; made when they are looked at. */
  readonly objects?: () => readonly DescribedNode[];
}

/** What damaged bytes are called. */
export const DAMAGED: WireMessage = { kind: 'damaged', text: 'no frame, or a wrong check value' };

/** A message of control alone. */
export function control(text: string): WireMessage {
  return { kind: 'control', text };
}
