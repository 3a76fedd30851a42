import { oneOf, wholeNumber } from '@tillbridge/platform/schema/fields.js';
import { jsonReader } from '@tillbridge/platform/schema/reader.js';
import { Type } from '@tillbridge/platform/schema/type.js';
import { RISK_SCORE_LIMIT } from '../../core/payments/rules/assess-risk.js';
import type { Egress } from '../../kernel/egress/egress.js';
import type { ScreeningResult } from './rules/assess.js';

/** Lengths that a screening service takes of the overrides of its configuration (docs/risk.md). */
export const SCREENING_OVERRIDES = { channelId: 12, serviceId: 1 } as const;

/** The request to the screening. No card number, no mandate. */
interface ScreeningRequest {
  readonly paymentId: string;
  readonly entityId: string;
  /** Decimal text. */
  readonly amount: string;
  readonly currency: string;
  readonly bin?: string;
  readonly last4Digits?: string;
  readonly customer: { readonly email?: string; readonly ip?: string };
  readonly countries: Readonly<Record<string, string | undefined>>;
  /** `risk.*` (docs/risk.md). */
  readonly risk: Readonly<Record<string, string>>;
}

/** An external service that screens payments. */
export interface Screening {
  /** Its verdict; `silent` where none came in time, or none that can be understood. Never throws. */
  screen(request: ScreeningRequest): Promise<ScreeningResult>;
}

/** Where the service is, and how long it may take. */
interface ScreeningOptions {
  readonly egress: Pick<Egress, 'send'>;
  readonly url: string;
  readonly timeLimitMs: number;
  /** Called with faults; they hold nothing of the payment. */
  readonly onFault: (what: string, error: unknown) => void;
}

/** A service that is called by HTTP POST with JSON. */
export class HttpScreening implements Screening {
  readonly #options: ScreeningOptions;

  constructor(options: ScreeningOptions) {
    this.#options = options;
  }

  async screen(request: ScreeningRequest): Promise<ScreeningResult> {
    const { egress, url, timeLimitMs: timeoutMs, onFault } = this.#options;
    try {
      const { status, body } = await egress.send({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', accept: 'application/json' },
        body: Buffer.from(JSON.stringify(request), 'utf8'),
        timeoutMs,
      });
      if (status !== 200) throw new Error(`the screening answered ${status}`);
      return readScreening(body.toString('utf8'));
    } catch (error) {
      onFault('the screening is silent', error);
      return { decision: 'silent' };
    }
  }
}

/** A verdict out of an answer: `{"decision": "accept" | "review" | "deny", "score"?: 12}`. @throws Error when it is none */
const readScreening: (json: string) => ScreeningResult = jsonReader(
  Type.Object(
    {
      decision: oneOf(['accept', 'review', 'deny']),
      score: Type.Optional(
        wholeNumber(-RISK_SCORE_LIMIT, RISK_SCORE_LIMIT, { description: 'For the score of the payment.' }),
      ),
    },
    { expected: 'an object with decision' },
  ),
  'the answer of the screening',
  (reason) => new Error(reason),
);
