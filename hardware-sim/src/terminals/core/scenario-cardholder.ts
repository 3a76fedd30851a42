import type { Clock, Timer } from '@tillbridge/wire/seams/clock.js';
import type { CardBox } from '../../cards/card-box.js';
import type { CardholderAct } from './cardholder-act.js';
import type { TerminalUi } from './terminal-ui.js';

/** How long a person of a scenario takes for each act: less than one that acts by itself. */
const ACT_DELAY_MS = 100;

/** A cardholder that does what a scenario has, each act when the terminal is where it was then. */
export class ScenarioCardholder {
  readonly #ui: TerminalUi;
  readonly #clock: Clock;
  readonly #box: CardBox;
  readonly #stopWatching: () => void;
  #acts: readonly CardholderAct[] = [];
  #timer: Timer | undefined;

  constructor(ui: TerminalUi, clock: Clock, box: CardBox) {
    this.#ui = ui;
    this.#clock = clock;
    this.#box = box;
    this.#stopWatching = ui.watch(() => this.#look());
  }

  /** Begins with the first of these acts; what is left of a former scenario is forgotten. */
  begin(acts: readonly CardholderAct[]): void {
    this.#timer?.cancel();
    this.#timer = undefined;
    this.#acts = acts;
    this.#look();
  }

  /** The sale has ended: the card is taken out, and nothing else is done in the next one. */
  finish(): void {
    this.begin(this.#acts.filter(({ act }) => act === 'remove'));
  }

  /** Goes away. */
  stop(): void {
    this.#stopWatching();
    this.begin([]);
  }

  #look(): void {
    const [next] = this.#acts;
    if (!next || this.#timer || !this.#isTurn(next)) return;
    this.#timer = this.#clock.setTimer(ACT_DELAY_MS, () => {
      this.#timer = undefined;
      // The terminal may have gone on meanwhile.
      if (!this.#isTurn(next)) return;
      this.#acts = this.#acts.slice(1);
      this.#act(next);
      this.#look();
    });
  }

  #isTurn(act: CardholderAct): boolean {
    const { want, state, inserted } = this.#ui;
    switch (act.act) {
      case 'present':
        return want === 'card' && this.#ui.accepts.has(act.how);
      case 'pin':
        return want === 'pin';
      case 'cancel':
        return want === 'card' || want === 'input';
      case 'remove':
        return inserted !== undefined && (want === 'removal' || state === act.during);
    }
  }

  #act(act: CardholderAct): void {
    const ui = this.#ui;
    switch (act.act) {
      case 'present': {
        const taken = this.#box.take(act.card);
        if (taken) ui.present({ ...taken, how: act.how, collision: act.second === true });
        break;
      }
      case 'pin':
        ui.enterPin(this.#entry(act.pin));
        break;
      case 'cancel':
        ui.enterPin({ kind: 'cancel' });
        break;
      case 'remove':
        ui.remove();
    }
  }

  #entry(pin: 'right' | 'wrong' | 'bypass' | 'cancel'): Parameters<TerminalUi['enterPin']>[0] {
    if (pin === 'bypass' || pin === 'cancel') return { kind: pin };
    const right = this.#ui.given?.definition.pin ?? '0000';
    const digits = pin === 'right' ? right : wrongOf(right);
    return { kind: 'digits', digits: Buffer.from(digits, 'latin1') };
  }
}

/** As many digits, the last of them another one. */
function wrongOf(right: string): string {
  return `${right.slice(0, -1)}${right.endsWith('9') ? '0' : '9'}`;
}
