/** Longest message that is taken: well above an ARQC with every tag and the longest property. */
export const MAX_MESSAGE_BYTES = 16 * 1024;

/**
 * What came out of the bytes. `damaged`: something that was no message was skipped. `too-long`: the device refuses messages
 * of more than so many bytes.
 */
export type FrameEvent =
  | { readonly kind: 'message'; readonly bytes: Buffer }
  | { readonly kind: 'damaged' }
  | { readonly kind: 'too-long'; readonly maxBytes: number };

/** Which way a message goes; SLIP marks it on the line. */
export type Direction = 'to-device' | 'to-host';
