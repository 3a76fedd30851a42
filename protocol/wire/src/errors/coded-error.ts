/** An error whose name is that of its class. */
export abstract class NamedError extends Error {
  override readonly name: string;

  constructor(message?: string) {
    super(message);
    this.name = new.target.name;
  }
}

/** An error whose code is in the error table of its package. */
export abstract class CodedError<Code extends string> extends NamedError {
  readonly code: Code;

  constructor(code: Code, message: string) {
    super(message);
    this.code = code;
  }
}
