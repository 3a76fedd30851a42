import { newMessageId } from '@tillbridge/wire/bridge/message-id.js';
import { wipe } from '@tillbridge/wire/bytes.js';
import type { Timer } from '@tillbridge/wire/seams/clock.js';
import type { Seams } from '@tillbridge/wire/seams/seams.js';
import { localTime } from '@tillbridge/wire/text/local-time.js';
import type { DriverProgress, StartOutcome } from '../../drivers/core/driver.js';
import type { Uplink } from '../../uplink/uplink.js';
import { displayText } from '../machine/state/display-texts.js';
import type { Effect, SaleEvent, SaleTimer } from '../machine/state/events.js';
import type { SalePolicy } from '../machine/state/policy.js';
import { amountOf } from '../machine/state/sale-state.js';
import {
  authorizationRequest,
  statusRequest,
  transactionSequenceNumber,
} from '../records/bridge-messages.js';
import type { SaleActor } from './sale-actor.js';
import type { TerminalExecutor } from './terminal-executor.js';

/** What effects act on. */
interface EffectPorts extends Seams {
  readonly uplink: Uplink;
  readonly policy: SalePolicy;
  /** IANA name of the store's. */
  readonly timeZone: string;
  executor(terminalId: string): TerminalExecutor | undefined;
  progress(actor: SaleActor, step: DriverProgress): void;
}

type Of<K extends Effect['do']> = Extract<Effect, { readonly do: K }>;

/** Carries out what the sale machine decided, on terminals, uplink and timers. Posts the result of an effect to its sale. */
export class Effects {
  readonly #ports: EffectPorts;
  readonly #timers = new Map<string, Timer>();

  constructor(ports: EffectPorts) {
    this.#ports = ports;
  }

  /** Begins the effect; never throws for anything outside. */
  perform(actor: SaleActor, effect: Effect): void {
    switch (effect.do) {
      case 'start-card':
        void this.#startCard(actor, effect);
        return;
      case 'complete-card':
        void this.#completeCard(actor, effect);
        return;
      case 'decline-card':
        void this.#declineCard(actor, effect);
        return;
      case 'cancel-card':
        void this.#executor(actor)?.cancel();
        return;
      case 'finish-card':
        void this.#executor(actor)?.finish(displayText(effect.text, effect.amount));
        return;
      case 'send-authorization':
        this.#sendAuthorization(actor, effect);
        return;
      case 'wake-link':
        this.#ports.uplink.nudge();
        return;
      case 'ask-status':
        this.#askStatus(effect);
        return;
      case 'set-timer':
        this.#setTimer(actor, effect);
        return;
      case 'stop-timer':
        this.#stopTimer(actor, effect.timer);
    }
  }

  /** Stops all timers. */
  close(): void {
    for (const timer of this.#timers.values()) timer.cancel();
    this.#timers.clear();
  }

  async #startCard(actor: SaleActor, { risk }: Of<'start-card'>): Promise<void> {
    const executor = this.#executor(actor);
    if (!executor) {
      // A restart with another configuration may leave a sale without its terminal.
      return post(actor, { kind: 'card-read', outcome: NOT_CONFIGURED });
    }
    const start = async (): Promise<StartOutcome> => {
      // The till may have given up while the terminal was still busy with the card before.
      if (actor.live.cancelRequested) return { kind: 'cancelled', by: 'till' };
      const { state } = actor;
      const request = {
        kind: state.request.type,
        amount: amountOf(state),
        ...(state.request.cashBackMinor !== undefined && { cashBackMinor: state.request.cashBackMinor }),
        ...transactionTime(this.#ports.clock.nowMs(), this.#ports.timeZone),
        transactionSequenceNumber: transactionSequenceNumber(state),
        risk,
        cardTimeoutMs: this.#ports.policy.cardTimeoutMs,
      };
      return executor.driver.start(request, (step) => this.#ports.progress(actor, step));
    };
    post(actor, { kind: 'card-read', outcome: await executor.run(start) });
  }

  async #completeCard(actor: SaleActor, { result }: Of<'complete-card'>): Promise<void> {
    const progress = (step: DriverProgress) => this.#ports.progress(actor, step);
    const outcome = await this.#executor(actor)?.complete(result, progress);
    post(actor, { kind: 'card-completed', outcome: outcome ?? NOT_CONFIGURED });
  }

  async #declineCard(actor: SaleActor, { text }: Of<'decline-card'>): Promise<void> {
    const executor = this.#executor(actor);
    if (!executor) return;
    const progress = (step: DriverProgress) => this.#ports.progress(actor, step);
    // Both are lined up at once, so that no other sale's command comes between them.
    const declined = executor.complete(
      { kind: 'declined', responseCode: DECLINED, issuerData: new Uint8Array() },
      progress,
    );
    await Promise.all([declined, executor.finish(displayText(text))]);
  }

  #sendAuthorization(actor: SaleActor, { messageId, card }: Of<'send-authorization'>): void {
    const { state } = actor;
    const profile = this.#executor(actor)?.profile;
    const handedOver =
      profile !== undefined &&
      this.#ports.uplink.sendLive(
        authorizationRequest(
          state,
          messageId,
          profile,
          card,
          this.#ports.clock.nowMs(),
          this.#ports.policy.partialApproval === 'accept',
        ),
      );
    if (card?.pin) wipe(card.pin.data);
    post(actor, { kind: 'sent', handedOver });
  }

  #askStatus({ messageId }: Of<'ask-status'>): void {
    const { uplink, clock, random } = this.#ports;
    // Not handed over, or lost: the resolver's timer repeats it.
    uplink.sendLive(statusRequest(newMessageId(clock.nowMs(), random), messageId));
  }

  #setTimer(actor: SaleActor, { timer, delayMs }: Of<'set-timer'>): void {
    const key = timerKey(actor, timer);
    this.#timers.get(key)?.cancel();
    const fire = () => {
      this.#timers.delete(key);
      post(actor, { kind: 'timer', timer });
    };
    this.#timers.set(key, this.#ports.clock.setTimer(delayMs, fire));
  }

  #stopTimer(actor: SaleActor, timer: SaleTimer): void {
    const key = timerKey(actor, timer);
    this.#timers.get(key)?.cancel();
    this.#timers.delete(key);
  }

  #executor(actor: SaleActor): TerminalExecutor | undefined {
    return this.#ports.executor(actor.state.terminalId);
  }
}

const NOT_CONFIGURED = {
  kind: 'failed',
  failure: 'terminal-gone',
  detail: 'terminal is not configured',
} as const;

/** Tag 8A of a decline that no issuer gave: "do not honour" (ISO 8583). */
const DECLINED = '05';

function timerKey(actor: SaleActor, timer: SaleTimer): string {
  return `${timer} ${actor.state.reference}`;
}

/** Posts an event without waiting for it; the actor handles a disk that refuses it. */
function post(actor: SaleActor, event: SaleEvent): void {
  void actor.post(event).catch(() => undefined);
}

/** Local date and time of the terminal's transaction (tags 9A, 9F21), as its receipts have them. */
export function transactionTime(nowMs: number, timeZone: string): { date: string; time: string } {
  const { year, month, day, hour, minute, second } = localTime(nowMs, timeZone);
  const two = (value: number) => String(value % 100).padStart(2, '0');
  return {
    date: two(year) + two(month) + two(day),
    time: two(hour) + two(minute) + two(second),
  };
}
