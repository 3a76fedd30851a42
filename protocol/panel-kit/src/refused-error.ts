/** A server refused a call; `code` is that of its error table, the message is for a person. `detail`: for a technician. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly code: string;
  readonly detail: string | undefined;

  constructor(code: string, message: string, detail?: string) {
    super(message);
    this.code = code;
    this.detail = detail;
  }
}

/** What a technician wants to know of an error; undefined where its message is all. */
export function detailOf(error: unknown): string | undefined {
  return error instanceof RefusedError ? error.detail : undefined;
}
