/** An error whose code is in the error table of its package. Its name is that of its class. */
export abstract class CodedError<Code extends string> extends Error {
  override readonly name: string;
  readonly code: Code;

  constructor(code: Code, message: string) {
    super(message);
    this.name = new.target.name;
    this.code = code;
  }
}
