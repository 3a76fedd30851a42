import type { SaleOutcome } from '@tillbridge/agent/sale/machine/state/answer.js';
import type { IssuerAnswer } from './issuer-host.js';
import type { Ability } from './maker.js';
import type { CardholderScript } from './scripted-cardholder.js';
import type { Shop } from './shop.js';

/** What happens to a sale at one of its steps. */
export type Deed = 'the till cancels' | 'the driver is stopped' | 'the cable is pulled';

/** One step of a sale. */
export interface SaleStep {
  readonly name: string;
  readonly needs?: readonly Ability[];
  readonly script: CardholderScript;
  readonly minor?: number;
  readonly decision?: IssuerAnswer;
  /** The answer is held back until the deed has taken effect. */
  readonly holdsAnswer?: boolean;
  /** The sale goes on by itself: on a real line it may be over before the host knows of a cable that was pulled. */
  readonly runsOn?: boolean;
  /** Calls `then` once, at the very moment at which the sale is there. */
  readonly arrives: (shop: Shop, then: () => void) => void;
  /** How the sale ends after each deed. */
  readonly ends: Readonly<Record<Deed, SaleOutcome>>;
}

/** The answer of the gateway is open. */
const WHILE_WAITING = {
  'the till cancels': 'reversed',
  'the driver is stopped': 'approved',
  'the cable is pulled': 'reversed',
} as const;

/** No authorization was requested: nothing is charged. */
const BEFORE_THE_REQUEST = {
  'the till cancels': 'cancelled',
  'the driver is stopped': 'cancelled',
  'the cable is pulled': 'failed',
} as const;
/** The card has the answer and owes the second cryptogram: the card is let finish, then the approval is reversed. */
const WHILE_COMPLETING = {
  'the till cancels': 'reversed',
  'the driver is stopped': 'approved',
  'the cable is pulled': 'reversed',
} as const;
/** Approved and reported: whatever comes is too late. */
const APPROVED = {
  'the till cancels': 'approved',
  'the driver is stopped': 'approved',
  'the cable is pulled': 'approved',
} as const;

const INS = { select: 0xa4, readRecord: 0xb2, generateAc: 0xae } as const;
/** An issuer's command, secured with a MAC (ISO 7816-4 §5.4.1). */
const isScript = (command: Uint8Array): boolean => ((command[0] ?? 0) & 0x0c) !== 0;

/** At the `nth` command of that kind. */
function atCommand(is: (command: Uint8Array) => boolean, nth = 1): SaleStep['arrives'] {
  return ({ harness }, then) => {
    let left = nth;
    const end = harness.cardCommands.on((command) => {
      if (!is(command)) return;
      left -= 1;
      if (left > 0) return;
      end();
      then();
    });
  };
}

const instruction =
  (ins: number) =>
  (command: Uint8Array): boolean =>
    command[1] === ins;

/** When the terminal wants something from its cardholder. */
function onDemand(holds: (shop: Shop) => boolean): SaleStep['arrives'] {
  return (shop, then) => {
    const end = shop.harness.device.ui.watch(() => {
      if (!holds(shop)) return;
      end();
      then();
    });
  };
}

const wants = (want: 'card' | 'pin' | 'removal', after = 0) =>
  onDemand(
    ({ harness: { device, cardholder } }) => device.ui.want === want && cardholder.cardsGiven >= after,
  );

/** A tap of this amount wants its holder verified. */
const ABOVE_TAP_LIMIT_MINOR = 6_000;
const chip = (card: string): CardholderScript => ({ cards: [{ card }] });
const withoutPin = (card: string): CardholderScript => ({ ...chip(card), pins: ['nothing'] });
const CHIP = chip('visa-credit-online');

/** Every step of a sale, in the order of its life. */
export const STEPS: readonly SaleStep[] = [
  {
    name: 'the first command of the sale is on its way',
    runsOn: true,
    script: {},
    arrives: ({ harness }, then) => {
      const end = harness.hostWrites.on(() => {
        if (harness.driver.state !== 'busy') return;
        end();
        then();
      });
    },
    ends: BEFORE_THE_REQUEST,
  },
  { name: 'waiting for a card', script: {}, arrives: wants('card'), ends: BEFORE_THE_REQUEST },
  {
    name: 'selecting the application',
    runsOn: true,
    script: CHIP,
    arrives: atCommand(instruction(INS.select)),
    ends: BEFORE_THE_REQUEST,
  },
  {
    name: 'reading the chip',
    runsOn: true,
    script: CHIP,
    arrives: atCommand(instruction(INS.readRecord)),
    ends: BEFORE_THE_REQUEST,
  },
  {
    name: 'reading a tap',
    runsOn: true,
    needs: ['tap'],
    script: chip('visa-contactless'),
    arrives: atCommand(instruction(INS.readRecord)),
    ends: BEFORE_THE_REQUEST,
  },
  {
    name: 'online PIN of a chip',
    needs: ['online-pin'],
    script: withoutPin('mastercard-debit-pin'),
    arrives: wants('pin'),
    ends: BEFORE_THE_REQUEST,
  },
  {
    name: 'online PIN of a tap',
    needs: ['tap', 'online-pin'],
    script: withoutPin('visa-contactless'),
    minor: ABOVE_TAP_LIMIT_MINOR,
    arrives: wants('pin'),
    ends: BEFORE_THE_REQUEST,
  },
  {
    name: 'offline PIN',
    script: withoutPin('maestro-offline-approved'),
    arrives: wants('pin'),
    ends: BEFORE_THE_REQUEST,
  },
  {
    name: 'offline PIN again after a wrong one',
    script: { ...chip('maestro-offline-approved'), pins: ['wrong', 'nothing'] },
    arrives: onDemand(
      ({ harness: { device, cardholder } }) => device.ui.want === 'pin' && cardholder.pinEntries > 0,
    ),
    ends: BEFORE_THE_REQUEST,
  },
  {
    name: 'the card number is keyed in',
    needs: ['manual'],
    script: {},
    arrives: onDemand(
      ({ harness: { device } }) => device.ui.want === 'card' && device.ui.accepts.has('manual'),
    ),
    ends: BEFORE_THE_REQUEST,
  },
  {
    name: 'waiting for the magstripe of a chip that could not be read',
    script: {
      cards: [
        { card: 'chip-broken-fallback', how: 'insert' },
        { card: 'chip-broken-fallback', how: 'swipe' },
      ],
    },
    arrives: onDemand(
      ({ harness: { device, cardholder } }) =>
        cardholder.cardsGiven > 0 && device.ui.want === 'card' && device.ui.accepts.has('swipe'),
    ),
    ends: BEFORE_THE_REQUEST,
  },
  {
    name: 'waiting for one card after two were tapped',
    needs: ['two-cards'],
    script: { cards: [{ card: 'visa-contactless', second: true }] },
    arrives: wants('card', 1),
    ends: BEFORE_THE_REQUEST,
  },
  {
    name: 'the card makes its first cryptogram',
    runsOn: true,
    script: CHIP,
    arrives: atCommand(instruction(INS.generateAc)),
    ends: BEFORE_THE_REQUEST,
  },
  {
    name: 'waiting for the answer, with a chip in the slot',
    script: CHIP,
    holdsAnswer: true,
    arrives: ({ line }, then) => once(line.recorded, then),
    ends: WHILE_WAITING,
  },
  {
    name: 'waiting for the answer to a swipe',
    script: chip('magstripe-only'),
    holdsAnswer: true,
    arrives: ({ line }, then) => once(line.recorded, then),
    ends: WHILE_WAITING,
  },
  {
    name: 'the answer is on its way to the card',
    runsOn: true,
    script: CHIP,
    arrives: ({ line, harness }, then) => once(line.answered, () => once(harness.hostWrites, then)),
    ends: WHILE_COMPLETING,
  },
  {
    name: 'the card runs issuer scripts',
    runsOn: true,
    script: CHIP,
    decision: 'approve-with-script',
    arrives: atCommand(isScript),
    ends: WHILE_COMPLETING,
  },
  {
    name: 'the card makes its second cryptogram',
    runsOn: true,
    script: CHIP,
    arrives: atCommand(instruction(INS.generateAc), 2),
    ends: WHILE_COMPLETING,
  },
  {
    name: 'the first command after the sale is on its way',
    script: { ...CHIP, forgetsCard: true },
    arrives: ({ saleDone, harness }, then) => once(saleDone, () => once(harness.hostWrites, then)),
    ends: APPROVED,
  },
  {
    name: 'the card has to be taken out',
    script: { ...CHIP, forgetsCard: true },
    // Some devices show it while the card still makes its second cryptogram: the sale has to be reported first.
    arrives: (shop, then) => {
      let isDone = false;
      const both = (): void => {
        if (!isDone || shop.harness.device.ui.want !== 'removal') return;
        for (const end of ends) end();
        then();
      };
      const ends = [
        shop.harness.device.ui.watch(both),
        shop.saleDone.on(() => {
          isDone = true;
          both();
        }),
      ];
    },
    ends: APPROVED,
  },
  {
    name: 'at rest after a sale',
    script: CHIP,
    arrives: ({ line, harness }, then) =>
      once(line.answered, () => {
        const end = harness.driver.onState((state) => {
          if (state !== 'ready') return;
          end();
          then();
        });
      }),
    ends: APPROVED,
  },
];

function once(signal: { on(listener: () => void): () => void }, then: () => void): void {
  const end = signal.on(() => {
    end();
    then();
  });
}
