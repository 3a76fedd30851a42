import type { StepName } from './steps.js';

/** How long the device took for what needs no person: below two seconds, below eight, more. */
export type Pace = 'prompt' | 'slow' | 'late';

/** What is seen of a device in one step: forms and presence, never a value of a card. */
export interface Observation {
  /** How the step ended. */
  readonly outcome: string;
  /** Maker and model, as it reports them. */
  readonly identity?: string;
  /** Condition of its keys. */
  readonly keys?: string;
  readonly entryMode?: string;
  /** What the driver could read of the masked card data; names with a blank between them. */
  readonly cardFacts?: string;
  /** EMV tags up to the first cryptogram, and behind the second one. */
  readonly tags?: string;
  readonly finalTags?: string;
  readonly dataKeySerial?: string;
  readonly pinKeySerial?: string;
  readonly pace?: Pace;
  /** Forms of the messages, in the order of their first coming. */
  readonly messages: readonly string[];
  /** Forms of masked account data on the line. */
  readonly masked: readonly string[];
}

/** What the device of a model does, by step, as its simulated terminal does it; a step that is not there is not compared. */
export type Expectation = Readonly<Partial<Record<StepName, Observation>>>;
