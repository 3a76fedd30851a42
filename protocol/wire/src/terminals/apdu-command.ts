/** What is known of a command whose header is that of an APDU. */
export interface ApduCommandSpec {
  readonly cla: number;
  readonly ins: number;
  readonly name: string;
  /** It waits for people, or for a chip that waits for them: an abort may overtake it. */
  readonly blocking: boolean;
}

/** Class and instruction byte as one number. */
export function apduHeader({ cla, ins }: Pick<ApduCommandSpec, 'cla' | 'ins'>): number {
  return (cla << 8) | ins;
}
