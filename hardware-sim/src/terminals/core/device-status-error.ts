/** A command ends with a status of its maker's table. */
export class DeviceStatusError<Status extends string> extends Error {
  override readonly name = 'DeviceStatusError';
  readonly status: Status;

  constructor(status: Status) {
    super(status);
    this.status = status;
  }
}
