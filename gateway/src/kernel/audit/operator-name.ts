import { userInfo } from 'node:os';

/** Who runs the command: the user of the operating system. */
export function operatorName(): string {
  return userInfo().username;
}
