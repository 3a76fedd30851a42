import { retailMac } from '@tillbridge/wire/crypto/ciphers/mac.js';
import { developmentKey } from '@tillbridge/wire/crypto/key-block/test-keys.js';
import { DIALECTS } from '@tillbridge/wire/iso8583/dialects/dialects.js';
import { packCoded, unpackExchange } from '@tillbridge/wire/iso8583/exchange/exchange-codec.js';
import { answerTo, type ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { framed, MessageFrames } from '@tillbridge/wire/iso8583/message-frames.js';
import type { BytePipe } from '@tillbridge/wire/seams/byte-pipe.js';
import { memoryPipe } from '@tillbridge/wire/seams/testing/memory-pipe.js';
import type { VirtualClock } from '@tillbridge/wire/seams/testing/virtual-clock.js';
import { timeText } from '../journal/store-numbers.js';
import { HostLink } from '../link/host-link.js';
import type { LinkJournal } from '../link/link-deps.js';

const DIALECT = DIALECTS['1987-binary'];
export const ANSWER_TIMEOUT_MS = 20_000;

/** What a generated host does with a request: carries it out or not, and answers or not. */
export type RequestPlan = 'approve' | 'part' | 'decline' | 'lost' | 'silent' | 'late' | 'overtaken';

/** What it does with a reversal: a code of two digits refuses it. A host with something to give back never answers otherwise. */
export type ReversalPlan = 'carry-out' | 'silent' | 'unknown' | 'duplicate' | `${number}`;

/** What it holds for a request that it has carried out. */
export interface Held {
  readonly requested: number;
  /** In minor units; 0: declined, or reversed before it came. */
  readonly approved: number;
  /** The gateway has received its answer in time. */
  isAnswered: boolean;
  /** What was given back of it. */
  givenBack: number;
  /** It was carried out after its reversal, and no line brought the answer: totals alone show it (docs/acquirer-link.md). */
  isAnswerLost?: boolean;
}

/** A host that a test writes: it adds up what it moved, and shares no rule with the gateway. */
export class GeneratedHost {
  /** By number and time of the request. */
  readonly held = new Map<string, Held>();
  /** What the gateway sent and a host must not receive. */
  readonly faults: string[] = [];
  plan: RequestPlan = 'approve';
  /** Whether answers to other messages come before the right one. */
  hasStrays = false;
  /** What it does with the next reversals; it carries out those after them. */
  readonly reversalPlans: ReversalPlan[] = [];
  readonly #clock: VirtualClock;
  /** Reversals that it has answered for good, by number and time. */
  readonly #acknowledged = new Set<string>();
  #stan = 0;

  constructor(clock: VirtualClock) {
    this.#clock = clock;
  }

  /** The gateway's end of a link to this host. What was on the way on an earlier one may be lost. */
  async open(journal: LinkJournal): Promise<HostLink> {
    const clock = this.#clock;
    this.#acknowledged.clear();
    const link = new HostLink({
      dialect: DIALECT,
      hosts: [() => this.#connect()],
      connections: 1,
      echoAfterMs: 60_000_000,
      takeKey: async () => ({ responseCode: '12' }),
      journal,
      numbers: { next: async () => this.#number() },
      seal: {
        mac: async (covered) => codeOf(covered),
        verify: async (covered, mac) => codeOf(covered).subarray(0, mac.length).equals(mac),
      },
      clock,
      observer: {
        bad: () => undefined,
        lateApproval: () => undefined,
        detailsLeftOut: () => undefined,
        withoutCard: () => undefined,
        notWritten: (_, reason) => void this.faults.push(reason),
        fault: (error) => void this.faults.push(String(error)),
      },
      answerTimeoutMs: ANSWER_TIMEOUT_MS,
    });
    await link.start();
    return link;
  }

  /** Numbers begin anew while times go on, and two messages of one second have two numbers. */
  #number() {
    this.#stan += 1;
    const stan = String(1 + (this.#stan % 3)).padStart(6, '0');
    const at = timeText(this.#clock.nowMs() + 1_000 * Math.floor(this.#stan / 3));
    return { sequence: this.#stan, stan, at };
  }

  async #connect(): Promise<BytePipe> {
    const [near, end] = memoryPipe('line');
    const frames = new MessageFrames();
    end.onData((bytes) => {
      for (const message of frames.push(bytes))
        this.#take(unpackExchange(DIALECT, message, this.#clock.nowMs()), end);
    });
    return near;
  }

  #take(request: ExchangeMessage, line: BytePipe): void {
    if (request.isResponse) return;
    if (request.kind === 'reversal') this.#reverse(request, line);
    else if (request.kind === 'network') send(line, answerTo(request, { responseCode: '00' }));
    else this.#carryOut(request, line);
  }

  #carryOut(request: ExchangeMessage, line: BytePipe): void {
    const { plan } = this;
    this.plan = 'approve';
    const requested = request.amount?.minor ?? 0;
    const key = keyOf(request);
    if (plan === 'lost') return;
    if (plan === 'overtaken') {
      // Its reversal arrives first, at a host that keeps no note of it.
      this.#clock.setTimer(ANSWER_TIMEOUT_MS + 2_000, () => {
        this.held.delete(key);
        this.plan = 'silent';
        this.#carryOut(request, line);
        const held = this.held.get(key);
        write(line, answerTo(request, { responseCode: '00' })).catch(() => {
          if (held) held.isAnswerLost = true;
        });
      });
      return;
    }
    const before = this.held.get(key);
    const minor = approvedOf(request, plan);
    const held = before ?? { requested, approved: minor, isAnswered: false, givenBack: 0 };
    this.held.set(key, held);
    if (plan === 'silent') return;
    const { approved } = held;
    const currency = request.amount?.currency ?? '';
    const isPart = approved > 0 && approved < requested;
    const answer = answerTo(request, {
      responseCode: approved === 0 ? '05' : isPart ? '10' : '00',
      ...(isPart && { amount: { minor: approved, currency } }),
    });
    if (this.hasStrays) this.#sendStrays(line, answer);
    if (plan !== 'late') {
      held.isAnswered = true;
      send(line, answer);
    } else this.#clock.setTimer(ANSWER_TIMEOUT_MS + 1, () => send(line, answer));
  }

  #reverse(reversal: ExchangeMessage, line: BytePipe): void {
    const { original, amount, remaining } = reversal;
    const key = original ? keyOf(original) : '';
    const held = this.held.get(key);
    const code = reversalCode(this.reversalPlans.shift() ?? 'carry-out', held);
    const number = keyOf(reversal);
    if (this.#acknowledged.has(number))
      this.faults.push(`reversal ${number} came again after its acknowledgement`);
    if (['00', '21', '25', '94'].includes(code ?? '')) this.#acknowledged.add(number);
    if (this.hasStrays) this.#sendStrays(line, answerTo(reversal, { responseCode: '00' }));
    // What the gateway knows was approved; without an answer it can name the requested amount alone.
    const named = held?.isAnswered && held.approved > 0 ? held.approved : held?.requested;
    if (held && amount?.minor !== named) this.faults.push(`reversed ${amount?.minor} of ${named}`);
    if (code === '00') {
      if (held) held.givenBack = Math.max(held.givenBack, held.approved - (remaining?.minor ?? 0));
      // Reversed before it came: a request that is late moves nothing.
      else
        this.held.set(key, { requested: amount?.minor ?? 0, approved: 0, isAnswered: false, givenBack: 0 });
    }
    if (code !== undefined) send(line, answerTo(reversal, { responseCode: code }));
  }

  /** Approvals of other messages: each differs in one thing. */
  #sendStrays(line: BytePipe, answer: ExchangeMessage): void {
    // Half a day off: no message of a test is made then.
    const [day, hour, rest] = [answer.at.slice(0, -6), Number(answer.at.slice(-6, -4)), answer.at.slice(-4)];
    const at = `${day}${String((hour + 12) % 24).padStart(2, '0')}${rest}`;
    const { amount: _, ...whole } = answer;
    const approval = { ...whole, responseCode: '00' };
    for (const other of [{ at }, { stan: '900001' }, { terminalId: 'T9' }])
      send(line, { ...approval, ...other });
  }
}

function approvedOf(request: ExchangeMessage, plan: RequestPlan): number {
  const requested = request.amount?.minor ?? 0;
  if (plan === 'decline') return 0;
  return plan === 'part' && request.partialAllowed ? Math.ceil(requested / 2) : requested;
}

/** The code of the answer to a reversal; undefined: none. */
function reversalCode(plan: ReversalPlan, held: Held | undefined): string | undefined {
  const stands = held !== undefined && held.approved > held.givenBack;
  if (plan === 'silent') return undefined;
  if (plan === 'unknown') return stands ? '00' : '25';
  if (plan === 'duplicate') return held !== undefined && !stands ? '94' : '91';
  return plan === 'carry-out' ? '00' : plan;
}

/** Number and time. */
export function keyOf({ stan, at }: Pick<ExchangeMessage, 'stan' | 'at'>): string {
  return `${stan} ${at}`;
}

function codeOf(covered: Uint8Array): Buffer {
  return retailMac(developmentKey('zoneMacKey'), covered, 'iso9797Method1');
}

function send(line: BytePipe, message: ExchangeMessage): void {
  void write(line, message).catch(() => undefined);
}

async function write(line: BytePipe, message: ExchangeMessage): Promise<void> {
  const { bytes, covered, putCode } = packCoded(DIALECT, message);
  putCode(codeOf(covered));
  await line.write(framed(bytes));
}
