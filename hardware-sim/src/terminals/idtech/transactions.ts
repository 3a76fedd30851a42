import { decodeTlv, encodeTlv, type TlvNode, tlv } from '@tillbridge/wire/emv/tlv.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type { CapturedFrom } from '@tillbridge/wire/terminals/idtech/attribution.js';
import type { OpenDigits } from '@tillbridge/wire/terminals/idtech/masking.js';
import { findObject, type SecureObject } from '@tillbridge/wire/terminals/idtech/secure-tlv.js';
import {
  RESULTS,
  type ResultName,
  type STATUSES,
  TAP_ERRORS,
} from '@tillbridge/wire/terminals/idtech/statuses.js';
import { ENTRY_MODES, INTERFACES, TAGS } from '@tillbridge/wire/terminals/idtech/tags.js';
import { resultObject } from '@tillbridge/wire/terminals/idtech/transaction-answer.js';
import type {
  Activate,
  ApplyHostResponse,
  Authenticate,
} from '@tillbridge/wire/terminals/idtech/transaction-commands.js';
import type { PresentMode } from '../../cards/catalogue.js';
import type { HostOutcome } from '../../kernel/contact-transaction.js';
import { allowsMagstripe } from '../../kernel/kernel-error.js';
import { namesChip } from '../core/card-account.js';
import type { DukptDevice, EncipheredOnce } from '../core/dukpt-device.js';
import { statusByFailure } from '../core/failure.js';
import { MagstripeUnreadable, type PaymentCore, type SaleInputs } from '../core/payment-core.js';
import { ENTER_PIN } from '../core/pin-pad.js';
import { amountText, issuerOutcome } from '../core/sale-inputs.js';
import type { Presentation, TerminalUi } from '../core/terminal-ui.js';
import type { Applications } from './applications.js';
import { KEYS_ONLY, type KeyIn } from './key-in.js';
import { CONTACT_RESULTS, StatusError, TAP_FAILURES } from './step-error.js';
import {
  accountObjects,
  DECISION_TAGS,
  dataObjects,
  magstripeObjects,
  pinObjects,
  plain,
  READ_TAGS,
  saleInputs,
  tapObjects,
  wantedTags,
} from './transaction-output.js';

/** What transactions work with. */
interface TransactionDeps {
  readonly serial: string;
  readonly clock: Clock;
  readonly ui: TerminalUi;
  readonly core: PaymentCore;
  readonly dataKey: DukptDevice;
  readonly applications: Applications;
  /** What of a PAN is shown, as the host configured it last. */
  readonly open: () => OpenDigits;
  /** Key entry that a long press on a corner of the screen begins while the device waits for a card. */
  readonly keyIn: KeyIn;
}

/** How a step ended: its status, and what its answer holds. */
export interface StepEnd {
  readonly status: keyof typeof STATUSES;
  readonly captured: CapturedFrom;
  readonly objects: readonly SecureObject[];
}

/** A step that may begin: its parameters are right, and it is due. It throws WaitAborted, and what `statusOfFailure` knows. */
export type Step = (signal: AbortSignal) => Promise<StepEnd>;

interface Allowed {
  readonly fallback: boolean;
  readonly accept: ReadonlySet<PresentMode>;
}

/** How long a card whose chip was mute may take to be swiped. */
const FALLBACK_PATIENCE_MS = 60_000;
const DECISIONS = {
  TC: 'approvedOffline',
  ARQC: 'goOnline',
  AAC: 'declinedOffline',
  RFU: 'declinedOffline',
} as const satisfies Readonly<Record<string, ResultName>>;
const MAGSTRIPE_ONLY: ReadonlySet<PresentMode> = new Set(['swipe']);

/** The steps of a transaction. */
export class Transactions {
  readonly #deps: TransactionDeps;
  #stage: 'idle' | 'read' | 'online' = 'idle';
  #amount: Buffer = Buffer.alloc(0);

  constructor(deps: TransactionDeps) {
    this.#deps = deps;
  }

  /** Whatever transaction runs is over; a card in the slot has been used. */
  end(): void {
    this.#stage = 'idle';
    this.#deps.ui.markUsed();
    this.#deps.core.forget();
  }

  /** No transaction is open. */
  get idle(): boolean {
    return this.#stage === 'idle';
  }

  #requireStage(stage: 'read' | 'online'): void {
    if (this.#stage !== stage) throw new StatusError('subCommandNotAllowed');
  }

  /** Waits for a card and reads it. @throws StatusError wrongParameter */
  activate({ timeoutSeconds, objects }: Activate): Step {
    const sale = saleInputs(objects, this.#deps.clock.nowMs());
    const accept = acceptedWays(objects);
    const fallback = findObject(objects, TAGS.fallback)?.[0] === 1 && accept.has('swipe');
    this.end();
    this.#deps.keyIn.forget();
    this.#amount = Buffer.from(findObject(objects, '9F02') ?? []);
    return (signal) => this.#waitForCard(sale, timeoutSeconds, { fallback, accept }, signal);
  }

  async #waitForCard(
    sale: SaleInputs,
    timeoutSeconds: number,
    allowed: Allowed,
    signal: AbortSignal,
  ): Promise<StepEnd> {
    const { clock, ui, core, keyIn } = this.#deps;
    const untilMs = clock.monotonicMs() + timeoutSeconds * 1_000;
    const prompt = [amountText(sale), 'PRESENT CARD'];
    ui.show(prompt);
    for (;;) {
      await this.#slotEmpty(signal);
      const leftMs = Math.max(1, untilMs - clock.monotonicMs());
      const given = await core.awaitCard(allowed.accept, leftMs, signal);
      ui.clear();
      if (given === 'timeout') return this.#ended('timeout', 'timeout');
      if (given === 'cancel-key') return this.#ended('cancelled', 'failed');
      if (given.how === 'manual') {
        ui.show(prompt);
        keyIn.hold(given);
        continue;
      }
      const end = await this.#given(given, sale, allowed, signal);
      if (end) return end;
    }
  }

  /** A card of the sale before is still in the slot: it goes first. */
  async #slotEmpty(signal: AbortSignal): Promise<void> {
    const { ui } = this.#deps;
    if (!ui.removalDue) return;
    ui.show(['REMOVE CARD']);
    await ui.waitForRemoval(signal);
  }

  #given(
    given: Presentation,
    sale: SaleInputs,
    allowed: Allowed,
    signal: AbortSignal,
  ): Promise<StepEnd | undefined> {
    if (given.how === 'insert') return this.#inserted(given, sale, allowed.fallback, signal);
    if (given.how === 'tap') return this.#tapped(given, sale, signal);
    return this.#swiped(given, sale, allowed.accept.has('insert'));
  }

  async #inserted(
    given: Presentation,
    sale: SaleInputs,
    fallback: boolean,
    signal: AbortSignal,
  ): Promise<StepEnd> {
    const { core, dataKey, open } = this.#deps;
    try {
      const read = await core.read(given, sale);
      signal.throwIfAborted();
      if (read.kind !== 'chip') return this.#ended('cardRejected', 'ok');
      const objects = [
        ...accountObjects(dataKey, read.account, open()),
        ...dataObjects(read.data, READ_TAGS),
        plain('9F39', Buffer.of(ENTRY_MODES.chip)),
      ];
      this.#stage = 'read';
      return this.#end('started', 'ok', objects);
    } catch (error) {
      if (fallback && allowsMagstripe(error)) return this.#fallback(sale, signal);
      return this.#chipFailed(error, signal);
    }
  }

  /** The chip could not be read: the same command prompts for the magstripe. */
  async #fallback(sale: SaleInputs, signal: AbortSignal): Promise<StepEnd> {
    const { ui, core } = this.#deps;
    ui.markUsed();
    await this.#slotEmpty(signal);
    for (;;) {
      ui.show(['SWIPE CARD']);
      const given = await core.awaitCard(MAGSTRIPE_ONLY, FALLBACK_PATIENCE_MS, signal);
      ui.clear();
      if (given === 'timeout') return this.#ended('timeout', 'timeout');
      if (given === 'cancel-key') return this.#ended('cancelled', 'failed');
      const end = await this.#swiped(given, sale, false);
      if (end) return end;
    }
  }

  async #swiped(given: Presentation, sale: SaleInputs, chipFirst: boolean): Promise<StepEnd | undefined> {
    const { core, ui, dataKey, serial, open } = this.#deps;
    try {
      const read = await core.read(given, sale);
      if (read.kind !== 'magstripe') return undefined;
      if (chipFirst && !read.fallback && namesChip(read.account)) {
        ui.show(['USE CHIP READER']);
        return undefined;
      }
      const objects = magstripeObjects(dataKey, read.account, serial, open(), read.fallback);
      ui.setState('online');
      const result = resultObject(RESULTS[read.fallback ? 'fallbackSwiped' : 'swiped'].code);
      return { status: 'ok', captured: 'magstripe', objects: [result, ...objects] };
    } catch (error) {
      if (!(error instanceof MagstripeUnreadable)) throw error;
      ui.show(['SWIPE AGAIN']);
      return undefined;
    }
  }

  async #tapped(given: Presentation, sale: SaleInputs, signal: AbortSignal): Promise<StepEnd> {
    const { core, ui, dataKey, open } = this.#deps;
    try {
      const read = await core.read(given, sale);
      signal.throwIfAborted();
      ui.setState('online');
      if (read.kind === 'tap-magstripe') {
        const objects = [
          ...accountObjects(dataKey, read.account, open()),
          plain('9F39', Buffer.of(ENTRY_MODES.tapMagstripe)),
        ];
        return { status: 'online', captured: 'tap-magstripe', objects };
      }
      if (read.kind !== 'chip') return tapError('unsupported');
      const { cryptogram, verification } = core.tapDecision;
      const objects = tapObjects(accountObjects(dataKey, read.account, open()), read.data, verification);
      if (cryptogram === 'ARQC') return { status: 'online', captured: 'tap', objects };
      if (cryptogram === 'TC') return { status: 'ok', captured: 'tap', objects };
      return tapError('aac', objects);
    } catch (error) {
      const name = signal.aborted ? undefined : statusByFailure(error, TAP_FAILURES);
      if (name === undefined) throw error;
      ui.clear();
      ui.setState('idle');
      return tapError(name);
    }
  }

  /** Cardholder verification and the first cryptogram. @throws StatusError subCommandNotAllowed */
  authenticate(command: Authenticate): Step {
    this.#requireStage('read');
    return (signal) => this.#decide(command, signal);
  }

  async #decide({ forceOnline, objects }: Authenticate, signal: AbortSignal): Promise<StepEnd> {
    const { core, ui } = this.#deps;
    ui.show(['PLEASE WAIT']);
    try {
      const aid = Buffer.from(core.data?.get('9F06') ?? [])
        .toString('hex')
        .toUpperCase();
      const risk = this.#deps.applications.risk(aid);
      const decision = await core.decide({ risk, forceOnline, prompt: ENTER_PIN }, signal);
      const data = core.data;
      const result = DECISIONS[decision.cryptogram];
      const reported = data ? dataObjects(data, wantedTags(objects, DECISION_TAGS)) : [];
      const online = result === 'goOnline';
      if (online) this.#stage = 'online';
      else this.end();
      ui.setState(online ? 'online' : 'idle');
      return this.#end(result, 'ok', [...reported, ...pinObjects(decision.pin)]);
    } catch (error) {
      return this.#chipFailed(error, signal);
    }
  }

  /** The issuer's answer, or that there is none, and the second cryptogram. @throws StatusError */
  applyHostResponse({ reached, objects }: ApplyHostResponse): Step {
    this.#requireStage('online');
    const outcome = hostOutcome(reached, objects);
    return (signal) => this.#complete(outcome, objects, signal);
  }

  async #complete(
    outcome: HostOutcome,
    objects: readonly SecureObject[],
    signal: AbortSignal,
  ): Promise<StepEnd> {
    const { core, ui } = this.#deps;
    ui.setState('reading');
    const data = core.data;
    try {
      const { decision, scriptResults } = await core.complete(outcome);
      const reported = data ? dataObjects(data, wantedTags(objects, DECISION_TAGS)) : [];
      const scripts = scriptResults.length > 0 ? [plain('9F5B', scriptResults)] : [];
      this.end();
      ui.setState('idle');
      ui.show([decision === 'approved' ? 'APPROVED' : 'DECLINED']);
      const declined = outcome.kind === 'unable-to-go-online' ? 'declinedUnableToGoOnline' : 'declined';
      return this.#end(decision === 'approved' ? 'approved' : declined, 'ok', [...reported, ...scripts]);
    } catch (error) {
      return this.#chipFailed(error, signal);
    }
  }

  /** The PIN of the tap that was read last. @throws WaitAborted; what `keypadEndOf` knows */
  async encryptedPin(signal: AbortSignal): Promise<EncipheredOnce | 'skipped'> {
    const { core, ui } = this.#deps;
    const entry = await core.capturePin(ENTER_PIN, signal);
    ui.setState('online');
    return entry === 'bypass' ? 'skipped' : entry;
  }

  #chipFailed(error: unknown, signal: AbortSignal): StepEnd {
    const result = signal.aborted ? undefined : statusByFailure(error, CONTACT_RESULTS);
    if (result === undefined) throw error;
    return this.#ended(result, 'ok');
  }

  /** The transaction is over with nothing but a result. */
  #ended(result: ResultName, status: keyof typeof STATUSES): StepEnd {
    const { ui } = this.#deps;
    this.end();
    ui.clear();
    ui.setState('idle');
    return { status, captured: 'contact', objects: [resultObject(RESULTS[result].code)] };
  }

  #end(result: ResultName, status: keyof typeof STATUSES, objects: readonly SecureObject[]): StepEnd {
    const amount = this.#amount.length > 0 ? [plain('9F02', this.#amount)] : [];
    const reported = objects.some(({ tag }) => tag === '9F02') ? objects : [...objects, ...amount];
    const code = resultObject(RESULTS[result].code);
    return { status, captured: 'contact', objects: [code, ...reported] };
  }
}

/** The interfaces that the host enables, and manual entry. @throws StatusError wrongParameter */
function acceptedWays(objects: readonly SecureObject[]): ReadonlySet<PresentMode> {
  const { magstripe, contactless, contact } = INTERFACES;
  const bits = findObject(objects, TAGS.interfaces)?.[0] ?? contactless;
  const ways = new Set<PresentMode>(KEYS_ONLY);
  if ((bits & contact) !== 0) ways.add('insert');
  if ((bits & contactless) !== 0) ways.add('tap');
  if ((bits & magstripe) !== 0) ways.add('swipe');
  if (ways.size === KEYS_ONLY.size) throw new StatusError('wrongParameter');
  return ways;
}

function tapError(name: keyof typeof TAP_ERRORS, objects: readonly SecureObject[] = []): StepEnd {
  const value = Buffer.of(TAP_ERRORS[name].code, 0, 0, 0);
  return {
    status: 'failed',
    captured: 'tap',
    objects: [plain(TAGS.tapError, value), ...objects],
  };
}

/** @throws StatusError wrongParameter */
function hostOutcome(reached: boolean, objects: readonly SecureObject[]): HostOutcome {
  if (!reached) return { kind: 'unable-to-go-online' };
  const code = findObject(objects, '8A');
  if (code?.length !== 2) throw new StatusError('wrongParameter');
  return issuerOutcome(Buffer.from(code).toString('latin1'), issuerNodes(objects));
}

/** Tags 91, 71 and 72 for the kernel, with templates decoded. */
function issuerNodes(objects: readonly SecureObject[]): readonly TlvNode[] {
  return objects.flatMap(({ tag, value }) => {
    if (tag === '91') return [tlv(tag, value)];
    return tag === '71' || tag === '72' ? [template(tag, value)] : [];
  });
}

function template(tag: string, value: Uint8Array): TlvNode {
  const [node] = decodeTlv(encodeTlv([tlv(tag, value)]));
  return node ?? tlv(tag, value);
}
