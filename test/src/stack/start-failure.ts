/** A part did not come up. `exitCode` is the part's own: 2 for a wrong configuration or a port in use. */
export class StartFailure extends Error {
  override readonly name = 'StartFailure';
  readonly exitCode: number;
  constructor(message: string, exitCode: number) {
    super(message);
    this.exitCode = exitCode;
  }
}
