import { meaningOf } from '@tillbridge/wire/iso8583/describe/meanings.js';
import type { ExchangeMessage } from '@tillbridge/wire/iso8583/exchange/exchange-message.js';
import { Iso8583Error } from '@tillbridge/wire/iso8583/iso8583-error.js';
import type { Money } from '@tillbridge/wire/payment/money.js';
import type { AcquirerCard, AcquirerMerchant } from '../../acquirer.js';
import type { LinkRequest } from '../link/host-link.js';
import { NotSentError, OutcomeUnknownError } from '../link/link-deps.js';
import { approves } from '../rules/exchange-record.js';
import { exchangeRequest } from '../rules/exchange-request.js';

/** What a trial does at a link. */
export interface TrialLink {
  /** Connects and signs on. @throws NotSentError */
  connect(): Promise<void>;
  /** The host's answer to an echo test; undefined: none came. @throws NotSentError */
  echo(): Promise<ExchangeMessage | undefined>;
  /** Sends a sale whose approval is reversed at once. @throws NotSentError, OutcomeUnknownError, Iso8583Error */
  sell(reference: string, message: LinkRequest): Promise<ExchangeMessage>;
  /** Whether the host acknowledged the reversal, within the time of an answer. */
  isReversed(reference: string): Promise<boolean>;
}

/** Steps of a trial, in their order. */
const STEPS = ['sign-on', 'echo', 'sale', 'reversal'] as const;
export type TrialStep = (typeof STEPS)[number];

/** How a step ended. */
export interface TrialResult {
  readonly step: TrialStep;
  /** `skipped`: a step before it failed, or there is nothing to do. */
  readonly outcome: 'passed' | 'failed' | 'skipped';
  readonly detail: string;
}

/** The sale of a trial. */
export interface TrialSale {
  /** Acquirer reference, 32 lowercase hex. */
  readonly reference: string;
  readonly amount: Money;
  readonly card: AcquirerCard;
  readonly merchant: AcquirerMerchant;
  /** Number of the acquiring institution (field 32). */
  readonly acquirerId?: string | undefined;
}

/** What follows a trial while it runs. */
export interface TrialObserver {
  begins(step: TrialStep): void;
  ends(result: TrialResult): void;
}

type Ended = Pick<TrialResult, 'outcome' | 'detail'>;

/**
 * Signs on, tests the line, sells and reverses.
 * @returns whether every step passed
 */
export async function runTrial(link: TrialLink, sale: TrialSale, observer: TrialObserver): Promise<boolean> {
  const { reference } = sale;
  let outcome: TrialResult['outcome'] = 'passed';
  const step = async (name: TrialStep, work: () => Promise<Ended>): Promise<Ended> => {
    observer.begins(name);
    const ended = await work();
    if (ended.outcome === 'failed') outcome = 'failed';
    observer.ends({ step: name, ...ended });
    return ended;
  };
  const skip = (detail: string) => async (): Promise<Ended> => ({ outcome: 'skipped', detail });
  await step('sign-on', () => signOn(link));
  const isOn = outcome === 'passed';
  await step('echo', isOn ? () => echo(link) : skip('not signed on'));
  let sold: SaleEnd = { outcome: 'skipped', detail: 'the line failed: nothing was sent', mayStand: false };
  await step('sale', async () => {
    if (outcome === 'passed') sold = await sell(link, sale);
    return sold;
  });
  await step('reversal', () =>
    sold.mayStand ? reverse(link, reference) : skip('there is nothing to reverse')(),
  );
  return outcome === 'passed';
}

async function signOn(link: TrialLink): Promise<Ended> {
  try {
    await link.connect();
    return passed('the host takes our sign-on');
  } catch (error) {
    if (error instanceof NotSentError) return failed('no host took the connection and our sign-on');
    throw error;
  }
}

async function echo(link: TrialLink): Promise<Ended> {
  try {
    const answer = await link.echo();
    if (!answer) return failed('no answer came in time');
    return approves(answer) ? passed('the host answers') : failed(responseOf(answer));
  } catch (error) {
    if (error instanceof NotSentError) return failed(error.message);
    throw error;
  }
}

interface SaleEnd extends Ended {
  /** Whether the host may have carried it out. */
  readonly mayStand: boolean;
}

async function sell(
  link: TrialLink,
  { reference, amount, card, merchant, acquirerId }: TrialSale,
): Promise<SaleEnd> {
  const request = { acquirerReference: reference, kind: 'authorization', captureNow: true } as const;
  try {
    const message = exchangeRequest(
      { ...request, amount, instrument: card, merchant },
      'sale',
      undefined,
      acquirerId,
    );
    const answer = await link.sell(reference, message);
    return { ...decisionOn(answer), mayStand: approves(answer) };
  } catch (error) {
    if (error instanceof OutcomeUnknownError)
      return { ...failed('no answer that decides came in time: it is reversed'), mayStand: true };
    if (error instanceof NotSentError) return { ...failed(error.message), mayStand: false };
    if (error instanceof Iso8583Error)
      return { ...failed(`the message cannot be written: ${error.message}`), mayStand: false };
    throw error;
  }
}

function decisionOn(answer: ExchangeMessage): Ended {
  if (!approves(answer)) return failed(`the host declines: ${responseOf(answer)}`);
  const { approvalCode } = answer;
  return passed(approvalCode === undefined ? 'approved' : `approved, approval code ${approvalCode}`);
}

async function reverse(link: TrialLink, reference: string): Promise<Ended> {
  return (await link.isReversed(reference))
    ? passed('the host has acknowledged it')
    : failed(
        'the host has not acknowledged it: it stays in the journal, and the gateway sends it as soon as it runs',
      );
}

function responseOf({ responseCode }: ExchangeMessage): string {
  if (responseCode === undefined) return 'an answer without a response code';
  const meaning = meaningOf('0', 39, responseCode);
  return `response code ${responseCode}${meaning === undefined ? '' : ` (${meaning})`}`;
}

function passed(detail: string): Ended {
  return { outcome: 'passed', detail };
}

function failed(detail: string): Ended {
  return { outcome: 'failed', detail };
}
