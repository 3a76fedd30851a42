import { isTimeZone } from '@tillbridge/protocol/text/local-time.js';
import { InvalidArgumentError } from 'commander';

/** The name of a time zone. @throws InvalidArgumentError */
export function timeZone(name: string): string {
  if (isTimeZone(name)) return name;
  throw new InvalidArgumentError('Expected an IANA time zone such as Europe/Berlin.');
}
