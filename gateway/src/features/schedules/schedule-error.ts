import { CodedError } from '@tillbridge/wire/errors/coded-error.js';
import type { SCHEDULE_ERRORS } from '../../kernel/errors/error-table.js';
import type { JobFault } from './rules/job-plan.js';

/** Code of {@link ScheduleError}. */
export type ScheduleErrorCode = keyof typeof SCHEDULE_ERRORS;

/** A schedule cannot be made or changed so; nothing was written. The message names what is wrong. Exit code 2. */
export class ScheduleError extends CodedError<ScheduleErrorCode> {
  /** What is wrong with a job that cannot be carried out. */
  readonly fault: JobFault | undefined;

  constructor(code: ScheduleErrorCode, message: string, fault?: JobFault) {
    super(code, message);
    this.fault = fault;
  }
}

/** The error of a job that cannot be carried out. */
export function jobError(fault: JobFault): ScheduleError {
  return new ScheduleError('wrong-job', `job.${fault.parameter}: ${fault.message}`, fault);
}
