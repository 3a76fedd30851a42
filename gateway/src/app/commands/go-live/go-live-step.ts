import type { GoLiveFacts } from './go-live-facts.js';

/** What a look at a step found. */
export interface GoLiveVerdict {
  /** `skipped`: it is not needed here, for the reason in the detail. */
  readonly state: 'done' | 'to do' | 'skipped';
  /** What is there, or what lacks. */
  readonly detail: string;
  /** Commands that do it, without the name of the program. */
  readonly commands?: readonly string[];
}

/** A step on the way to the first payment. */
export interface GoLiveStep {
  /** As `go-live confirm` takes it. */
  readonly name: string;
  /** The section of the page. */
  readonly title: string;
  /** True: only a person can state that it is done. */
  readonly isConfirmed?: true;
  /** For how long the word of a person counts, in milliseconds; absent: for ever. */
  readonly validMs?: number;
  readonly look: (facts: GoLiveFacts) => Promise<GoLiveVerdict> | GoLiveVerdict;
}

export function done(detail: string): GoLiveVerdict {
  return { state: 'done', detail };
}

export function toDo(detail: string, ...commands: readonly string[]): GoLiveVerdict {
  return { state: 'to do', detail, commands };
}

export function skipped(detail: string): GoLiveVerdict {
  return { state: 'skipped', detail };
}
