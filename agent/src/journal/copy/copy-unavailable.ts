/** The copy cannot be reached or written; the text states what and why. A later try may succeed. */
export class CopyUnavailable extends Error {
  override readonly name = 'CopyUnavailable';
}
