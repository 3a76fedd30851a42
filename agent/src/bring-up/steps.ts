/** The walk through a device, in its order. */
export const STEPS = [
  {
    name: 'identify',
    does: 'identify',
    ask: 'The terminal is queried for its identity. Nothing is to be done.',
  },
  {
    name: 'display',
    does: 'display',
    ask: 'The terminal will show a text.',
    confirm: 'Did the terminal show "BRING-UP"?',
  },
  {
    name: 'chip',
    does: 'card',
    ask: 'Insert a test card with a chip that needs no PIN.',
    answer: 'approved',
    privateCard: { serves: true, note: 'where it wants a PIN, press the cancel key' },
  },
  {
    name: 'tap',
    does: 'card',
    ask: 'Tap a Visa test card.',
    answer: 'approved',
    privateCard: { serves: true, note: 'a card of another brand has other tags' },
  },
  {
    name: 'swipe',
    does: 'card',
    ask: 'Swipe a test card without a chip.',
    answer: 'approved',
    privateCard: { serves: false, note: 'a card with a chip is refused here' },
  },
  {
    name: 'pin',
    does: 'card',
    ask: 'Insert a test card that wants an online PIN, and enter the PIN.',
    answer: 'approved',
    privateCard: { serves: false, note: 'never enter a private PIN' },
  },
  {
    name: 'decline',
    does: 'card',
    ask: 'Insert a test card with a chip; it will be declined.',
    answer: 'declined',
    privateCard: { serves: true, note: 'where it wants a PIN, press the cancel key' },
  },
  {
    name: 'cancel',
    does: 'card',
    ask: 'Give no card: press the cancel key when the terminal prompts for a card.',
  },
  { name: 'unplug', does: 'unplug', ask: 'Begin this step, then unplug the terminal.' },
] as const satisfies readonly StepRow[];

/**
 * How long what a step does may take at most; questions to the person are not in it. A card: 60 s until it is given, then a PIN, the
 * answer and its removal. Unplugging: twice the time for a cable.
 */
export const STEP_LIMITS_MS = {
  identify: 30_000,
  display: 30_000,
  card: 180_000,
  unplug: 250_000,
} as const satisfies Readonly<Record<StepRow['does'], number>>;

interface StepRow {
  readonly name: string;
  readonly does: 'identify' | 'display' | 'card' | 'unplug';
  /** Instruction to the person at the device. */
  readonly ask: string;
  /** Question to the person after the step. */
  readonly confirm?: string;
  /** What the card gets in place of an issuer's answer; no money moves. */
  readonly answer?: 'approved' | 'declined';
  /** Whether a private card does in place of a test card, and what is to be known then; absent: the step needs no card. */
  readonly privateCard?: { readonly serves: boolean; readonly note: string };
}

/** Name of a step. */
export type StepName = (typeof STEPS)[number]['name'];
/** One step. */
export type Step = StepRow & { readonly name: StepName };

/** What the person at the device reads before a step. */
export function instructionOf({ ask, privateCard }: Pick<Step, 'ask' | 'privateCard'>): string {
  if (!privateCard) return ask;
  return `${ask} ${privateCard.serves ? 'A private card works, too' : 'A private card does not work'}: ${privateCard.note}.`;
}

/** What the person reads before the walk: which steps work with a private card, and what becomes of its data. */
export function privateCardAdvice(): string {
  const steps: readonly Step[] = STEPS;
  const named = (fits: (step: Step) => boolean): string =>
    steps
      .filter(fits)
      .map(({ name }) => name)
      .join(', ');
  return [
    `Without a card: ${named(({ privateCard }) => !privateCard)}. With a private card: ${named(({ privateCard }) => privateCard?.serves === true)}.`,
    `With a test card alone: ${named(({ privateCard }) => privateCard?.serves === false)}. No money moves in any step.`,
    'The trace has what the terminal enciphers of a card. Where the keys of the terminal are test keys, anybody can decipher it: delete the trace after a private card.',
  ].join('\n');
}
