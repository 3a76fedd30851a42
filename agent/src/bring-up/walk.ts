import { toHex } from '@tillbridge/wire/bytes.js';
import { decodeTlvPartly } from '@tillbridge/wire/emv/tlv.js';
import type { Clock } from '@tillbridge/wire/seams/clock.js';
import type {
  CardData,
  CardFacts,
  CompleteOutcome,
  DriverState,
  Enciphered,
  OnlineResult,
  StartRequest,
  TerminalDriver,
} from '../drivers/core/driver.js';
import type { Walked } from './compare.js';
import { heldTo } from './held-to.js';
import type { LineWatch } from './line-watch.js';
import type { Observation, Pace } from './observation.js';
import { instructionOf, STEP_LIMITS_MS, STEPS, type Step, type StepName } from './steps.js';

/** The person at the device, or who answers in place of one. */
export interface Person {
  /** Asks the person to do something; resolves when the step may begin. */
  ready(step: StepName, text: string): Promise<'go' | 'skip'>;
  confirm(text: string): Promise<boolean>;
  tell(text: string): void;
}

/** What a walk needs. */
interface WalkDeps {
  readonly driver: TerminalDriver;
  readonly line: LineWatch;
  readonly person: Person;
  readonly clock: Clock;
  /** ISO 4217 alpha-3, of the merchant. */
  readonly currency: string;
  /** Ends the walk. */
  readonly interrupted: AbortSignal;
}

/** A step that was not walked to its end. */
export interface MissingStep {
  readonly step: StepName;
  readonly why: 'skipped' | 'timed out' | 'interrupted' | 'not reached';
}

/** How far a walk came: each step is in one of both lists. */
export interface Progress {
  readonly walked: readonly Walked[];
  readonly missing: readonly MissingStep[];
}

/** Amount of each step with a card, in minor units: below what a tap wants its holder verified for. */
const AMOUNT_MINOR = 100;
const CARD_TIMEOUT_MS = 60_000;
/** How long a person may take with a cable, and a device to come back. */
const CABLE_TIMEOUT_MS = 120_000;
/** How long a device may take to be ready between two steps. */
const READY_TIMEOUT_MS = 20_000;
/** Until the idle display was shown. */
const IDLE_DISPLAY_MS = 1_000;
const PACE_LIMITS_MS = { prompt: 2_000, slow: 8_000 } as const;
const TEXT = 'BRING-UP';
const NO_ISSUER = { approved: '00', declined: '05' } as const;

type Seen = Omit<Observation, 'messages' | 'masked'>;

/**
 * Walks a device through all steps. Nothing rejects for what a device does.
 * @param onStep called behind each step with what there is
 */
export async function walk(
  deps: WalkDeps,
  onStep: (progress: Progress) => void = () => undefined,
): Promise<Progress> {
  const { clock, interrupted } = deps;
  await heldTo(new Promise<void>((resolve) => clock.setTimer(IDLE_DISPLAY_MS, resolve)), { interrupted });
  const walked: Walked[] = [];
  const missing: MissingStep[] = [];
  const serials = new Set<string>();
  const progress = (): Progress => ({ walked: [...walked], missing: [...missing, ...notReached()] });
  const notReached = (): MissingStep[] =>
    STEPS.slice(walked.length + missing.length).map(({ name }) => ({ step: name, why: 'not reached' }));
  for (const step of STEPS as readonly Step[]) {
    if (interrupted.aborted) break;
    const end = await walkStep(step, deps, serials);
    if (typeof end === 'string') missing.push({ step: step.name, why: end });
    else walked.push({ step: step.name, seen: end });
    onStep(progress());
  }
  return progress();
}

/** What was seen in a step, or why it did not come to its end. */
async function walkStep(
  step: Step,
  deps: WalkDeps,
  serials: Set<string>,
): Promise<Observation | MissingStep['why']> {
  const { clock, driver, interrupted, line, person } = deps;
  const choice = await heldTo(person.ready(step.name, instructionOf(step)), { interrupted });
  if (choice !== 'go') return choice === 'skip' ? 'skipped' : choice;
  const isReady = await within(driver, (state) => state === 'ready', READY_TIMEOUT_MS, clock, interrupted);
  line.take();
  if (!isReady && interrupted.aborted) return 'interrupted';
  if (!isReady) return { outcome: 'failed: the terminal is not ready', ...line.take() };
  const deed = DEEDS[step.does](step, deps, serials);
  const seen = await heldTo(deed, { interrupted, limit: { clock, limitMs: STEP_LIMITS_MS[step.does] } });
  if (typeof seen === 'string') {
    // The next step begins at a terminal that does nothing else, if it can be stopped at all.
    const stopped = Promise.allSettled([driver.cancel(), deed]);
    await heldTo(stopped, { interrupted, limit: { clock, limitMs: READY_TIMEOUT_MS } });
    return seen;
  }
  if (!step.confirm) return { ...seen, ...line.take() };
  const wasSeen = await heldTo(person.confirm(step.confirm), { interrupted });
  if (typeof wasSeen === 'string') return wasSeen;
  return { ...seen, outcome: wasSeen ? 'shown' : 'not shown', ...line.take() };
}

type Deed = (step: Step, deps: WalkDeps, serials: Set<string>) => Promise<Seen>;

const DEEDS: Readonly<Record<Step['does'], Deed>> = { identify, display, card, unplug };

async function identify(_: Step, { driver, clock }: WalkDeps): Promise<Seen> {
  const { result: condition, pace } = await timed(clock, () => driver.status());
  if (condition.kind === 'failed') return { outcome: `failed: ${condition.failure}`, pace };
  const { maker, model } = condition.identity;
  const { data, pin } = condition.keys;
  return {
    outcome: 'identified',
    identity: `${maker} ${model}`,
    keys: `data ${data}, PIN ${pin}`,
    pace,
  };
}

async function display(_: Step, { driver, clock }: WalkDeps): Promise<Seen> {
  const { pace } = await timed(clock, () => driver.finish(TEXT));
  return { outcome: 'sent', pace };
}

async function card({ answer }: Step, deps: WalkDeps, serials: Set<string>): Promise<Seen> {
  const { driver, person, clock } = deps;
  const started = await driver.start(requestOf(deps), (progress) => {
    if (progress.step === 'message') person.tell(progress.text);
  });
  let seen: Seen = { outcome: started.kind };
  if (started.kind === 'failed') seen = { outcome: `failed: ${started.failure}` };
  if (started.kind === 'cancelled') seen = { outcome: `cancelled by ${started.by}` };
  if ('card' in started) seen = { ...seen, ...cardSeen(started.card, serials) };
  if (started.kind === 'online-required' && answer) {
    const result = { kind: answer, responseCode: NO_ISSUER[answer], issuerData: Buffer.alloc(0) };
    const { result: end, pace } = await timed(clock, () => driver.complete(result, () => {}));
    const outcome = `online-required, then ${endOf(end, answer)}`;
    seen = { ...seen, outcome, pace, ...(end.kind !== 'failed' && { finalTags: tagsOf(end.iccData) }) };
  }
  await driver.finish(TEXT);
  return seen;
}

/** Without an issuer's cryptogram it is the card's own matter whether it takes an approval; a refusal it must take. */
function endOf(end: CompleteOutcome, answer: OnlineResult['kind']): string {
  if (end.kind === 'failed') return `failed: ${end.failure}`;
  return answer === 'approved' ? 'completed' : end.kind;
}

async function unplug(_: Step, { driver, clock, interrupted, person }: WalkDeps): Promise<Seen> {
  if (!(await within(driver, (state) => state === 'disconnected', CABLE_TIMEOUT_MS, clock, interrupted)))
    return { outcome: 'failed: the terminal was not unplugged' };
  person.tell('Plug the terminal in again.');
  const isBack = await within(driver, (state) => state === 'ready', CABLE_TIMEOUT_MS, clock, interrupted);
  return { outcome: isBack ? 'came back' : 'failed: the terminal did not come back' };
}

function cardSeen({ facts, iccData, sred, pin }: CardData, serials: Set<string>): Omit<Seen, 'outcome'> {
  return {
    entryMode: facts.entryMode,
    cardFacts: FACTS.filter((name) => facts[name] !== undefined).join(' '),
    tags: tagsOf(iccData),
    ...(sred && { dataKeySerial: serialForm(sred, 'data', serials) }),
    ...(pin && { pinKeySerial: serialForm(pin, 'pin', serials) }),
  };
}

/** What a masked account gives; the rest hangs on the card. */
const FACTS = ['bin', 'last4Digits', 'expiry'] as const satisfies readonly (keyof CardFacts)[];

/** Length of a key serial number, and whether another step had it: DUKPT gives each transaction its own key. */
function serialForm({ ksn }: Enciphered, use: string, serials: Set<string>): string {
  const name = `${use} ${toHex(ksn)}`;
  const isNew = !serials.has(name);
  serials.add(name);
  return `${ksn.length} bytes, ${isNew ? 'new' : 'used before'}`;
}

function tagsOf(iccData: Uint8Array): string {
  return decodeTlvPartly(iccData)
    .nodes.map(({ tag }) => tag)
    .sort()
    .join(' ');
}

function requestOf({ clock, currency }: WalkDeps): StartRequest {
  const [date = '', time = ''] = new Date(clock.nowMs()).toISOString().split('T');
  return {
    kind: 'sale',
    amount: { minor: AMOUNT_MINOR, currency },
    date: date.replaceAll('-', '').slice(2),
    time: time.replaceAll(':', '').slice(0, 6),
    transactionSequenceNumber: 1,
    // Nothing is decided offline: each step needs the card's request.
    risk: {
      floorLimitMinor: 0,
      randomSelectionThresholdMinor: 0,
      randomSelectionTargetPercent: 0,
      randomSelectionMaxPercent: 0,
    },
    cardTimeoutMs: CARD_TIMEOUT_MS,
  };
}

async function timed<T>(
  clock: Clock,
  work: () => Promise<T>,
): Promise<{ readonly result: T; readonly pace: Pace }> {
  const beganMs = clock.monotonicMs();
  const result = await work();
  const tookMs = clock.monotonicMs() - beganMs;
  const pace = tookMs < PACE_LIMITS_MS.prompt ? 'prompt' : tookMs < PACE_LIMITS_MS.slow ? 'slow' : 'late';
  return { result, pace };
}

/** Whether the driver reaches a state in time; false also when it is aborted. */
export async function within(
  driver: TerminalDriver,
  holds: (state: DriverState) => boolean,
  timeoutMs: number,
  clock: Clock,
  interrupted: AbortSignal,
): Promise<boolean> {
  if (holds(driver.state)) return true;
  let stop: () => void = () => undefined;
  const reached = new Promise<true>((resolve) => {
    stop = driver.onState((state) => {
      if (holds(state)) resolve(true);
    });
  });
  const end = await heldTo(reached, { interrupted, limit: { clock, limitMs: timeoutMs } });
  stop();
  return end === true;
}
