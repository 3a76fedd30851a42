/** The walk through a device, in its order. */
export const STEPS = [
  { name: 'identify', does: 'identify', ask: 'The terminal is asked who it is. Nothing is to be done.' },
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
  },
  { name: 'tap', does: 'card', ask: 'Tap a Visa test card.', answer: 'approved' },
  { name: 'swipe', does: 'card', ask: 'Swipe a test card without a chip.', answer: 'approved' },
  {
    name: 'pin',
    does: 'card',
    ask: 'Insert a test card that wants an online PIN, and enter the PIN.',
    answer: 'approved',
  },
  {
    name: 'decline',
    does: 'card',
    ask: 'Insert a test card with a chip; it will be declined.',
    answer: 'declined',
  },
  { name: 'cancel', does: 'card', ask: 'Give no card: press the cancel key when a card is asked for.' },
  { name: 'unplug', does: 'unplug', ask: 'Begin this step, then unplug the terminal.' },
] as const satisfies readonly StepRow[];

interface StepRow {
  readonly name: string;
  readonly does: 'identify' | 'display' | 'card' | 'unplug';
  /** What the person at the device is asked to do. */
  readonly ask: string;
  /** What the person is asked afterwards. */
  readonly confirm?: string;
  /** What the card is told in place of an issuer's answer; no money moves. */
  readonly answer?: 'approved' | 'declined';
}

/** Name of a step. */
export type StepName = (typeof STEPS)[number]['name'];
/** One step. */
export type Step = StepRow & { readonly name: StepName };
